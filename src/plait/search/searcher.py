"""The searcher: one query in, one answer out, over one snapshot.

It asks the lanes, folds by file, and only then has the few hits that will be shown
explained and loaded. If the strict reading of a query finds nothing, looser readings are
tried in turn and the answer says which one it is. A question that is to be expanded is
searched a second time, with words of the first results.

A lane that fails is named in the answer with the reason, and the others answer without it. It
is not asked a second time for the same question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from plait.errors import (
    IndexCorrupt,
    ModelError,
    PlaitError,
    QueryError,
    SettingError,
    StoreBusy,
    StoreDegraded,
    StoreUnreachable,
)
from plait.search.expansion import FEEDBACK, Expansion
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
# What one lane may fail by while the others answer. An index that is damaged, or a question that
# cannot be understood, concerns them all.
SPARED = (ModelError, StoreBusy, StoreDegraded, StoreUnreachable)
Failures = dict[str, PlaitError]  # by lane, of one question
Given = TypeVar("Given", Asked, Ranking)


@dataclass(frozen=True, slots=True)
class _Found:
    """What one reading of a query gave."""

    query: Query
    asked: Mapping[str, Asked]  # by lane
    rankings: Mapping[str, Ranking]  # by lane, each asked for ``depth`` chunks
    depth: int
    ranking: Ranking  # all of them in one
    hits: list[Hit]  # folded
    more: Mapping[tuple[str, str], int]
    notes: tuple[str, ...]
    failures: Failures
    expanded: tuple[str, ...] = ()


class Searcher:
    """Answers queries over one snapshot.

    Args:
        snapshot: What is searched. The caller closes it.
        lanes: The ways of finding, all asked.
        fusion: How several rankings become one, by what is asked and what was found.
        absent: Lanes that were wanted and cannot be asked.
        expansion: What widens the questions that are to be expanded.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        lanes: Sequence[Lane],
        fusion: Callable[[Query, Sequence[Ranking]], Fusion] = lambda _query, _rankings: Fusion(),
        absent: tuple[str, ...] = (),
        expansion: Expansion | None = None,
    ) -> None:
        if not lanes:
            raise SettingError("a search needs at least one lane")
        self._snapshot = snapshot
        self._lanes = lanes
        self._fusion = fusion
        self._absent = absent
        self._expansion = expansion

    def search(self, query: Query, hints: Sequence[str] = ()) -> Answer:
        """Answer a query.

        Raises:
            QueryError: The limit is out of range, or a pattern cannot be used.
            PlaitError: No lane gave an answer.
        """
        found = self._find(query)
        return Answer(
            query=query,
            generation=self._snapshot.generation,
            results=self._load(found),
            lanes=tuple(lane.name for lane in self._lanes),
            absent=(*self._absent, *found.failures),
            notes=(*found.notes, *_failed(found.failures)),
            expanded=found.expanded,
            is_partial=found.ranking.is_partial,
            hints=(
                *hints,
                *(failure.hint for failure in found.failures.values() if failure.hint),
                *(() if found.hits else suggestions(query.wanted)),
            ),
        )

    def rank(self, query: Query) -> Sequence[Hit]:
        """The hits of a query without loading or explaining any: what a deep list needs.

        Raises:
            QueryError: The limit is out of range, or a pattern cannot be used.
        """
        return self._find(query).hits

    def explain(self, query: Query, chunk: ChunkId) -> tuple[int, Reason] | None:
        """The place of one chunk among those a query finds and how it earns it; None if it is
        not among the first ``MAX_LIMIT``."""
        found = self._find(replace(query, limit=MAX_LIMIT, per_file=0))
        for rank, hit in enumerate(found.hits, start=1):
            if hit.chunk == chunk:
                return rank, self._accounts(found, [chunk])[chunk]
        return None

    def _find(self, query: Query) -> _Found:
        """Search by the strict reading of a query, then by looser ones until one finds."""
        if not 1 <= query.limit <= MAX_LIMIT:
            raise QueryError(f"limit must be 1 to {MAX_LIMIT}, got {query.limit}")
        if query.per_file < 0:
            raise QueryError(f"per_file must be at least 0, got {query.per_file}")
        failures: Failures = {}
        found = self._read(query, failures)
        if found.hits:
            return self._expanded(found)
        for looser in relaxations(query.wanted):
            attempt = self._read(replace(query, wanted=looser.wanted), failures)
            if attempt.hits:
                return replace(attempt, notes=(looser.note, *attempt.notes))
        return found

    def _read(self, query: Query, failures: Failures) -> _Found:
        """Search for one reading of a query."""
        depth = max(query.limit * DEPTH_PER_RESULT, MIN_DEPTH) if query.per_file else query.limit
        depth = max(depth, FEEDBACK)  # so that what is added does not hang on the limit
        if len(self._lanes) > 1:
            depth = max(depth, FUSED_DEPTH)
        asked = {}
        for lane in self._lanes:
            one = self._spared(lane.name, failures, partial(lane.ask, query, self._snapshot))
            if one is not None:
                asked[lane.name] = one
        return self._deepen(query, asked, {}, depth, failures)

    def _deepen(
        self,
        query: Query,
        asked: Mapping[str, Asked],
        known: Mapping[str, Ranking],
        depth: int,
        failures: Failures,
    ) -> _Found:
        """Search deep enough to fill the page after folding; some rankings may be known."""
        while True:
            rankings = {}
            for name, one in asked.items():
                ranked = known.get(name) or self._spared(
                    name, failures, partial(one.ranking, depth)
                )
                if ranked is not None:
                    rankings[name] = ranked
            asked = {name: asked[name] for name in rankings}
            several = list(rankings.values())
            ranking = (
                several[0] if len(several) == 1 else self._fusion(query, several).fuse(several)
            )
            hits, seen = fold(ranking.hits, query.per_file, query.limit)
            is_all = all(len(one.hits) < depth for one in several)
            if is_all or len(hits) == query.limit or depth >= MAX_DEPTH:
                notes = (*ranking.notes, *_silent(rankings))
                return _Found(query, asked, rankings, depth, ranking, hits, seen, notes, failures)
            depth, known = min(depth * 4, MAX_DEPTH), {}

    def _spared(self, lane: str, failures: Failures, ask: Callable[[], Given]) -> Given | None:
        """What a lane gives; None if it fails or has failed, unless it is the last."""
        if lane in failures:
            return None
        try:
            return ask()
        except SPARED as error:
            failures[lane] = error
            if len(failures) == len(self._lanes):
                raise next(iter(failures.values())) from None
            return None

    def _expanded(self, found: _Found) -> _Found:
        """Search again with words of the first results, if the query is to be expanded.

        Only the lane of words reads them; what the others found stands.
        """
        expansion, query = self._expansion, found.query
        if expansion is None or not expansion.fits(query):
            return found
        lane = next((lane for lane in self._lanes if lane.name == expansion.lane.name), None)
        if lane is None or lane.name in found.failures:
            return found
        best, _ = fold(found.ranking.hits, query.per_file, FEEDBACK)
        wider = expansion.expand(query, [hit.chunk for hit in best], self._snapshot)
        if wider is None:
            return found
        asked = {**found.asked, lane.name: lane.ask(wider.query, self._snapshot)}
        known = {name: one for name, one in found.rankings.items() if name != lane.name}
        again = self._deepen(query, asked, known, found.depth, found.failures)
        return replace(again, notes=(*again.notes, wider.note), expanded=wider.words)

    def _load(self, found: _Found) -> tuple[Result, ...]:
        """Explain and load the hits that are shown."""
        if not found.hits:
            return ()
        ids = [hit.chunk for hit in found.hits]
        accounts = self._accounts(found, ids)
        chunks = self._snapshot.fetch(ids)
        final = Ranking.best_first("answer", (Hit(key, accounts[key]) for key in ids))
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

    def _accounts(self, found: _Found, ids: Sequence[ChunkId]) -> dict[ChunkId, Reason]:
        """Why each chunk scores as it does, down to what each lane can tell."""
        by_lane = {name: asked.reasons(ids) for name, asked in found.asked.items()}
        if len(by_lane) == 1:
            ((lane, reasons),) = by_lane.items()
            return {key: _named(lane, reasons.get(key)) for key in ids}
        several = list(found.rankings.values())
        fused = self._fusion(found.query, several).accounts(several, ids)
        return {key: _nested(reason, key, by_lane) for key, reason in fused.items()}


def _nested(
    reason: Reason, key: ChunkId, by_lane: Mapping[str, Mapping[ChunkId, Reason]]
) -> Reason:
    """A fused score with each lane's own account below its contribution."""
    parts = []
    for part in reason.parts:
        inner = by_lane.get(part.name, {}).get(key)
        parts.append(part._replace(parts=(inner,)) if inner is not None else part)
    return reason._replace(parts=tuple(parts))


def _failed(failures: Failures) -> Iterator[str]:
    """Why lanes are absent."""
    for name, error in failures.items():
        yield f"the {name} lane gave no answer: {error}"


def _silent(rankings: Mapping[str, Ranking]) -> Iterator[str]:
    """Which lanes found nothing while others did."""
    spoke = [name for name, one in rankings.items() if one.hits]
    for name in rankings if spoke else ():
        if name not in spoke:
            yield f"the {name} lane found nothing; ranked by the {' and '.join(spoke)} lane alone"


def _named(lane: str, reason: Reason | None) -> Reason:
    if reason is None or not reason.parts:
        value = 0.0 if reason is None else reason.value
        return Reason(lane, value, words=f"{lane}: matches every condition")
    return Reason(lane, reason.value, reason.parts, f"{lane}: {reason.text}")
