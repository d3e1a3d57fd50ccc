"""Tags: is this a test, a copy, a product of a machine, or prose?

Rankings treat such files differently, so each gets a tag, from its path by the conventions
of its language and, for generated code, from the words its generator left at the top.
"""

from __future__ import annotations

import re

from plait.sources.names import is_vendored

HEAD_BYTES = 2048

TEST_FOLDERS = frozenset(
    "test tests testing spec specs __tests__ __test__ __mocks__ __snapshots__ __fixtures__ "
    "testdata test-data test_data testfixtures fixtures androidtest unittest unittests "
    "integrationtest integration-tests integration_tests e2e cypress t functional_tests".split()
)
# The name without its folders, case kept: FooTest.java is a test, latest.java is not.
TEST_NAME = re.compile(
    r"""(?x)
    ^test_.*\.(py|rb|c|cc|cpp|lua|jl|m|f90|d|nim|zig|ml|sh)$ | ^conftest\.py$ | ^tests?\.\w+$
    | [_-](test|tests|spec|unittest)\.(py|go|rb|rs|c|cc|cpp|cxx|h|hpp|exs?|clj[cs]?|dart|lua|erl
        |cr|js|ts|jl|zig|php|sh|bats)$
    | \.(test|spec|cy|e2e)\.(js|jsx|ts|tsx|mjs|cjs|mts|cts|vue|lua|coffee)$
    | [a-z0-9](Test|Tests|TestCase|IT|Spec|Specs|Suite)\.(java|kt|kts|scala|groovy|cs|fs|vb|swift
        |php|hs|m|mm|cpp|ts|js|dart|pm)$
    | ^Test[A-Z]\w*\.(java|kt|cs|hs|scala|groovy)$
    | _SUITE\.erl$ | \.(bats|t|feature)$ | ^test-.*\.(R|r|el|js|sh)$
    """
)
DOC_FOLDERS = frozenset("doc docs documentation man manual wiki".split())
DOC_SUFFIXES = frozenset("md markdown mdx rst adoc asciidoc rdoc pod tex texi org textile".split())
DOC_NAME = re.compile(
    r"(?i)^(readme|changelog|changes|history|news|contributing|authors|licen[cs]e|copying|"
    r"notice|security|code_of_conduct|install|todo|maintainers)(\.(txt|in))?$"
)
GENERATED_NAME = re.compile(
    r"(?i)(_pb2(_grpc)?\.pyi?|\.pb(\.\w+)?\.(go|cc|h|rb|swift|dart|cpp)|_grpc\.pb\.\w+|_pb\.(js|ts|rb)"
    r"|\.pb\.ts|\.g\.(dart|cs)|\.freezed\.dart|\.designer\.cs|[._-]generated\.\w+|\.gen\.\w+"
    r"|^zz_generated\.\w+\.go|_string\.go|_gen\.go|\.tab\.[ch]|\.yy\.c|_mock\.go|bindata\.go)$"
)
# Only in a comment near the top: source that merely mentions the words is not generated.
GENERATED_MARK = re.compile(
    rb"""(?mx) ^[ \t]*(?:\#|//|/\*|\*|--|;|%|<!--|"{3}|'{3}|\(\*|\{-|"|!|rem\b)[^\n]{0,200}?
    (?: @generated\b | \bDO[ ]NOT[ ](?:EDIT|MODIFY)\b | \bDo[ ]not[ ](?:edit|modify)!
      | (?i:\bcode[ ]generated[ ](?:by|from)\b | \bauto[- ]?generated\b
          | \bautomatically[ ](?:generated|created)[ ](?:by|from|file)\b
          | \bfile[ ](?:is|was|has[ ]been)[ ](?:automatically[ ])?generated\b
          | \bgenerated[ ]by[ ]the[ ]protocol[ ]buffer) )
    """
)
# Every mark holds one of these; looking for them first costs a tenth.
GENERATED_WORDS = (b"generated", b"do not ", b"automatically created")


def tags_of(path: str, content: bytes) -> tuple[str, ...]:
    """The tags of a file, always in the same order."""
    *folders, name = path.split("/")
    lowered = [folder.lower() for folder in folders]
    suffix = name.rpartition(".")[2].lower()
    tags = []
    if TEST_NAME.search(name) or not TEST_FOLDERS.isdisjoint(lowered):
        tags.append("test")
    if folders and is_vendored(path.lower()):
        tags.append("vendored")
    if GENERATED_NAME.search(name) or _is_marked(content):
        tags.append("generated")
    if suffix in DOC_SUFFIXES or DOC_NAME.match(name) or not DOC_FOLDERS.isdisjoint(lowered):
        tags.append("documentation")
    return tuple(tags)


def _is_marked(content: bytes) -> bool:
    """Whether a generator left its words at the top."""
    head = content[:HEAD_BYTES].lower()
    if not any(word in head for word in GENERATED_WORDS):
        return False
    return GENERATED_MARK.search(content, 0, HEAD_BYTES) is not None
