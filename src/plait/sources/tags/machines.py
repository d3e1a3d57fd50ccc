"""Machines: which files did a program write?

Generators say so in a comment at the top, or by the name they give. Bundlers and compilers of
the browser's languages leave their helpers at the top and the address of a source map at the
end. Files on lines that nobody would write are not indexed at all (``is_minified``).
"""

from __future__ import annotations

import re

from plait.sources.tags.place import Place
from plait.sources.tags.testing import is_test

HEAD_BYTES = 2048
TAIL_BYTES = 200

GENERATED_NAME = re.compile(
    r"(?i)(_pb2(_grpc)?\.pyi?|\.pb(\.\w+)?\.(go|cc|h|rb|swift|dart|cpp)|_grpc\.pb\.\w+|_pb\.(js|ts|rb)"
    r"|\.pb\.ts|\.g\.(dart|cs)|\.freezed\.dart|\.designer\.cs|[._-]generated\.\w+|\.gen\.(?!readme|md|txt|sh)\w+"
    r"|^zz_generated\.\w+\.go|_string\.go|_gen\.go|\.tab\.[ch]|\.yy\.c|_mock\.go|bindata\.go)$"
)
# Only in a comment near the top: source that merely mentions the words is not generated.
GENERATED_MARK = re.compile(
    rb"""(?mx) ^[ \t]*(?:\#|//|/\*|\*|--|;|%|<!--|"{3}|'{3}|\(\*|\{-|"|!|rem\b)[^\n]{0,200}?
    (?: @generated\b | \bDo[ ]not[ ](?:edit|modify)!
      | \bDO[ ]NOT[ ](?:EDIT\b|MODIFY\b(?![^\n]*work))
      | (?i:\bcode[ ]generated[ ](?:by|from)\b
          | (?:(?<=[\#/*;%!<"-])|(?<=[\#/*;%!<",-][ ])|\b(?:is|was|been|are|file|class)[ ])
            auto[- ]?generated\b
          | (?<!\bin[ ]this[ ])\bauto[- ]?generated[ ](?:by|file|code|using)\b
          | \bautomatically[ ](?:generated|created)[ ](?:by|from|file)\b
          | \bfile[ ](?:is|was|has[ ]been)[ ](?:automatically[ ])?generated\b
          | \bgenerated[ ]by[ ]the[ ]protocol[ ]buffer | \bgenerated[ ]by[ ]django\b ) )
    """
)
# What may stand above the mark: comments, and the lines that a file must begin with.
TOP_OF_FILE = re.compile(
    rb"""(?x) \A(?: \s++ | (?:\#|//|--|;|%|"(?!"")|!|\.\\")[^\n]*+ | (?i:rem\b)[^\n]*+
      | /\*(?s:.*?)(?:\*/|\Z) | <!--(?s:.*?)(?:-->|\Z) | "{3}(?s:.*?)(?:"{3}|\Z)
      | '{3}(?s:.*?)(?:'{3}|\Z) | \{-(?s:.*?)(?:-\}|\Z)
      | \(\*(?s:.*?)(?:\*\)|\Z) | <\?(?:php|xml)?[^\n]*+ | '[^'\n]*+';? | @(?:file|charset)[^\n]*+
      | (?:package|namespace|module|use|using|import|from|export|syntax)\b[^\n]*+ | :[^\n]*+ )*+
    """
)
# Every mark holds one of these; looking for them first costs a tenth.
GENERATED_WORDS = (b"generated", b"do not ", b"automatically created")

SCRIPTS = frozenset("js mjs cjs jsx css scss ts mts cts".split())
# Folders that packagers of the browser's languages write to; nobody edits what is there.
BUILT_FOLDERS = frozenset(
    "dist build-module build-types fesm5 fesm2015 fesm2020 fesm2022 esm5 esm2015 umd _esm _cjs "
    "_types .next .nuxt".split()
)
BUILT_NAME = re.compile(r"(?i)(?:[.-](?:min|bundle)|\.(?:umd|iife|esm\.browser))\.(?:[mc]?js|css)$")
BUILT_HEAD = re.compile(
    rb"""(?x) \A(?:[^\n]*\n){0,40}?[ \t]*(?:
        /\*{6}/ | (?:function|var)[ ]__webpack_(?:require|modules|exports)__
      | .{0,20}webpackUniversalModuleDefinition
      | var[ ]__(?:create|defProp|getOwnPropNames|commonJS|export|esm|toESM)\b[ ]=
      | var[ ]__(?:createBinding|import\w+|awaiter|exportStar|extends|assign)[ ]=[ ]\(this
      | Object\.defineProperty\(exports,[ ]?["']__esModule["']
      | .{0,20}\btypeof[ ]exports[ ]?={2,3}[ ]?["']object["'][^\n]{0,80}\bfactory\(
      | System\.register\( | \(\(\)[ ]=>[ ]\{[ ]//[ ]webpack )
    """
)
# Every such head holds one of these.
BUILT_WORDS = (b"/******/", b"webpack", b"var __", b"__esModule", b"factory(", b"System.register(")
BUILD = re.compile(r"^build(?:-\w+)?$")  # holds scripts as well, but no declarations by hand
RELEASED = frozenset({"js", "mjs", "cjs"})
RELEASE_BANNER = re.compile(rb"\A\s*/\*!\s[^/]{0,200}?\bv?\d+\.\d+\.\d+")
SOURCE_MAP = re.compile(rb"(?m)^/[/*][#@] sourceMappingURL=\S+(?: ?\*/)?\s*\Z")


def is_generated(place: Place, content: bytes) -> bool:
    """Whether a program wrote a file, by its name or by the words it left at the top."""
    return GENERATED_NAME.search(place.name) is not None or _is_marked(content)


def is_built(place: Place, content: bytes) -> bool:
    """Whether a script or style sheet was made of others: bundled or compiled."""
    if place.suffix not in SCRIPTS:
        return False
    if not BUILT_FOLDERS.isdisjoint(place.lowered) or BUILT_NAME.search(place.name):
        return True
    if place.suffix == "ts" and any(map(BUILD.match, place.lowered)):
        return place.name.endswith(".d.ts")
    return not is_test(place, content) and _is_bundled(place, content)


def _is_marked(content: bytes) -> bool:
    head = content[:HEAD_BYTES].lower()
    if not any(word in head for word in GENERATED_WORDS):
        return False
    mark = GENERATED_MARK.search(content, 0, HEAD_BYTES)
    if mark is None:
        return False
    top = TOP_OF_FILE.match(content, 0, HEAD_BYTES)
    return top is not None and mark.start() < top.end()


def _is_bundled(place: Place, content: bytes) -> bool:
    head = content[:HEAD_BYTES]
    if any(word in head for word in BUILT_WORDS) and BUILT_HEAD.search(head):
        return True
    return (
        place.suffix in RELEASED and RELEASE_BANNER.search(head) is not None
    ) or SOURCE_MAP.search(content[-TAIL_BYTES:]) is not None
