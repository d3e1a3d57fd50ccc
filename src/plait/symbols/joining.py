"""Joining: rows that say too little to be read alone belong to a neighbour.

Rows between definitions with fewer than ``FEW`` lines of code go to the definition that follows
if they introduce it (a comment, a label, an opening line, no blank line in between), else to the
one before. The head of a file stays if it says something, a licence or imports: it would bury the
first definition. A header, which is what a class has before its first member, is a definition and
stays; if it has fewer than ``FEW`` lines of code of its own it reaches over its first members,
which are chunks of their own all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plait.symbols.pieces import MAX_BYTES, ROOM_BYTES, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plait.symbols.lines import Lines
    from plait.symbols.outline import Definition

FEW = 3  # lines of code; fewer, without a definition, do not stand alone
MAX_SLIGHT_BYTES = 1_000  # rows with more have something to find
MAX_OPENING_BYTES = 150  # of rows that open a file: more are a licence or say what it is for
MAX_TITLE_BYTES = 240  # of a section that has only a heading before its first subsection
REACH_BYTES = 500  # of members that a header reaches over
REACH_LINES = 3  # of code that are reached at least, in up to twice as many bytes
LONGEST = MAX_BYTES + ROOM_BYTES
OPENING = re.compile(
    rb"(?:[{(\[:=]|\b(?:do|where|then|of|in|begin|private|protected|public|internal))\s*$"
)


def joined(pieces: list[Piece], definitions: Sequence[Definition], lines: Lines) -> list[Piece]:
    """Pieces that can be read alone, in file order."""
    kept = _Joining(pieces, lines).kept()
    _reach(kept, definitions, lines)
    return kept


class _Joining:
    """Hangs slight pieces onto their neighbours, from the first to the last."""

    def __init__(self, pieces: list[Piece], lines: Lines) -> None:
        self._pieces = pieces
        self._lines = lines
        self._rows = lines.rows
        self._before = Piece(-1, -1)  # the kept piece that ends last

    def kept(self) -> list[Piece]:
        kept: list[Piece] = []
        waiting = -1  # first row of what belongs to the next piece
        for at, piece in enumerate(self._pieces):
            if waiting >= 0:
                piece.first, waiting = waiting, -1
            if not piece.is_head:
                if kept and self._gives_all(piece):
                    continue
                follower = self._follower(at)
                if self._is_slight(piece, is_opening=not kept):
                    if follower is not None and self._belongs_to(piece, follower):
                        waiting = piece.first
                        continue
                    if kept and self._fits(self._before.first, piece.last, self._before):
                        self._before.last = max(self._before.last, piece.last)
                        continue
            kept.append(piece)
            if piece.last > self._before.last:  # not one nested in it
                self._before = piece
        return kept

    def _gives_all(self, piece: Piece) -> bool:
        """Give blank rows and what closes something to the piece before; whether none are left."""
        before, lines = self._before, self._lines
        while piece.first <= piece.last and lines.is_closing(piece.first, piece.first):
            piece.first += 1
        before.last = max(before.last, piece.first - 1)
        return before.last >= piece.last

    def _follower(self, at: int) -> Piece | None:
        """The definition right behind a piece, in the same class or as far outside."""
        piece = self._pieces[at]
        following = self._pieces[at + 1] if at + 1 < len(self._pieces) else None
        if following is None or not following.is_head or following.around != piece.around:
            return None
        return following if following.first == piece.last + 1 else None

    def _is_slight(self, piece: Piece, *, is_opening: bool) -> bool:
        first, last = piece.first, piece.last
        if self._rows.size(first, last) > MAX_SLIGHT_BYTES:
            return False
        if is_opening and self._rows.size(first, last) > MAX_OPENING_BYTES:
            return False
        return self._lines.code(first, last, FEW) < FEW

    def _belongs_to(self, piece: Piece, follower: Piece) -> bool:
        """Whether slight rows introduce what follows rather than end what stands before."""
        if not self._fits(piece.first, follower.last, follower):
            return False
        if self._before.last < 0 or not self._fits(self._before.first, piece.last, self._before):
            return True
        lines, rows = self._lines, self._rows
        said = [row for row in range(piece.first, piece.last + 1) if not lines.is_blank(row)]
        if not said or all(not lines.is_code(row) for row in said):
            return True
        if OPENING.search(rows.content, rows.begin(said[-1]), rows.end(said[-1])):
            return True
        is_apart_before = lines.is_blank(piece.first - 1)
        is_apart_behind = said[-1] < piece.last
        if is_apart_before != is_apart_behind:
            return is_apart_before
        return piece.around >= 0

    def _fits(self, first: int, last: int, neighbour: Piece) -> bool:
        """Whether a neighbour may take rows in: it stays short enough, or is split anyway."""
        rows = self._rows
        return (
            rows.size(first, last) <= LONGEST
            or rows.size(neighbour.first, neighbour.last) > LONGEST
        )


def _reach(pieces: list[Piece], definitions: Sequence[Definition], lines: Lines) -> None:
    """Have every thin header reach over its first members."""
    for at, piece in enumerate(pieces):
        if not piece.is_head:
            continue
        definition = definitions[piece.owner]
        if piece.last < definition.last_row and _is_thin(piece, definition, lines):
            piece.last = _reached(pieces, at, definition.last_row, lines)


def _is_thin(piece: Piece, definition: Definition, lines: Lines) -> bool:
    """Whether a header has little besides its comment or docstring."""
    if definition.kind == "section" and lines.rows.size(piece.first, piece.last) > MAX_TITLE_BYTES:
        return False  # a paragraph is often one line
    begin, end = definition.signature
    first = lines.rows.row(max(begin, end - 1)) + 1  # the signature is one line, however written
    return lines.code(first, piece.last, FEW - 1, definition.docstring) < FEW - 1


def _reached(pieces: Sequence[Piece], at: int, end: int, lines: Lines) -> int:
    """The last row that the header at a place reaches to, within its definition's rows."""
    rows, piece = lines.rows, pieces[at]
    room = REACH_BYTES
    size = rows.size(piece.first, piece.last)
    if size <= LONGEST:
        room = min(room, LONGEST - size)
    last = piece.last
    for member in pieces[at + 1 :]:
        if member.first > end:
            break
        if last < member.last <= end:
            if rows.size(piece.last + 1, member.last) > room:
                break
            last = member.last
    return _opened(piece.last + 1, last, end, 2 * room, lines)


def _opened(first: int, last: int, end: int, room: int, lines: Lines) -> int:
    """The last row of the rows from ``first`` on that hold some lines of code and end with a
    statement; it lies between ``last`` and ``end``. A long comment is better than nothing."""
    read = last
    found = lines.code(first, last, REACH_LINES)
    indents = [lines.indent(row) for row in range(first, last + 1) if lines.is_code(row)]
    for row in range(last + 1, end + 1):
        if lines.rows.size(first, row) > room:
            break
        is_code = lines.is_code(row)
        if found >= REACH_LINES and is_code and lines.indent(row) <= max(indents[:2]):
            break
        read = row
        if is_code or lines.is_closing(row, row):  # a comment comes with what follows it
            last = row
        found += is_code
        indents += [lines.indent(row)] if is_code else []
    return last if found else read
