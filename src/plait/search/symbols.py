"""Symbols: the outline of a file, and symbols by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from plait.types import And, Chunk, Defines, Expression, Field, Or, Scope, Snapshot, Tag, Term

DEPTH = 2_000  # chunks looked at before they are ordered by how well the name fits


class NameWords(Protocol):
    """The lane that looks for words: how it cuts a name."""

    def terms_in(self, text: str) -> Sequence[str]:
        """The distinct terms under which a text is found, in order."""
        ...

    def parts_in(self, text: str) -> Sequence[str]:
        """The lower-cased words that names are made of, in order."""
        ...


def outline(snapshot: Snapshot, repo: str, path: str) -> tuple[Chunk, ...]:
    """The chunks of a file that define a symbol, in order; each symbol once."""
    ids = snapshot.outline(repo, path)
    chunks = snapshot.fetch(ids)
    return _defining(chunks[key] for key in ids)


def symbols_named(
    snapshot: Snapshot, words: NameWords, text: str, scope: Scope
) -> tuple[Chunk, ...]:
    """The chunks of symbols whose names hold the words of a text, the closest first.

    Without a text, all symbols there are in scope, up to ``DEPTH``.
    """
    if not text:
        return symbols_that(snapshot, Tag("is", "symbol"), scope)
    terms = words.terms_in(text)
    in_name = And(tuple(Term(term, Field.NAME) for term in terms)) if terms else Or(())
    wanted = And((Tag("is", "symbol"), Or((Defines(text), in_name))))
    found = symbols_that(snapshot, wanted, scope)
    own = [chunk for chunk in found if _own_name_holds(chunk, text, terms, words)]
    size = len(words.parts_in(text))

    def distance(chunk: Chunk) -> tuple[bool, bool, int]:
        assert chunk.symbol is not None
        name, full = chunk.symbol.name, chunk.symbol.qualified_name
        is_same = text in (name, full)
        is_near = text.lower() in (name.lower(), full.lower())
        return (not is_same, not is_near, abs(len(words.parts_in(name)) - size))

    return tuple(sorted(own or found, key=distance))


def symbols_that(snapshot: Snapshot, wanted: Expression, scope: Scope) -> tuple[Chunk, ...]:
    """The chunks that define a symbol and satisfy an expression, best first."""
    hits = snapshot.match(wanted, scope, DEPTH).hits
    chunks = snapshot.fetch([hit.chunk for hit in hits])
    return _defining(chunks[hit.chunk] for hit in hits)


def _defining(chunks: Iterable[Chunk]) -> tuple[Chunk, ...]:
    return tuple(chunk for chunk in chunks if chunk.symbol and not chunk.part)


def _own_name_holds(chunk: Chunk, text: str, terms: Sequence[str], words: NameWords) -> bool:
    """Whether the words are in the symbol's own name, not only in that of its container."""
    assert chunk.symbol is not None
    own = set(words.terms_in(chunk.symbol.name))
    return own.issuperset(terms) or text.lower() == chunk.symbol.qualified_name.lower()
