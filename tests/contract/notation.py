"""A short way to write down files: their chunks as pieces of text, one after another.

``file("a.py", "one two\n", piece("def f(): pass\n", "f"))`` is a file of two chunks, the
second of which defines ``f``. Terms are the lower-cased words: of the text for ``WORDS``,
of the symbol's name for ``NAME``, two by two for ``PAIRS``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from plait.types import (
    NOTHING,
    Binding,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    Field,
    Import,
    Links,
    Ranking,
    Reference,
    SourceFile,
    Span,
    Symbol,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk in the making."""

    text: str
    name: str = ""  # of the symbol, with what contains it: "Outer.inner"
    kind: str = "function"
    part: int = 0
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    signature: str = ""  # a piece of the text
    docstring: str = ""  # a piece of the text
    n: int = 1  # of the symbol's name in the file


def piece(text: str, name: str = "", *references: Reference, kind: str = "function") -> Piece:
    """A chunk that defines a symbol and refers to others."""
    return Piece(text, name, kind, references=references)


def words(text: str) -> list[str]:
    """The terms of a text."""
    return re.findall(r"\w+", text.lower())


def file(
    path: str,
    *pieces: str | Piece,
    repo: str = "r",
    language: str = "python",
    tags: tuple[str, ...] = (),
) -> Change:
    """A file as it is committed."""
    made = [Piece(item) if isinstance(item, str) else item for item in pieces]
    content = "".join(item.text for item in made).encode()
    symbols: dict[str, Symbol] = {}
    entries = []
    begin, line = 0, 1
    for ordinal, item in enumerate(made):
        end = begin + len(item.text.encode())
        span = Span(line, line + max(item.text.rstrip("\n").count("\n"), 0))
        symbol = None
        if item.name:
            if item.part == 0:
                symbols[item.name] = _symbol(item, begin, span)
            symbol = symbols[item.name]
        chunk = Chunk(
            id=ChunkId(repo, path, ordinal),
            language=language,
            span=span,
            body=Excerpt(begin, end, item.text),
            symbol=symbol,
            part=item.part,
            tags=tags,
        )
        links = Links.of(item.references, item.imports, item.bindings)
        entries.append(Entry(chunk, _terms(chunk), links))
        begin, line = end, line + item.text.count("\n")
    digest = hashlib.sha256(content).hexdigest()
    source = SourceFile(repo, path, language, content, digest, tags)
    return Change(repo, path, source, tuple(entries))


def gone(path: str, repo: str = "r") -> Change:
    """A file that is there no longer."""
    return Change(repo, path)


def _symbol(item: Piece, begin: int, span: Span) -> Symbol:
    container, _, name = item.name.rpartition(".")

    def excerpt(text: str) -> Excerpt:
        if not text:
            return NOTHING
        at = begin + len(item.text[: item.text.index(text)].encode())
        return Excerpt(at, at + len(text.encode()), text)

    return Symbol(
        name,
        item.kind,
        span,
        container,
        excerpt(item.signature),
        excerpt(item.docstring),
        item.n,
    )


def _terms(chunk: Chunk) -> dict[Field, str]:
    row = words(chunk.text)
    name = words(chunk.symbol.name) if chunk.symbol and not chunk.part else []
    terms = {
        Field.WORDS: row,
        Field.NAME: name,
        Field.PAIRS: [f"{left}_{right}" for left, right in pairwise(row)],
    }
    return {field: " ".join(found) for field, found in terms.items() if found}


def ids(*names: str, repo: str = "r") -> list[ChunkId]:
    """``ids("a.py", "b.py#1")``: chunk ids, the first of a file unless another is named."""
    made = []
    for name in names:
        path, _, ordinal = name.partition("#")
        made.append(ChunkId(repo, path, int(ordinal or 0)))
    return made


def names(found: Ranking | Iterable[ChunkId]) -> list[str]:
    """The other way round, without repositories: ``["a.py", "b.py#1"]``, in order."""
    keys = [hit.chunk for hit in found.hits] if isinstance(found, Ranking) else found
    return [f"{key.path}#{key.ordinal}" if key.ordinal else key.path for key in keys]
