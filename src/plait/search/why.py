"""Why a chunk ranks where it does for a query, or what keeps it from being found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from plait.expressions import clauses
from plait.search.relax import render
from plait.search.searcher import Searcher
from plait.types import Asked, Chunk, Expression, Query, Reason, Scope, Snapshot, Term

NO_MATCH = Reason("no match", 0.0, words="does not match")


class Analysed(Asked, Protocol):
    """A query as a lane understood it."""

    @property
    def wanted(self) -> Expression: ...


class WordLane(Protocol):
    """The lane that looks for words."""

    def ask(self, query: Query, snapshot: Snapshot) -> Analysed: ...


@dataclass(frozen=True, slots=True)
class Explained:
    """What a query makes of one chunk."""

    chunk: Chunk
    matches: bool
    rank: int | None  # of its file, or among chunks; None if not among the first ``MAX_LIMIT``
    reason: Reason
    missing: tuple[str, ...]  # words and conditions of the query that the chunk does not have
    shown: Chunk | None = None  # files are ranked: the chunk that speaks for this one


def explained(
    snapshot: Snapshot, searcher: Searcher, words: WordLane, query: Query, chunk: Chunk
) -> Explained:
    """How a chunk earns its place for a query, and what of the query it does not have.

    Args:
        snapshot: What is searched.
        searcher: What answers queries over this snapshot.
        words: The lane that looks for words: by these a chunk matches or not.
        query: What was asked.
        chunk: A chunk of the snapshot.
    """
    asked = words.ask(query, snapshot)
    place = searcher.explain(query, chunk.id)
    missing = tuple(dict.fromkeys(_missing(snapshot, asked.wanted, chunk)))
    shown = snapshot.fetch([place.shown])[place.shown] if place and place.shown else None
    rank = place.rank if place else None
    if place is not None and place.is_found:
        return Explained(chunk, True, rank, place.reason, missing, shown)
    matches = holds(snapshot, asked.wanted, chunk)
    reason = asked.reasons([chunk.id])[chunk.id] if matches else NO_MATCH
    return Explained(chunk, matches, rank, reason, missing, shown)


def holds(snapshot: Snapshot, wanted: Expression, chunk: Chunk) -> bool:
    """Whether a chunk satisfies an expression, conditions included."""
    count = len(snapshot.outline(chunk.repo, chunk.path))
    scope = Scope(repos=frozenset({chunk.repo}), file=chunk.path)
    found = snapshot.match(wanted, scope, count)
    return any(hit.chunk == chunk.id for hit in found.hits)


def _missing(snapshot: Snapshot, wanted: Expression, chunk: Chunk) -> Iterator[str]:
    """The words and conditions of a query that a chunk does not have.

    What counts less was not typed like that, or only wrapped around what was: nobody misses it.
    """
    for clause in clauses(wanted):
        is_lesser = isinstance(clause, Term) and clause.weight < 1
        if not is_lesser and not holds(snapshot, clause, chunk):
            yield render(clause)
