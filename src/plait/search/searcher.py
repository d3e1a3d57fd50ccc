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
from plait.search.fusion import Fusion
from plait.search.relax import relaxations, suggestions
from plait.search.snippet import snippet
from plait.types import (
    Answer,
    Asked,
    ChunkId,
    Hit,
    Lane,
    Query,
    Ranking,
    Reason,
    Result,
    Snapshot,
)

DEPTH_PER_RESULT = 3  # chunks looked at for each result wanted, before folding
MIN_DEPTH = 30
FUSED_DEPTH = 100  # of each lane, where several are fused
MAX_DEPTH = 10_000
MAX_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class _Found:
    """What one reading of a query gave."""

    query: Query
    asked: Mapping[str, Asked]  # by lane
    hits: list[Hit]
    more: Mapping[tuple[str, str], int]
    notes: tuple[str, ...]
    is_partial: bool


class Searcher:
    """Answers queries over one snapshot.

    Args:
        snapshot: What is searched. The caller closes it.
        lanes: The ways of finding, all asked.
        fusion: How the rankings of several lanes become one.
    """

    def __init__(
        self, snapshot: Snapshot, lanes: Sequence[Lane], fusion: Fusion | None = None
    ) -> None:
        if not lanes:
            raise SettingError("a search needs at least one lane")
        self._snapshot = snapshot
        self._lanes = lanes
        self._fusion = fusion or Fusion()

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
        asked = {lane.name: lane.ask(query, self._snapshot) for lane in self._lanes}
        depth = max(query.limit * DEPTH_PER_RESULT, MIN_DEPTH) if query.per_file else query.limit
        if len(asked) > 1:
            depth = max(depth, FUSED_DEPTH)
        while True:
            rankings = [one.ranking(depth) for one in asked.values()]
            ranking = rankings[0] if len(rankings) == 1 else self._fusion.fuse(rankings)
            hits, seen = fold(ranking.hits, query.per_file, query.limit)
            is_all = all(len(one.hits) < depth for one in rankings)
            if is_all or len(hits) == query.limit or depth >= MAX_DEPTH:
                return _Found(query, asked, hits, seen, ranking.notes, ranking.is_partial)
            depth = min(depth * 4, MAX_DEPTH)

    def _load(self, found: _Found) -> tuple[Result, ...]:
        """Explain and load the hits that are shown."""
        if not found.hits:
            return ()
        ids = [hit.chunk for hit in found.hits]
        by_lane = {name: asked.reasons(ids) for name, asked in found.asked.items()}
        chunks = self._snapshot.fetch(ids)
        final = Ranking.best_first(
            "answer", (Hit(hit.chunk, _account(hit, by_lane)) for hit in found.hits)
        )
        roots = [root for asked in found.asked.values() for root in asked.roots]
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


def _account(hit: Hit, by_lane: Mapping[str, Mapping[ChunkId, Reason]]) -> Reason:
    """Why a hit scores as it does, down to what each lane can tell."""
    if len(by_lane) == 1:
        ((lane, reasons),) = by_lane.items()
        return _named(lane, reasons.get(hit.chunk))
    parts = []
    for part in hit.reason.parts:
        lane = part.label.partition(":")[0]
        inner = by_lane[lane].get(hit.chunk) if lane in by_lane else None
        parts.append(part._replace(parts=(inner,)) if inner is not None else part)
    return hit.reason._replace(parts=tuple(parts))


def _named(lane: str, reason: Reason | None) -> Reason:
    if reason is None:
        return Reason(f"{lane}: matches every condition", 0.0)
    if not reason.parts:
        return Reason(f"{lane}: matches every condition", reason.value)
    return Reason(f"{lane}: {reason.label}", reason.value, reason.parts)
