"""Gitignore patterns as regular expressions over one entry's path.

Git asks of each entry on the way down whether a pattern names *that entry*; a folder's
contents are left out only because nobody goes in. Libraries that let ``foo/`` match
everything below it get negations in deeper files wrong, so the patterns are translated
here, after git's wildmatch.c, for RE2: linear in the path whatever the pattern says.

Paths are bytes, as they are to git: ``?`` stands for one byte of a UTF-8 name.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

import re2

SLASH = ord("/")
MAX_LENGTH = 4096  # of a line; no path is longer
DOUBLE_STAR_COST = 10  # measured: a pattern with four of them costs RE2 as much as 30 without
MAX_MEMORY = 2 << 20  # of one compiled expression and the states it has been in
PLAIN = re.compile(rb"[^*?\[\\]*")


class Kind(Enum):
    """How a pattern is compared with an entry: by a look-up, or by RE2."""

    NAME = "the entry has this name"
    PATH = "the entry has this path"
    SUFFIX = "the entry's name ends so"
    TANGLED = "the entry's path matches this expression"


class Glob(NamedTuple):
    """One pattern line: what it matches, and whether it leaves out or takes back in.

    Most lines of most files need no expression: a name, a path, or a star and an ending. Their
    key ends in a slash if only folders are meant.
    """

    line: int
    raw: bytes
    negated: bool
    kind: Kind
    key: bytes

    @property
    def text(self) -> str:
        """The line as it was written."""
        return self.raw.decode("utf-8", "replace")

    @property
    def regex(self) -> bytes:
        """The expression that matches what this line names."""
        if self.kind is Kind.TANGLED:
            return self.key
        body = self.raw.removeprefix(b"!")
        made = expression(body.removesuffix(b"/"), only_folders=body.endswith(b"/"))
        assert made is not None  # nothing in it is open to failure
        return made

    @property
    def cost(self) -> int:
        """What asking this line costs, as a multiple of a simple expression; 0 for a look-up."""
        if self.kind is not Kind.TANGLED:
            return 0
        double = self.raw.count(b"**")
        return 1 + self.raw.count(b"*") - 2 * double + DOUBLE_STAR_COST * double


def options() -> re2.Options:
    """Bytes in, ``.`` matches newlines too, and a pattern that fails says nothing on stderr."""
    chosen = re2.Options()
    chosen.encoding = re2.Options.Encoding.LATIN1
    chosen.dot_nl = True
    chosen.log_errors = False
    chosen.max_mem = MAX_MEMORY
    return chosen


def parse_line(line: int, raw: bytes) -> Glob | None:
    """Read one line of an ignore file; None for blanks, comments and what can never match."""
    if raw.startswith(b"#") or len(raw) > MAX_LENGTH:
        return None
    pattern = trimmed(raw)
    negated = pattern.startswith(b"!")
    body = pattern[1:] if negated else pattern
    end = b"/" if body.endswith(b"/") else b""
    if end:
        body = body[:-1]
    if not body:
        return None
    if PLAIN.fullmatch(body):
        if b"/" in body:
            return Glob(line, pattern, negated, Kind.PATH, body.removeprefix(b"/") + end)
        return Glob(line, pattern, negated, Kind.NAME, body + end)
    anywhere = body.removeprefix(b"**/")
    if b"/" not in anywhere:  # a leading **/ adds nothing to a name
        if PLAIN.fullmatch(anywhere):
            return Glob(line, pattern, negated, Kind.NAME, anywhere + end)
        if anywhere[:1] == b"*" and PLAIN.fullmatch(anywhere, 1):
            return Glob(line, pattern, negated, Kind.SUFFIX, anywhere[1:] + end)
    regex = expression(body, only_folders=bool(end))
    return None if regex is None else Glob(line, pattern, negated, Kind.TANGLED, regex)


def expression(body: bytes, *, only_folders: bool) -> bytes | None:
    """The expression of a pattern over whole paths; None if no path can match it."""
    anchored = b"/" in body
    core = translate(body.removeprefix(b"/") if anchored else body)
    if core is None:
        return None
    start = "^" if anchored else "^(?:.*/)?"
    end = "/$" if only_folders else "/?$"
    return f"{start}{core}{end}".encode("latin-1")


def trimmed(raw: bytes) -> bytes:
    """A line without its carriage return and its trailing spaces, unless they are escaped."""
    text = raw.removesuffix(b"\r")
    kept = text.rstrip(b" ")
    escapes = len(kept) - len(kept.rstrip(b"\\"))
    return kept + b" " if escapes % 2 and len(kept) < len(text) else kept


def translate(pattern: bytes) -> str | None:
    """The regular expression of a pattern's body; None if no path can match it."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at : at + 1]
        if char == b"*":
            piece, at = stars(pattern, at)
        elif char == b"?":
            piece, at = "[^/]", at + 1
        elif char == b"[":
            found = bracket(pattern, at)
            if found is None:
                return None
            piece, at = found
        elif char == b"\\":
            if at + 1 == len(pattern):
                return None
            piece, at = literal(pattern[at + 1]), at + 2
        else:
            piece, at = literal(pattern[at]), at + 1
        out.append(piece)
    return "".join(out)


