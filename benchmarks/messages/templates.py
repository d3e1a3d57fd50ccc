"""Templates: what a string expression in code says, and where values are filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

STRINGS = frozenset(
    "string template_string interpreted_string_literal raw_string_literal string_literal"
    " encapsed_string".split()
)
JOINED = frozenset({"concatenated_string", "chained_string"})
HOLES = frozenset({"interpolation", "template_substitution"})
SUMS = frozenset({"binary_expression", "binary_operator", "binary"})
WRAPPED = frozenset({"parenthesized_expression", "argument"})
PREFIX = re.compile(rb"[rbfuRBFU]{0,2}#*(?=[\"'`])")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "\n": ""}
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
PERCENT = r"%(?:\((\w+)\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:ll|[hlLqjzt])?([sdifgxXpqvrcuTwUot%])"
BRACES = r"(\{\{|\}\}|\{(?:[\w.\[\]]*(?:![rsa])?(?::[^{}]*)?)\})"
MARK = re.compile(f"{PERCENT}|{BRACES}")


class Hole(NamedTuple):
    """Where a value is filled in."""

    kind: str  # number, hex, quoted or any


class Template(NamedTuple):
    """What a program says: text and holes in turn."""

    pieces: tuple[str | Hole, ...]
    raws: tuple[str, ...]  # the text of each literal, as it stands in the code
    first: int  # line, from 1
    last: int

    @property
    def fixed(self) -> tuple[str, ...]:
        """The text between the holes."""
        return tuple(piece for piece in self.pieces if isinstance(piece, str))


def template(node: Node) -> Template | None:
    """The template that an expression is; None if it is no string."""
    pieces: list[str | Hole] = []
    raws: list[str] = []
    for part in _flat(node):
        if part.type not in STRINGS:
            pieces.append(Hole("any"))
            continue
        raw, own = _literal(part)
        pieces += own
        raws.append(raw)
    if not raws or len(raws) == len(pieces) == 0:
        return None
    merged = tuple(_merged(pieces))
    return Template(merged, tuple(raws), node.start_point.row + 1, node.end_point.row + 1)


def _flat(node: Node) -> Iterator[Node]:
    """The parts of a sum or of literals in a row, in order."""
    if node.type in WRAPPED and node.named_child_count == 1:
        yield from _flat(node.named_children[0])
    elif node.type in JOINED:
        for child in node.named_children:
            yield from _flat(child)
    elif node.type in SUMS and node.child_count == 3 and node.children[1].type in ("+", "."):
        yield from _flat(node.children[0])
        yield from _flat(node.children[2])
    elif node.type in SUMS and node.child_count == 3 and node.children[1].type == "%":
        yield from _flat(node.children[0])
    elif node.type == "call" and (inner := _formatted(node)) is not None:
        yield from _flat(inner)
    else:
        yield node


def _formatted(node: Node) -> Node | None:
    """The string of ``"...".format(...)``."""
    function = node.child_by_field_name("function")
    if function is None or function.type != "attribute":
        return None
    name, owner = function.child_by_field_name("attribute"), function.child_by_field_name("object")
    return owner if name is not None and name.text == b"format" else None


def _literal(node: Node) -> tuple[str, list[str | Hole]]:
    text = node.text or b""
    holes = [child for child in node.named_children if child.type in HOLES]
    opening = PREFIX.match(text)
    start = len(opening[0]) if opening is not None else 0
    quote = 3 if text[start : start + 3] in (b'"""', b"'''") else 1
    begin, end = start + quote, len(text) - quote - text.count(b"#", 0, start)
    pieces: list[str | Hole] = []
    at = begin
    for hole in holes:
        begins = hole.start_byte - node.start_byte
        pieces += _marked(text[at:begins])
        pieces.append(Hole("any"))
        at = hole.end_byte - node.start_byte
    pieces += _marked(text[at:end])
    return text[begin:end].decode("utf-8", "replace"), pieces


def _marked(text: bytes) -> Iterator[str | Hole]:
    """Text with its placeholders as holes, escapes undone."""
    plain = text.decode("utf-8", "replace")
    at = 0
    for found in MARK.finditer(plain):
        yield _unescaped(plain[at : found.start()])
        at = found.end()
        if found[0] in ("%%", "{{", "}}"):
            yield found[0][0]
        elif found[2]:
            yield Hole(_kind(found[2]))
        else:
            yield Hole("quoted" if "!r" in found[0] or "?" in found[0] else "any")
    yield _unescaped(plain[at:])


def _kind(letter: str) -> str:
    return (
        "number"
        if letter in "difguo"
        else "hex"
        if letter in "xXp"
        else "quoted"
        if letter in "qr"
        else "any"
    )


def _unescaped(text: str) -> str:
    return ESCAPE.sub(lambda found: ESCAPES.get(found[1], found[1]), text)


def _merged(pieces: list[str | Hole]) -> Iterator[str | Hole]:
    """Neighbouring texts in one, neighbouring holes in one, none empty."""
    text = ""
    last: str | Hole = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            continue
        if text:
            yield text
            last, text = text, ""
        if not isinstance(last, Hole):
            yield piece
            last = piece
    if text:
        yield text
