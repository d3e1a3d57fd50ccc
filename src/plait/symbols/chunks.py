"""Chunks: a file cut into the pieces that are found and shown.

A symbol is a chunk. A class keeps its header and the lines between its methods; a method
is its own chunk, however small (joining tiny ones was measured to lose). What no symbol
covers is cut into chunks too, so no line of a file is lost. Rows that say too little to stand
alone belong to a neighbour, a header reaches over its first members (``joining.py``), and what is
too long is cut where its syntax allows (``splitting.py``): see decision 22. Chunks are whole
lines; two symbols on one line share it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from plait.symbols.joining import joined
from plait.symbols.lines import Lines
from plait.symbols.pieces import pieces_of
from plait.symbols.rows import Rows
from plait.symbols.splitting import split
from plait.types import NOTHING, Chunk, ChunkId, Excerpt, SourceFile, Span, Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from plait.symbols.outline import Definition

MAX_SIGNATURE_BYTES = 500
MAX_DOCSTRING_BYTES = 20_000


def cut(
    file: SourceFile,
    definitions: Sequence[Definition] = (),
    root: Node | None = None,
    rows: Rows | None = None,
    comments: Sequence[tuple[int, int]] = (),
    attributes: Sequence[tuple[int, int]] = (),
) -> list[Chunk]:
    """Cut a file into chunks, in file order, numbered from 0.

    Args:
        file: What is cut.
        definitions: Its symbols, outermost first in file order.
        root: Its syntax tree, where it has one.
        rows: Its lines, if they have been found before.
        comments: First byte and end of every comment, rising.
        attributes: The same of attributes and decorators.
    """
    rows = rows or Rows(file.content)
    lines = Lines(rows, comments, attributes)
    pieces = joined(pieces_of(definitions, rows), definitions, lines)
    pieces = split(pieces, lines, root)

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
