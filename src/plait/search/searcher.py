"""The searcher: one query in, one answer out, over one snapshot.

It asks the lanes, folds by file, and only then has the few hits that will be shown
explained and loaded. If the strict reading of a query finds nothing, looser readings are
tried in turn and the answer says which one it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plait.errors import IndexCorrupt, QueryError, SettingError
from plait.search.fold import fold
from plait.search.relax import relaxations, suggestions
from plait.search.snippet import snippet
from plait.types import Answer, Asked, Hit, Lane, Query, Ranking, Reason, Result, Snapshot

DEPTH_PER_RESULT = 3  # chunks looked at for each result wanted, before folding
MIN_DEPTH = 30
MAX_DEPTH = 10_000
MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class _Found:
    """What one reading of a query gave."""

    query: Query
    asked: Asked
    hits: list[Hit]
    more: Mapping[tuple[str, str], int]
    notes: tuple[str, ...]
    is_partial: bool


class Searcher:
    """Answers queries over one snapshot.

    Args:
        snapshot: What is searched. The caller closes it.
        lanes: The ways of finding, all asked.
    """

    def __init__(self, snapshot: Snapshot, lanes: Sequence[Lane]) -> None:
        if len(lanes) != 1:
            raise SettingError(f"one lane is supported so far, got {len(lanes)}")
        self._snapshot = snapshot
        self._lane = lanes[0]

    def search(self, query: Query, hints: Sequence[str] = ()) -> Answer:
        """Answer a query.

        Raises:
            QueryError: The limit is out of range, or a pattern cannot be used.
        """
        found = self._find(query)
        return Answer(
            query=query,
            generation=self._snapshot.generation,
            results=self._load(found),
            notes=found.notes,
            is_partial=found.is_partial,
            hints=(*hints, *(() if found.hits else suggestions(query.wanted))),
        )

    def rank(self, query: Query) -> Sequence[Hit]:
        """The hits of a query without loading or explaining any: what a deep list needs.

        Raises:
            QueryError: The limit is out of range, or a pattern cannot be used.
        """
        return self._find(query).hits

    def _find(self, query: Query) -> _Found:
        """Search by the strict reading of a query, then by looser ones until one finds."""
        if not 1 <= query.limit <= MAX_LIMIT:
            raise QueryError(f"limit must be 1 to {MAX_LIMIT}, got {query.limit}")
        if query.per_file < 0:
            raise QueryError(f"per_file must be at least 0, got {query.per_file}")
        found = self._read(query)
        if not found.hits:
            for looser in relaxations(query.wanted):
                attempt = self._read(replace(query, wanted=looser.wanted))
                if attempt.hits:
                    return replace(attempt, notes=(looser.note, *attempt.notes))
        return found

    def _read(self, query: Query) -> _Found:
        """Search for one reading of a query, deep enough to fill the page after folding."""
        asked = self._lane.ask(query, self._snapshot)
        depth = max(query.limit * DEPTH_PER_RESULT, MIN_DEPTH) if query.per_file else query.limit
        while True:
            ranking: Ranking = asked.ranking(depth)
            hits, seen = fold(ranking.hits, query.per_file, query.limit)
            is_all = len(ranking.hits) < depth
            if is_all or len(hits) == query.limit or depth >= MAX_DEPTH:
                return _Found(query, asked, hits, seen, ranking.notes, ranking.is_partial)
            depth = min(depth * 4, MAX_DEPTH)

    def _load(self, found: _Found) -> tuple[Result, ...]:
        """Explain and load the hits that are shown."""
        if not found.hits:
            return ()
        ids = [hit.chunk for hit in found.hits]
        reasons = found.asked.reasons(ids)
        chunks = self._snapshot.fetch(ids)
        final = Ranking.best_first(
            "answer",
            (Hit(hit.chunk, _named(self._lane.name, reasons.get(hit.chunk))) for hit in found.hits),
        )
        roots = found.asked.roots
        results = []
        for rank, hit in enumerate(final.hits, start=1):
            chunk = chunks.get(hit.chunk)
            if chunk is None:
                raise IndexCorrupt(f"{hit.chunk} was found but is not in the index")
            text, span = snippet(chunk, roots)
            in_file = found.more[hit.chunk.repo, hit.chunk.path]
            more = max(in_file - (found.query.per_file or in_file), 0)
            results.append(Result(rank, chunk, hit.reason, text, span, more))
        return tuple(results)


def _named(lane: str, reason: Reason | None) -> Reason:
    if reason is None:
        return Reason(f"{lane}: matches every condition", 0.0)
    if not reason.parts:
        return Reason(f"{lane}: matches every condition", reason.value)
    return Reason(f"{lane}: {reason.label}", reason.value, reason.parts)
