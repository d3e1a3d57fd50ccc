"""Splitting: a piece that is too long becomes several, cut where a person would.

Best is the start of a statement, the shallower the better; without syntax, what follows a blank
line. Where there is neither, the least indented line is, if no comment stands above it. No part is
a mere tail: what is left for the last one has some lines of code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from plait.symbols.joining import FEW, LONGEST
from plait.symbols.pieces import MAX_BYTES, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from plait.symbols.lines import Lines
    from plait.symbols.rows import Rows

BLANK_LINES = re.compile(rb"\n[ \t\r]*\n(?=[^\n])")
WORST = 1_000_000  # more than any indentation


def split(pieces: list[Piece], lines: Lines, root: Node | None) -> list[Piece]:
    """The pieces, each long one in parts."""
    rows = lines.rows
    if all(rows.size(piece.first, piece.last) <= LONGEST for piece in pieces):
        return pieces
    depths = _syntax_breaks(root, rows) if root is not None else _paragraph_breaks(rows)
    for row in lines.spoken_of():
        depths.pop(row, None)
    return [part for piece in pieces for part in _parts(piece, lines, depths)]


def _syntax_breaks(root: Node, rows: Rows) -> dict[int, int]:
    """Rows on which a statement starts, with how deep it stands: only inside long nodes."""
    depths: dict[int, int] = {}
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        for child in node.children:
            begin = child.start_byte
            row = rows.row(begin)
            if child.is_named and depth < depths.get(row, depth + 1):
                depths[row] = depth
            if child.end_byte - begin > MAX_BYTES:
                waiting.append((child, depth + 1))
    return depths


def _paragraph_breaks(rows: Rows) -> dict[int, int]:
    """Without syntax: rows that follow a blank line."""
    begins = rows.begins
    return {
        bisect_right(begins, match.end()) - 1: 0 for match in BLANK_LINES.finditer(rows.content)
    }


def _parts(piece: Piece, lines: Lines, depths: Mapping[int, int]) -> Iterator[Piece]:
    """Cut a long piece: each part as long as allowed, ending at the best break of its second
    half."""
    rows = lines.rows
    first, is_head = piece.first, piece.is_head
    while rows.size(first, piece.last) > LONGEST:
        begin = rows.begin(first)
        # the first row that does not fit; a single longer line stays whole
        over = max(bisect_right(rows.begins, begin + MAX_BYTES) - 1, first + 1)
        if over > piece.last:
            break
        half = max(bisect_right(rows.begins, begin + MAX_BYTES // 2), first + 1)
        stop = _stop(half, over, piece.last, lines, depths)
        yield Piece(first, stop - 1, piece.owner, piece.around, is_head)
        first, is_head = stop, False
    yield Piece(first, piece.last, piece.owner, piece.around, is_head)


def _stop(half: int, over: int, last: int, lines: Lines, depths: Mapping[int, int]) -> int:
    """The best row to begin the next part with."""
    offered = sorted((depths[row], -row) for row in range(half, over + 1) if row in depths)
    for _, row in offered:
        if not _is_tail(-row, last, lines):
            return -row
    plain = sorted((_badness(row, lines), -row) for row in range(half, over + 1))
    return next((-row for _, row in plain if not _is_tail(-row, last, lines)), over)


def _is_tail(first: int, last: int, lines: Lines) -> bool:
    """Whether the rest would be too little to be read alone."""
    return last - first < 2 * FEW and lines.code(first, last, FEW) < FEW


def _badness(row: int, lines: Lines) -> int:
    """How bad it is to begin a part with a row that syntax does not offer: its indentation, and
    some more within a paragraph; worst where it closes something or a comment speaks of it."""
    if lines.is_closing(row, row) or not lines.has_word(row):
        return WORST
    if lines.is_comment(row - 1) and not lines.is_comment(row):
        return WORST
    return 2 * lines.indent(row) + lines.has_word(row - 1)
