"""How things are written: what a word looks like, whoever typed it.

Identifiers of many languages, paths with and without lines, regular expressions and globs. Where
a text could be two things, the one that people search for more often wins; the case files
(``tests/fixtures/shapes``) say which.
"""

from __future__ import annotations

import re

from plait.search.shape.files import FILE_NAMES, RECEIVERS, SUFFIXES

# ---------------------------------------------------------------- names

MAX_NAME = 200  # characters; what is longer is no name, and no rule looks at it for long
# Innermost brackets behind a name: ``<K, V>``, ``[str]``, ``(x, y)``, ``{}``.
BRACKETS = re.compile(r"(?<=[\w!])(?:<[^<>()\[\]]*>|\[[^<>()\[\]]*\]|\([^<>()\[\]]*\)|\{\})")
MAX_NESTED = 4
WORD = r"\w++[!?]?+"
JOINT = r"(?:\.|\?\.|::|:|->|\#|/|\\|\$|-)"
BEFORE = r"(?:@|\$\{|\$|--?|\.|\#\[|\#|:|&mut\s|&|\*{1,2}|~|\[\]|<)"
AFTER = r"(?:>|\}|\]|\+\+|--|\#|\*|&|==|<<|>>|;|,)"
IDENTIFIER = re.compile(rf"{BEFORE}?{WORD}(?:{JOINT}{WORD})*+{AFTER}?")
ARITY = re.compile(r"\w+(?:[.:]\w+[!?]?)*/\d+")  # Enum.map/2
NAMESPACED = re.compile(r"\w+(?:\.\w+)+/[\w*!?<>=-]+")  # clojure.core/map
# What only code is written like: a hump, an underscore, ``::``, ``->``, a dot between letters,
# a call; a flag, a variable, a decorator, a header, code in backticks.
COMPOUND = re.compile(
    r"[a-z0-9][A-Z]|\w_\w|::|->|[^\W\d]\.[^\W\d]|\w\(\)"
    r"|\A--\w|\A\$\w|\A@\w|\A`[^`]+`\Z|\A[A-Z][a-z]*(?:-[A-Z][a-z]*)+\Z"
)
SURROUNDS = "`'\"\u201c\u201d\u2018\u2019"
ENDS = ",;:?!."
# Written with a hump or a dot, and words of any language nevertheless.
PROPER = frozenset(
    """asp.net bitbucket e.g i.e codeql devops facebook github gitlab graphql homebrew ios iphone
    ipados javascript jquery kubernetes latex linkedin macos mongodb mysql next.js node.js nosql
    nuxt.js openai opengl openid openssl paypal pdfs postgresql powershell react.js rubygems sqlite
    tensorflow three.js typescript urls vue.js webassembly whatsapp wordpress youtube""".split()
)


def bare(text: str) -> str:
    """A text without the quotation marks or backticks around all of it."""
    text = " ".join(text.split())
    if len(text) > 2 and text[0] in SURROUNDS and text[-1] in SURROUNDS and " " not in text:
        return text[1:-1]
    return text


def is_identifier(text: str) -> bool:
    """Whether a text is one name, with whatever a language puts around it."""
    if len(text) > MAX_NAME:
        return False
    for _ in range(MAX_NESTED):
        text = BRACKETS.sub("", text)
    return IDENTIFIER.fullmatch(text) is not None


def looks_like_code(word: str) -> bool:
    """Whether a word of a sentence is spelled as only code is."""
    word = word.strip(SURROUNDS[1:]).rstrip(ENDS).lstrip("(")
    return COMPOUND.search(word) is not None and word.lower() not in PROPER


# ---------------------------------------------------------------- paths

PLACE = re.compile(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?|\(\d+(?:,\d+)?\))\Z")
URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
ROOTED = re.compile(r"(?:[A-Za-z]:)?[\\/][^\\/\s]|\.{1,2}[\\/]|~[\\/]")
SLASHES = re.compile(r"[\w.@+~-]+(?:[\\/][\w.@+~ -]+)+[\\/]?")
FILE = re.compile(r"[\w@+-][\w@+.-]*")


def without_place(path: str) -> str:
    """A path without the line behind it: ``a/b.py`` for ``a/b.py:12``."""
    return PLACE.sub("", path)


def is_path(text: str) -> bool:
    """Whether a text is a file or a folder, or an address of one."""
    if URL.fullmatch(text):
        return True
    path = without_place(text)
    if ARITY.fullmatch(path) or NAMESPACED.fullmatch(path):
        return is_file_name(path.rpartition("/")[2]) and not ARITY.fullmatch(path)
    if ROOTED.match(path):
        return not is_pattern(text)
    if "/" in path:
        return SLASHES.fullmatch(path) is not None
    if "\\" in path:
        return SLASHES.fullmatch(path) is not None and is_file_name(path.rpartition("\\")[2])
    return is_file_name(path)


def is_file_name(name: str) -> bool:
    """Whether a name is that of a file, by how it ends or because everybody knows it."""
    lower = name.lower()
    if lower in FILE_NAMES or (name.isupper() and lower in {"readme", "changelog", "license"}):
        return True
    stem, dot, suffix = lower.rpartition(".")
    if not dot or not stem or not FILE.fullmatch(stem.lstrip(".") or "-"):
        return False
    return suffix in SUFFIXES and not (suffix in RECEIVERS and stem in RECEIVERS[suffix])


# ---------------------------------------------------------------- patterns

REGEX = re.compile(
    r"""\.[*+](?=[\w\\(\[\s"'$])(?!\s*\Z)     # foo.*bar
      | \\[wdsWDS][+*?{)|\]]?(?![A-Za-z])     # \w+ and the like, not a folder behind a backslash
      | \\[bB](?![A-Za-z])
      | \\[.()\[\]{}*+?$^|]                   # a sign that is meant as it is
      | \[\^[^\]]+\] | \[[^\]\s]*\w-\w[^\]\s]*\]
      | \(\?[:imsU=!<P]
      | \((?:[\w\s]+\|)+[\w\s]+\)[\w?*+]?
      | \A\^\w | \w\{\d+(?:,\d*)?\}
      | [^\W\d]{2}\?[^\W\d]                   # colou?r
      | [;)\w]\$\Z
    """,
    re.VERBOSE,
)
CHOICE = re.compile(r"[\w.]+(?:\|[\w.]+)+")
GLOB = re.compile(r"[\w./@{}*?,+-]++")
WILDCARD = re.compile(r"\*[./]|[\w/](?:\*[\w.]|\?\w)")


def is_pattern(text: str) -> bool:
    """Whether a text is a regular expression or a glob rather than words or code."""
    if URL.fullmatch(text):
        return False
    return REGEX.search(text) is not None or CHOICE.fullmatch(text) is not None or is_glob(text)


def is_glob(text: str) -> bool:
    """Whether a text is a pattern of paths: ``*.go``, ``src/**/*.py``."""
    if GLOB.fullmatch(text) is None or not ("*" in text or "?" in text):
        return False
    is_of_files = is_file_name(text.replace("?", "_")) and not text.endswith("?")
    return is_of_files or WILDCARD.search(text) is not None
