"""Paths: what stands before a name, and what a name is bound to, in one spelling.

Every language writes ``a.b().c`` in its own way, over several lines and with arguments in
between. What leads to a definition are the names and whether each was called; the rest is left
out. Code repeats itself, so what was made out once is remembered.
"""

from __future__ import annotations

import re

KNOWN = 1 << 15  # of each kind
MAX_BYTES = 300  # longer ones are tables, and chains whose beginning says little
UNKNOWN = "?"  # no path of names, calls and indices
DOTTED = re.compile(rb"[\w.]+")
SPACE = re.compile(rb"\s+")
IN_BRACKETS = re.compile(rb"(?<=[\[({<])\s+|,?\s+(?=[\])}>])")  # white space at their edges
TYPE_ARGUMENTS = re.compile(rb"(?<=[\w.])(?:::)?<[^<>()=]*>")
UNARY = re.compile(rb"(?:(?:await|new|try|yield)\s+)+")  # what may stand before a path
PIECES = re.compile(
    rb"(?P<quoted>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)"
    rb"|(?P<space>(?:\\?\s)+)|(?P<open>[(\[{])|(?P<close>[)\]}])"
    rb"|(?P<dot>\?->|\?\.|!!\.|::|->|\\|(?<=\w):(?=\w))|(?P<nothing>!(?=[.)\[]|$)|\?(?=\.|$))"
    rb"|(?P<name>[\w.$@#&*]+|.)",
    re.DOTALL,
)
IS_PATH = re.compile(r"[\w.$@#&*\"()\[\]{}]+")
INSTEAD = {"quoted": b'""', "dot": b".", "nothing": b"", "space": b" "}
LOOSE = re.compile(rb" ?([^\w ]) ?")  # white space that separates no words


class Paths(dict[bytes, str]):
    """Expressions as paths: every separator is a dot, arguments are left out
    (``a.b(c)->d[e]`` is ``a.b().d[]``); ``?`` if it is no path."""

    def __missing__(self, raw: bytes) -> str:
        if len(self) >= KNOWN:
            self.clear()
        self[raw] = path = path_of(raw)
        return path


def path_of(raw: bytes) -> str:
    """An expression as a path."""
    if DOTTED.fullmatch(raw):  # nine of ten
        return raw.decode().strip(".") or UNKNOWN
    raw = UNARY.sub(b"", raw, 1) if UNARY.match(raw) else raw
    while b"<" in raw:
        raw, count = TYPE_ARGUMENTS.subn(b"", raw)
        if not count:
            break
    parts: list[bytes] = []
    depth = 0
    for piece in PIECES.finditer(raw):
        kind = piece.lastgroup or ""
        depth -= kind == "close"
        if depth == 0:
            parts.append(INSTEAD.get(kind, piece[0]))
        depth += kind == "open"
    path = LOOSE.sub(rb"\1", b"".join(parts)).decode("utf-8", "replace").strip(". ")
    return path if depth == 0 and IS_PATH.fullmatch(path) else UNKNOWN


class Names(dict[bytes, str]):
    """Names that are bound, without white space: ``client,err``."""

    def __missing__(self, raw: bytes) -> str:
        if len(self) >= KNOWN:
            self.clear()
        self[raw] = name = SPACE.sub(b"", raw).decode("utf-8", "replace")
        return name


class Types(dict[bytes, str]):
    """Types as written, on one line."""

    def __missing__(self, raw: bytes) -> str:
        if len(self) >= KNOWN:
            self.clear()
        text = SPACE.sub(b" ", IN_BRACKETS.sub(b"", raw)).strip()
        self[raw] = said = text.decode("utf-8", "replace")
        return said
