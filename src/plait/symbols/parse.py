"""Parse: a file into chunks, by the best means its language has.

A grammar gives symbols, a section rule gives sections, anything else is cut into
windows of lines. To be called in a worker process: grammars are written in C and crash.
"""

from __future__ import annotations

from typing import NamedTuple

from plait.symbols.chunks import cut
from plait.symbols.grammars import GRAMMARS
from plait.symbols.linking import links_of
from plait.symbols.outline import outline
from plait.symbols.sections import sections
from plait.types import NO_LINKS, Chunk, ChunkId, Excerpt, Links, SourceFile, Span, Symbol


class ParsedFile(NamedTuple):
    """The chunks of a file, the links of each, and whether its syntax was sound."""

    chunks: list[Chunk]
    links: list[Links]
    has_errors: bool


def parse(file: SourceFile) -> ParsedFile:
    """Cut a file into chunks with its symbols and links."""
    if file.title is not None:
        return whole(file, file.title)
    if file.language in GRAMMARS:
        found = outline(file.language, file.content)
        chunks = cut(
            file,
            found.definitions,
            found.root,
            found.rows,
            found.comments,
            found.attributes,
        )
        return ParsedFile(chunks, links_of(chunks, found.mentioned), found.has_errors)
    return _unlinked(cut(file, sections(file.language, file.content)), has_errors=False)


def _unlinked(chunks: list[Chunk], *, has_errors: bool) -> ParsedFile:
    return ParsedFile(chunks, [NO_LINKS] * len(chunks), has_errors)


def whole(file: SourceFile, title: str) -> ParsedFile:
    """A document as one chunk, the definition of its title."""
    text = file.content.decode()
    span = Span(1, max(file.content.rstrip(b"\n").count(b"\n") + 1, 1))
    symbol = Symbol(title, "document", span) if title else None
    chunk = Chunk(
        id=ChunkId(file.repo, file.path, 0),
        language=file.language,
        span=span,
        body=Excerpt(0, len(file.content), text),
        symbol=symbol,
        tags=file.tags,
    )
    return _unlinked([chunk], has_errors=False)


def windows(file: SourceFile) -> ParsedFile:
    """Cut a file into windows of lines: what is left when its parser cannot be used."""
    return _unlinked(cut(file), has_errors=True)
