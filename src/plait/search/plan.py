"""Plan: which lanes a question is put to, with which weights, how deep, for how long, and why.

A plan follows from what is typed and what the settings say, before anything is searched. One
thing only the lanes can show: whether the words alone decide. ``Plan.settled`` is the plan once
they have answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from plait.errors import ModelError, SettingError
from plait.expressions import wanted_leaves
from plait.messages.wording import may_be_said
from plait.ranking.ranker import USUAL, Reading
from plait.search.expansion import FEEDBACK
from plait.search.fusion import Fusion
from plait.search.relax import free_text
from plait.search.shape import MESSAGE, PATH, WORDS, Shape, Weighing, kinds_of, shape_of, table
from plait.search.shape.paths import typed_parts
from plait.search.weighing import words_decide
from plait.types import Absent, Phrase, PlannedLane, Query, Ranking, Term, Text

LEXICAL, DENSE, LINES, HYBRID = table.LEXICAL, table.DENSE, table.LINES, "hybrid"
MODES: Mapping[str, tuple[str, ...]] = {  # the lanes of each mode
    LEXICAL: (LEXICAL, LINES),
    DENSE: (DENSE,),
    HYBRID: (LEXICAL, DENSE, LINES),
}
UNHEARD = frozenset({LINES})  # a lane that finds nothing for most questions, and then is not fused
DEPTH_PER_RESULT = 3  # chunks looked at for each result wanted, before folding
MIN_DEPTH = 30
WHY = {
    LEXICAL: "the words themselves",
    DENSE: "code that says it in other words",
    LINES: "the line that wrote it",
}
DECIDED = {LEXICAL: "the words decide", DENSE: "meaning counts less, the words decide"}
STAND_OUT = "the best match by words stands out, and the best by meaning score alike"
CONDITIONS = "conditions alone, with no words to compare by meaning"


def lanes_of(mode: str) -> tuple[str, ...]:
    """The lanes that a mode asks.

    Raises:
        SettingError: There is no such mode.
    """
    if mode not in MODES:
        raise SettingError(f"there is no mode {mode!r}", hint=f"modes: {', '.join(MODES)}")
    return MODES[mode]


@dataclass(frozen=True, slots=True)
class Plan:
    """How one question is answered."""

    lanes: tuple[PlannedLane, ...]
    fusion: Fusion
    by_words: Fusion | None = None  # instead, if the lanes show that the words decide
    absent: tuple[Absent, ...] = ()
    depth: int = MIN_DEPTH
    within_s: float = inf
    shape: Shape = WORDS
    ranks_files: bool = False  # results are files, ordered by what speaks for each
    reading: Reading = USUAL  # for the ranking of files

    @property
    def about(self) -> frozenset[str]:
        """Tags of the kinds of file that are asked for."""
        return self.reading.about

    def settled(self, rankings: Sequence[Ranking]) -> Plan:
        """The plan with the weights that suit what the lanes found."""
        if self.by_words is None or not words_decide(rankings):
            return self
        return _weighed(replace(self, fusion=self.by_words, by_words=None), STAND_OUT, DECIDED)


@dataclass(frozen=True, slots=True)
class Planner:
    """What makes plans for the questions to one index.

    Args:
        lanes: The lanes that are wanted.
        fusion: How rankings become one, and what each lane counts.
        by_words: The same where the words decide; None if they never do.
        within_s: How long a search may take.
        unavailable: Lanes that cannot be asked.
        file_ranking: Whether results that are files are ranked as files.
        scales: What a lane counts there, if not as much as usual.
    """

    lanes: tuple[str, ...]
    fusion: Fusion = field(default_factory=Fusion)
    by_words: Fusion | None = None
    within_s: float = inf
    unavailable: tuple[Absent, ...] = ()
    file_ranking: bool = False
    scales: Mapping[str, float] = field(default_factory=dict)

    def plan(self, query: Query) -> Plan:
        """The plan for one question.

        Raises:
            ModelError: No lane that is wanted can be asked.
            SettingError: No lane is wanted.
        """
        absent = tuple(one for one in self.unavailable if one.lane in self.lanes)
        missing = {one.lane for one in absent}
        shape, has_words = shape_of(query), _has_words(query)
        ranks_files = self.file_ranking and has_words and query.per_file > 0
        names = [name for name in self.lanes if name not in missing]
        names = [name for name in names if shape.asks(name)] or names
        may_be_message = shape is MESSAGE or (ranks_files and may_be_said(query.text))
        if LINES in names and not may_be_message:
            names.remove(LINES)
        if len(names) > 1 and LEXICAL in names and not has_words:
            names = [LEXICAL]
        if not names:
            if not absent:
                raise SettingError("a search needs at least one lane")
            raise ModelError(absent[0].words, hint=absent[0].hint)
        is_deep = len(names) > 1 or ranks_files
        depth = max(_depth(query), shape.depth if is_deep else 0)
        within_s = self.within_s * shape.time
        lanes = tuple(PlannedLane(name, 1.0, depth, within_s, "") for name in names)
        typed = typed_parts(free_text(query.wanted)) if shape is PATH else ()
        reading = Reading(kinds_of(query, shape), typed, self.scales)
        fusions = (self.fusion, self.by_words)
        plan = Plan(lanes, *fusions, absent, depth, within_s, shape, ranks_files, reading)
        if len(names) == 1:
            why = "the only lane" if has_words else CONDITIONS
            return _weighed(replace(plan, by_words=None), why)
        if shape.weighing is Weighing.BY_WORDS and self.by_words is not None:
            plan = replace(plan, fusion=self.by_words, by_words=None)
            return _weighed(plan, shape.words, DECIDED)
        return _weighed(plan, shape.words, WHY)


def _has_words(query: Query) -> bool:
    """Whether anything is wanted that has a meaning, not only conditions."""
    return any(isinstance(leaf, Text | Phrase | Term) for leaf in wanted_leaves(query.wanted))


def _depth(query: Query) -> int:
    """How many chunks a lane is asked for at first."""
    depth = max(query.limit * DEPTH_PER_RESULT, MIN_DEPTH) if query.per_file else query.limit
    return max(depth, FEEDBACK)  # so that what is added does not hang on the limit


def _weighed(plan: Plan, why: str, by_lane: Mapping[str, str] | None = None) -> Plan:
    """The plan with the weights of its fusion on each lane, and why they are so."""
    lanes = []
    for lane in plan.lanes:
        own = (by_lane or {}).get(lane.name, "")
        told = f"{why}: {own}" if own else why
        lanes.append(lane._replace(weight=plan.fusion.weights.get(lane.name, 1.0), why=told))
    return replace(plan, lanes=tuple(lanes))
