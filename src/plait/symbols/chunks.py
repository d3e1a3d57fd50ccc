"""Chunks: a file cut into the pieces that are found and shown.

A symbol is a chunk. A class keeps its header and the lines between its methods; a method
is its own chunk, however small (joining tiny ones was measured to lose). What no symbol
covers is cut into chunks too, so no line of a file is lost. A piece longer than
``MAX_BYTES`` is cut where its syntax allows: at the start of a statement, the shallower
the better. Chunks are whole lines; two symbols on one line share it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plait.symbols.rows import Rows
from plait.types import NOTHING, Chunk, ChunkId, Excerpt, SourceFile, Span, Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from plait.symbols.outline import Definition

MAX_BYTES = 2_500  # a longer piece is split; measured best of the sizes tried on agent63
MAX_SIGNATURE_BYTES = 500
MAX_DOCSTRING_BYTES = 20_000
MAX_CLOSING_BYTES = 200  # rows with more have something to find
WHOLE_KINDS = frozenset({"function", "method", "constructor", "macro", "property", "test"})
CLOSING_ONLY = re.compile(rb"[\s})\];,>]*(?:end[\s;,)]*)?")  # matched in full: nothing to find
BLANK_LINES = re.compile(rb"\n[ \t\r]*\n(?=[^\n])")


@dataclass(slots=True)
class _Piece:
    """Rows that become a chunk: from 0, both ends included. ``owner`` indexes the definitions."""

    first: int
    last: int
    owner: int  # -1: no symbol


def cut(
    file: SourceFile,
    definitions: Sequence[Definition] = (),
    root: Node | None = None,
    rows: Rows | None = None,
) -> list[Chunk]:
    """Cut a file into chunks, in file order, numbered from 0."""
    rows = rows or Rows(file.content)
    pieces = _merge_closers(_pieces(definitions, rows), rows)
    if any(rows.size(piece.first, piece.last) > MAX_BYTES for piece in pieces):
        depths = _syntax_breaks(root, rows) if root is not None else _paragraph_breaks(rows)
        pieces = [part for piece in pieces for part in _split(piece, rows, depths)]

    repo, path, language, tags = file.repo, file.path, file.language, file.tags
    content = file.content
    symbols = _symbols(definitions, content)
    parts = [0] * len(symbols)
    chunks = []
    for ordinal, piece in enumerate(pieces):
        begin, end = rows.begin(piece.first), rows.end(piece.last)
        symbol, part = None, 0
        if piece.owner >= 0:
            symbol, part = symbols[piece.owner], parts[piece.owner]
            parts[piece.owner] += 1
        chunks.append(
            Chunk(
                ChunkId(repo, path, ordinal),
                language,
                Span(piece.first + 1, piece.last + 1),
                Excerpt(begin, end, content[begin:end].decode()),
                symbol,
                part,
                tags,
            )
        )
    return chunks


def _symbols(definitions: Sequence[Definition], content: bytes) -> list[Symbol]:
    seen: Counter[str] = Counter()
    symbols = []
    for definition in definitions:
        name = definition.qualified_name
        seen[name] += 1
        symbols.append(_symbol(definition, content, seen[name]))
    return symbols


def _symbol(definition: Definition, content: bytes, n: int) -> Symbol:
    begin, end = definition.signature
    if end == definition.end:  # no body: the first line speaks for it
        newline = content.find(b"\n", begin, end)
        end = newline if newline >= 0 else end
    end = min(end, begin + MAX_SIGNATURE_BYTES)
    doc_begin, doc_end = definition.docstring
    return Symbol(
        definition.name,
        definition.kind,
        Span(definition.first_row + 1, definition.last_row + 1),
        definition.container,
        _excerpt(content, begin, end),
        _excerpt(content, doc_begin, min(doc_end, doc_begin + MAX_DOCSTRING_BYTES)),
        n,
    )


def _excerpt(content: bytes, begin: int, end: int) -> Excerpt:
    """The text between two bytes, less trailing space, never cutting a character."""
    if begin == end:
        return NOTHING
    raw = content[begin:end].rstrip()
    text = raw.decode("utf-8", "ignore")
    return Excerpt(begin, begin + len(raw if raw.isascii() else text.encode()), text)


def _pieces(definitions: Sequence[Definition], rows: Rows) -> list[_Piece]:
    """Rows of every symbol and of what lies between them, in file order."""
    children: list[list[int]] = [[] for _ in definitions]
    outermost: list[int] = []
    open_ones: list[int] = []
    for index, definition in enumerate(definitions):
        while open_ones and definitions[open_ones[-1]].end <= definition.begin:
            open_ones.pop()
        (children[open_ones[-1]] if open_ones else outermost).append(index)
        open_ones.append(index)

    pieces = [_Piece(*gap, -1) for gap in _gaps(0, rows.count - 1, outermost, definitions)]
    for index, definition in enumerate(definitions):
        first, last = definition.first_row, definition.last_row
        is_whole = definition.kind in WHOLE_KINDS and rows.size(first, last) <= MAX_BYTES
        gaps = [] if is_whole else list(_gaps(first, last, children[index], definitions))
        if not gaps or gaps[0][0] != first:  # whole, or its first child starts on its first row
            gaps.insert(0, (first, last if is_whole else first))
        pieces.extend(_Piece(*gap, index) for gap in gaps)
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


def _merge_closers(pieces: list[_Piece], rows: Rows) -> list[_Piece]:
    """Hang rows with nothing to find (blank, closing braces) onto the piece before."""
    kept: list[_Piece] = []
    furthest = _Piece(-1, -1, -1)  # the kept piece that ends last
    waiting: int | None = None  # first row of a leading piece with nothing in it
    content = rows.content
    for piece in pieces:
        begin, end = rows.begin(piece.first), rows.end(piece.last)
        is_empty = end - begin <= MAX_CLOSING_BYTES and CLOSING_ONLY.fullmatch(content, begin, end)
        if is_empty and kept:
            furthest.last = max(furthest.last, piece.last)
        elif is_empty and piece is not pieces[-1]:
            waiting = piece.first if waiting is None else waiting
        else:
            if waiting is not None:
                piece.first, waiting = waiting, None
            kept.append(piece)
            if piece.last > furthest.last:  # not one nested in it
                furthest = piece
    return kept


def _syntax_breaks(root: Node, rows: Rows) -> dict[int, int]:
    """Rows on which a statement starts, with how deep it stands: only inside long nodes."""
    depths: dict[int, int] = {}
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        after_comment = False
        for child in node.children:
            begin = child.start_byte
            row = rows.row(begin)
            if child.is_named and not after_comment and depth < depths.get(row, depth + 1):
                depths[row] = depth
            after_comment = "comment" in child.type
            if child.end_byte - begin > MAX_BYTES:
                waiting.append((child, depth + 1))
    return depths


def _paragraph_breaks(rows: Rows) -> dict[int, int]:
    """Without syntax: rows that follow a blank line."""
    begins = rows.begins
    return {
        bisect_right(begins, match.end()) - 1: 0 for match in BLANK_LINES.finditer(rows.content)
    }


def _split(piece: _Piece, rows: Rows, depths: Mapping[int, int]) -> Iterator[_Piece]:
    """Cut a long piece: each part as long as allowed, ending at the shallowest break
    of its second half, or, where there is none, at any line."""
    first = piece.first
    while rows.size(first, piece.last) > MAX_BYTES:
        begin = rows.begin(first)
        # the first row that does not fit; a single longer line stays whole
        over = max(bisect_right(rows.begins, begin + MAX_BYTES) - 1, first + 1)
        if over > piece.last:
            break
        half = max(bisect_right(rows.begins, begin + MAX_BYTES // 2), first + 1)
        breaks = [(depths[row], -row) for row in range(half, over + 1) if row in depths]
        stop = -min(breaks)[1] if breaks else over
        yield _Piece(first, stop - 1, piece.owner)
        first = stop
    yield _Piece(first, piece.last, piece.owner)
