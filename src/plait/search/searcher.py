"""The searcher: one query in, one answer out, over one snapshot.

A query is planned, put to its lanes, fused, ranked by file, and only then are the few hits that
will be shown explained and loaded. If the strict reading of a query finds nothing, looser
readings are tried in turn and the answer says which one it is. A question that is to be expanded
is searched a second time, with words of the first results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from plait.errors import IndexCorrupt, QueryError
from plait.ranking.ranker import FileRanker, Ranked
from plait.search.accounts import accounts
from plait.search.expansion import FEEDBACK, Expansion
from plait.search.fold import fold
from plait.search.gather import SPARED, Gathered, Gathering
from plait.search.plan import UNHEARD, Plan, Planner
from plait.search.relax import relaxations, suggestions
from plait.search.snippet import snippet
from plait.search.stopwatch import Stopwatch
from plait.types import (
    Answer,
    ChunkId,
    Hit,
    Lane,
    Query,
    Ranking,
    Reason,
    Result,
    Snapshot,
    Timings,
)
from plait.types.notes import CUT, LANE, SILENT, UNRANKED, Note

MAX_DEPTH = 10_000
MAX_LIMIT = 1_000
FEWER = "time was up before all chunks that match were looked at; there may be more files"
AS_FUSED = "files are in the order of their best chunks, what else speaks for them is not known"


@dataclass(frozen=True, slots=True)
class _Found:
    """What one reading of a query gave."""

    query: Query
    plan: Plan  # settled by what was found
    gathered: Mapping[str, Gathered]  # by lane, each asked for ``depth`` chunks
    depth: int
    ranking: Ranking  # all of them in one
    hits: list[Hit]  # folded
    more: Mapping[tuple[str, str], int]
    notes: tuple[Note, ...]
    ranked: Ranked | None = None  # if results are files
    expanded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Question:
    """A question under way: its plan, who is asked, and how long it has taken."""

    plan: Plan
    gathering: Gathering
    watch: Stopwatch


class Place(NamedTuple):
    """Where a chunk stands, and how it earns it."""

    rank: int
    reason: Reason
    is_found: bool  # itself, not only another chunk of its file
    shown: ChunkId | None = None  # files are ranked: the chunk that speaks for this one


class Searcher:
    """Answers queries over one snapshot.

    Args:
        snapshot: What is searched. The caller closes it.
        lanes: The ways of finding that are at hand.
        planner: What plans questions; by default all lanes count the same and have all the time.
        expansion: What widens the questions that are to be expanded.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        lanes: Sequence[Lane],
        planner: Planner | None = None,
        expansion: Expansion | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._lanes = {lane.name: lane for lane in lanes}
        self._planner = planner or Planner(tuple(self._lanes))
        self._expansion = expansion
        self._ranker = FileRanker(snapshot)

    def search(self, query: Query, hints: Sequence[Note] = ()) -> Answer:
        """Answer a query.

        Raises:
            QueryError: The limit is out of range, or a pattern cannot be used.
            PlaitError: No lane gave an answer.
        """
        question = self._begin(query)
        found = self._find(query, question)
        with question.watch.stage("load"):
            results = self._load(found)
        absent = (*found.plan.absent, *question.gathering.absent)
        return Answer(
            query=query,
            generation=self._snapshot.generation,
            results=results,
            plan=found.plan.lanes,
            shape=found.plan.shape.name,
            about=found.plan.about,
            absent=absent,
            notes=found.notes,
            expanded=found.expanded,
            is_partial=found.ranking.is_partial,
            hints=(
                *hints,
                *(Note(LANE, one.hint) for one in question.gathering.absent if one.hint),
                *(() if found.hits else suggestions(query.wanted)),
            ),
            timings=Timings(
                question.watch.total, question.watch.stages, question.gathering.timings
            ),
        )

    def rank(self, query: Query) -> Sequence[Hit]:
        """The hits of a query without loading or explaining any: what a deep list needs.

        Raises:
            QueryError: The limit is out of range, or a pattern cannot be used.
        """
        return self._find(query, self._begin(query)).hits

    def ranked(self, query: Query) -> Ranked | None:
        """Every file that was found, in order, with what speaks for it; None if a result is not
        a file's."""
        return self._find(query, self._begin(query)).ranked

    def explain(self, query: Query, chunk: ChunkId) -> Place | None:
        """The place of one chunk, or of its file, among those a query finds; None if it is not
        among the first ``MAX_LIMIT``."""
        deep = replace(query, limit=MAX_LIMIT)
        found = self._find(deep, self._begin(deep))
        ranked = found.ranked
        hits = ranked.ranking.hits if ranked else found.ranking.hits
        for rank, hit in enumerate(hits[:MAX_LIMIT], start=1):
            if hit.chunk == chunk or (ranked and hit.chunk[:2] == chunk[:2]):
                reasons = accounts(found.gathered, found.plan.fusion, [chunk], ranked)
                is_found = ranked is None or ranked.has(chunk)
                return Place(rank, reasons[chunk], is_found, hit.chunk if ranked else None)
        return None

    def _begin(self, query: Query) -> _Question:
        """Plan a question; its time runs from now."""
        if not 1 <= query.limit <= MAX_LIMIT:
            raise QueryError(f"limit must be 1 to {MAX_LIMIT}, got {query.limit}")
        if query.per_file < 0:
            raise QueryError(f"per_file must be at least 0, got {query.per_file}")
        watch = Stopwatch()
        with watch.stage("plan"):
            plan = self._planner.plan(query)
        asked = {lane.name: self._lanes[lane.name] for lane in plan.lanes}
        return _Question(plan, Gathering(asked, self._snapshot, plan.within_s), watch)

    def _find(self, query: Query, question: _Question) -> _Found:
        """Search by the strict reading of a query, then by looser ones until one finds."""
        found = self._read(query, question)
        if found.hits:
            return self._expanded(found, question)
        for looser in relaxations(query.wanted):
            try:
                attempt = self._read(replace(query, wanted=looser.wanted), question)
            except SPARED:  # the lanes that are left have nothing to say to it
                break
            if attempt.hits:
                return replace(attempt, notes=(looser.note, *attempt.notes))
        return found

    def _read(self, query: Query, question: _Question) -> _Found:
        """Search for one reading of a query."""
        depth = question.plan.depth
        with question.watch.stage("gather"):
            asked = question.gathering.ask(query, depth)
            silent = {name for name in UNHEARD & asked.keys() if not asked[name].ranking.hits}
            gathered = {name: one for name, one in asked.items() if name not in silent} or asked
        return self._deepen(query, gathered, depth, question)

    def _deepen(
        self, query: Query, gathered: Mapping[str, Gathered], depth: int, question: _Question
    ) -> _Found:
        """Fuse and fold; search deeper until what is left fills the page, and rank that by file."""
        while True:
            rankings = {name: one.ranking for name, one in gathered.items()}
            with question.watch.stage("fuse"):
                several = list(rankings.values())
                plan = question.plan.settled(several)
                ranking = several[0] if len(several) == 1 else plan.fusion.fuse(several)
                hits, seen = fold(ranking.hits, query.per_file, query.limit)
            is_all = all(len(one.hits) < depth for one in several)
            if is_all or len(hits) == query.limit or depth >= MAX_DEPTH:
                notes = (*ranking.notes, *_silent(rankings))
                found = _Found(query, plan, gathered, depth, ranking, hits, seen, notes)
                return self._by_file(found, question)
            depth = min(depth * 4, MAX_DEPTH)
            with question.watch.stage("gather"):
                deeper = question.gathering.deepen(gathered, depth)
            if deeper is None:  # what was found before stands
                notes = (*ranking.notes, *_silent(rankings), Note(CUT, FEWER))
                partial = ranking._replace(is_partial=True)
                found = _Found(query, plan, gathered, depth, partial, hits, seen, notes)
                return self._by_file(found, question)
            gathered = deeper

    def _by_file(self, found: _Found, question: _Question) -> _Found:
        """The same in the order of its files, if results are files; as fused, with a note, if the
        store does not tell of them in time."""
        query, plan = found.query, found.plan
        if not plan.ranks_files:
            return found
        rankings = [one.ranking for one in found.gathered.values()]
        until = question.gathering.allowed()
        with question.watch.stage("rank"):
            try:
                ranked = self._ranker.rank(query, rankings, found.ranking, plan.reading, until)
            except SPARED as error:
                note = Note(UNRANKED, f"{AS_FUSED}: {error}")
                return replace(found, notes=(*found.notes, note))
        return replace(found, ranked=ranked, hits=ranked.page(query.per_file, query.limit))

    def _expanded(self, found: _Found, question: _Question) -> _Found:
        """Search again with words of the first results, if the query is to be expanded.

        Only the lane of words reads them; what the others found stands.
        """
        expansion, query = self._expansion, found.query
        if expansion is None or not expansion.fits(query):
            return found
        if expansion.lane.name not in found.gathered:
            return found
        lane = self._lanes[expansion.lane.name]
        best, _ = fold(found.ranking.hits, query.per_file, FEEDBACK)
        with question.watch.stage("expand"):
            try:
                wider = expansion.expand(query, [hit.chunk for hit in best], self._snapshot)
                if wider is None:
                    return found
                again = question.gathering.ask_one(lane, wider.query, found.depth)
            except SPARED:  # what was found without it stands
                return found
        gathered = {**found.gathered, lane.name: again}
        wide = self._deepen(query, gathered, found.depth, question)
        return replace(wide, notes=(*wide.notes, wider.note), expanded=wider.words)

    def _load(self, found: _Found) -> tuple[Result, ...]:
        """Explain and load the hits that are shown."""
        if not found.hits:
            return ()
        ids = [hit.chunk for hit in found.hits]
        reasons = accounts(found.gathered, found.plan.fusion, ids, found.ranked)
        chunks = self._snapshot.fetch(ids)
        final = Ranking.best_first("answer", (Hit(key, reasons[key]) for key in ids))
        roots = [root for one in found.gathered.values() for root in one.asked.roots]
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


def _silent(rankings: Mapping[str, Ranking]) -> Iterator[Note]:
    """Which lanes found nothing while others did."""
    spoke = [name for name, one in rankings.items() if one.hits]
    for name in rankings if spoke else ():
        if name not in spoke:
            others = " and ".join(spoke)
            yield Note(SILENT, f"the {name} lane found nothing; ranked by the {others} lane alone")
