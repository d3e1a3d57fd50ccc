"""Pieces: the rows of every symbol, and of what lies between symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from plait.symbols.outline import Definition
    from plait.symbols.rows import Rows

MAX_BYTES = 2_500  # a part of what is split; measured best of the sizes tried on agent63
ROOM_BYTES = 250  # that a piece may have above it rather than being split
WHOLE_KINDS = frozenset({"function", "method", "constructor", "macro", "property", "test"})


@dataclass(slots=True)
class Piece:
    """Rows that become a chunk: from 0, both ends included. ``owner`` indexes the definitions."""

    first: int
    last: int
    owner: int = -1  # no symbol
    around: int = -1  # the definition it lies in; for rows between members, their owner
    is_head: bool = False  # it begins where its symbol does


def pieces_of(definitions: Sequence[Definition], rows: Rows) -> list[Piece]:
    """Rows of every symbol and of what lies between them, in file order."""
    children: list[list[int]] = [[] for _ in definitions]
    around = [-1] * len(definitions)
    outermost: list[int] = []
    open_ones: list[int] = []
    for index, definition in enumerate(definitions):
        while open_ones and definitions[open_ones[-1]].end <= definition.begin:
            open_ones.pop()
        if open_ones:
            around[index] = open_ones[-1]
        (children[open_ones[-1]] if open_ones else outermost).append(index)
        open_ones.append(index)

    pieces = [Piece(*gap) for gap in _gaps(0, rows.count - 1, outermost, definitions)]
    for index, definition in enumerate(definitions):
        first, last = definition.first_row, definition.last_row
        is_whole = definition.kind in WHOLE_KINDS and rows.size(first, last) <= MAX_BYTES
        gaps = [] if is_whole else list(_gaps(first, last, children[index], definitions))
        if not gaps or gaps[0][0] != first:  # whole, or its first child starts on its first row
            gaps.insert(0, (first, last if is_whole else first))
        pieces.append(Piece(*gaps[0], index, around[index], is_head=True))
        pieces.extend(Piece(*gap, index, index) for gap in gaps[1:])
    # A symbol comes before the children that start on its first row.
    pieces.sort(key=lambda piece: (piece.first, piece.owner))
    return pieces


def _gaps(
    first: int, last: int, inner: Sequence[int], definitions: Sequence[Definition]
) -> Iterator[tuple[int, int]]:
    """Rows between ``first`` and ``last`` that none of the inner definitions cover."""
    row = first
    for index in inner:
        definition = definitions[index]
        if definition.first_row > row:
            yield row, definition.first_row - 1
        row = max(row, definition.last_row + 1)
    if row <= last:
        yield row, last
