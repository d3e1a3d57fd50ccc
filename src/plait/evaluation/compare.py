"""Comparison: what changed from one run to another, and whether it is more than luck.

Differences are taken question by question, over the questions both runs were asked: b minus
a, so what b gained is positive. The mean over questions asks about the next question of this
kind; the mean over parts counts every repository once and asks about the next repository.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plait.errors import EvaluationError
from plait.evaluation.dataset import Average, Level
from plait.evaluation.measure_names import parse_name
from plait.evaluation.measures import averaged, grouped, per_question
from plait.evaluation.runs import Outcome, Run
from plait.evaluation.statistics import SAME, Paired, holm, paired

MEASURE = "nDCG@10"


@dataclass(frozen=True, slots=True)
class Row:
    """One group of questions: its mean in both runs and what the differences come to."""

    name: str
    questions: int
    a: float
    b: float
    paired: Paired
    p_holm: float  # p corrected for the number of rows beside it


@dataclass(frozen=True, slots=True)
class Change:
    """One question in both runs."""

    question: str
    part: str
    language: str
    category: str
    text: str
    a: float
    b: float
    rank_a: int | None  # of the first right answer; None: not found
    rank_b: int | None

    @property
    def difference(self) -> float:
        return self.b - self.a


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two modes, of two runs or of one, measured on the same questions."""

    name_a: str
    name_b: str
    measure: str
    overall: Mapping[str, Row]  # by what is averaged: "questions", "parts", "languages"
    parts: Sequence[Row]
    languages: Sequence[Row]
    categories: Sequence[Row]
    changes: Sequence[Change]  # best first
    only_a: int  # questions the other was not asked
    only_b: int
    notes: tuple[str, ...] = ()

    @property
    def macro(self) -> Row:
        """The mean over parts, or over questions where there is but one part."""
        return self.overall.get("parts", self.overall["questions"])

    @property
    def wins(self) -> list[Change]:
        """Questions b answers better, most improved first."""
        return [change for change in self.changes if change.difference > SAME]

    @property
    def losses(self) -> list[Change]:
        """Questions b answers worse, the worst first."""
        return [change for change in reversed(self.changes) if change.difference < -SAME]


def compare(
    a: Run,
    b: Run,
    mode_a: str = "",
    mode_b: str = "",
    measure: str = MEASURE,
    *,
    any_dataset: bool = False,
) -> Comparison:
    """What b gained over a. A mode need not be named where a run has only one.

    Args:
        any_dataset: Compare what is common even if the runs are of different datasets.

    Raises:
        EvaluationError: The runs are of different datasets, only one is of targets, a mode is
            unknown or left open, or no question is common to both.
    """
    if not any_dataset and _about(a, "digest") != _about(b, "digest"):
        raise EvaluationError(
            f"{a.name} and {b.name} were not asked the same: {_described(a)}, {_described(b)}",
            hint="compare the questions they have in common with --any-dataset",
        )
    levels = {_about(a, "level"), _about(b, "level")}
    is_target = Level.TARGET in levels
    if is_target and len(levels) > 1:
        raise EvaluationError(
            f"{a.name} and {b.name} cannot be compared: the answers of one are targets, "
            "those of the other are not"
        )
    mode_a, mode_b = _mode(a, mode_a), _mode(b, mode_b)
    of_a, of_b = a.of(mode_a), b.of(mode_b)
    before = per_question(of_a, measure, is_target)
    after = per_question(of_b, measure, is_target)
    in_b = {outcome.question: outcome for outcome in of_b}
    common = [o for o in of_a if o.question in before and o.question in after]
    if not common:
        raise EvaluationError(f"{a.name} and {b.name} have no question in common")
    changes = [
        Change(
            question=outcome.question,
            part=outcome.part,
            language=outcome.language,
            category=outcome.category,
            text=outcome.text,
            a=before[outcome.question],
            b=after[outcome.question],
            rank_a=first_right(outcome),
            rank_b=first_right(in_b[outcome.question]),
        )
        for outcome in common
    ]
    return Comparison(
        name_a=f"{a.name} {mode_a}",
        name_b=f"{b.name} {mode_b}",
        measure=parse_name(measure).name,
        overall=_overall(common, before, after),
        parts=_rows(grouped(common, "part"), before, after),
        languages=_rows(_named(grouped(common, "language")), before, after),
        categories=_rows(_named(grouped(common, "category")), before, after),
        changes=sorted(changes, key=lambda change: (-change.difference, change.question)),
        only_a=len(before) - len(common),
        only_b=len(after) - len(common),
        notes=_notes(common, in_b),
    )


def first_right(outcome: Outcome) -> int | None:
    """The place of the first right answer, from 1; None if there is none in the ranking."""
    if outcome.ranks:
        return min(outcome.ranks.values())
    places = enumerate(outcome.ranking, start=1)
    return next((place for place, name in places if outcome.relevant.get(name, 0) > 0), None)


# ---------------------------------------------------------------- rows

Values = Mapping[str, float]  # question to value


def _overall(common: Sequence[Outcome], a: Values, b: Values) -> dict[str, Row]:
    """Every average there is, each tested over what it averages."""
    units: dict[str, tuple[list[list[Outcome]], Average]] = {
        "questions": ([[outcome] for outcome in common], "question"),
        "parts": (list(grouped(common, "part").values()), "question"),
        "languages": (list(grouped(common, "language").values()), "part"),
    }
    found = {}
    for name, (groups, average) in units.items():
        if name == "questions" or len(groups) > 1:
            before = [averaged(a, group, average) for group in groups]
            after = [averaged(b, group, average) for group in groups]
            found[name] = _row(name, len(common), before, after)
    return found


def _rows(groups: Mapping[str, Sequence[Outcome]], a: Values, b: Values) -> list[Row]:
    found = []
    for name, group in groups.items():
        before, after = ([values[o.question] for o in group] for values in (a, b))
        found.append(_row(name, len(group), before, after))
    corrected = holm([row.paired.p for row in found])
    return [replace(row, p_holm=p) for row, p in zip(found, corrected, strict=True)]


def _row(name: str, questions: int, before: Sequence[float], after: Sequence[float]) -> Row:
    tested = paired([new - old for old, new in zip(before, after, strict=True)])
    a, b = (math.fsum(values) / len(values) for values in (before, after))
    return Row(name, questions, a, b, tested, tested.p)


def _named(groups: dict[str, list[Outcome]]) -> dict[str, list[Outcome]]:
    """No groups where nothing has a name."""
    return groups if any(groups) else {}


# ---------------------------------------------------------------- what a run says of itself


def _about(run: Run, key: str) -> str:
    return str((run.config.get("dataset") or {}).get(key, ""))


def _described(run: Run) -> str:
    return f"{_about(run, 'name') or 'a dataset without a name'} ({_about(run, 'digest')[:8]})"


def _mode(run: Run, wanted: str) -> str:
    if wanted in run.modes:
        return wanted
    if not wanted and len(run.modes) == 1:
        return run.modes[0]
    said = f"has no mode {wanted!r}" if wanted else "has more than one mode; name one"
    raise EvaluationError(f"{run.name} {said}", hint=f"its modes: {', '.join(run.modes) or 'none'}")


def _notes(common: Sequence[Outcome], in_b: Mapping[str, Outcome]) -> tuple[str, ...]:
    anew = sum(1 for o in common if dict(o.relevant) != dict(in_b[o.question].relevant))
    if not anew:
        return ()
    return (f"{anew} of {len(common)} questions have other right answers in the two runs",)