def stars(pattern: bytes, at: int) -> tuple[str, int]:
    """``*``, or ``**`` where it is a whole component and so may cross folders."""
    end = at
    while pattern[end : end + 1] == b"*":
        end += 1
    opens = at == 0 or pattern[at - 1] == SLASH
    if end - at >= 2 and opens:
        if end == len(pattern):
            return ".+" if at else ".*", end
        if pattern[end] == SLASH:
            return "(?:.*/)?", end + 1
    return "[^/]*", end


def bracket(pattern: bytes, at: int) -> tuple[str, int] | None:
    """A character class, which never matches a slash; None if it is never closed."""
    at += 1
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    first, previous = at, -1
    parts: list[str] = []
    while at < len(pattern) and (pattern[at : at + 1] != b"]" or at == first):
        char = pattern[at]
        if char == ord("-") and previous >= 0 and pattern[at + 1 : at + 2] not in (b"]", b""):
            at += 1
            if pattern[at] == ord("\\"):
                at += 1
                if at == len(pattern):
                    return None
            parts.append(byte_range(previous, pattern[at]))
            previous = -1
        elif pattern[at : at + 2] == b"[:":
            named = posix_class(pattern, at)
            if named is None:
                return None
            piece, at, previous = named
            parts.append(piece)
        else:
            if char == ord("\\"):
                at += 1
                if at == len(pattern):
                    return None
                char = pattern[at]
            parts.append(byte_range(char, char))
            previous = char
        at += 1
    if at >= len(pattern):
        return None
    inside = "".join(parts)
    if negated:
        return f"[^/{inside}]", at + 1
    return (f"[{inside}]", at + 1) if inside else None


def posix_class(pattern: bytes, at: int) -> tuple[str, int, int] | None:
    """``[:alpha:]`` inside a class: the piece, its last byte, and a byte a range may start at.

    Without ``:]`` the bracket is an ordinary character; a name nobody knows matches nothing.
    """
    end = pattern.find(b"]", at + 2)
    if end < 0:
        return None
    if end < at + 3 or pattern[end - 1] != ord(":"):
        return byte_range(pattern[at], pattern[at]), at, pattern[at]
    piece = POSIX_CLASSES.get(pattern[at + 2 : end - 1].decode("latin-1"))
    return None if piece is None else (piece, end, -1)


def byte_range(low: int, high: int) -> str:
    """A range inside a class with the slash cut out; nothing if it runs backwards."""
    if low <= SLASH <= high:
        return byte_range(low, SLASH - 1) + byte_range(SLASH + 1, high)
    return f"\\x{low:02x}-\\x{high:02x}" if low <= high else ""


def literal(byte: int) -> str:
    """One byte that stands for itself."""
    return re.escape(chr(byte)) if byte < 0x80 and byte else f"\\x{byte:02x}"


# RE2 knows these names too, but three of them hold the slash.
POSIX_CLASSES = {
    name: f"[:{name}:]"
    for name in ("alnum", "alpha", "blank", "cntrl", "digit", "lower", "space", "upper", "xdigit")
} | {
    "graph": byte_range(0x21, 0x7E),
    "print": byte_range(0x20, 0x7E),
    "punct": byte_range(0x21, 0x2F) + "\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
}
