"""Series: one run and mode, which is a row of every table and a color of every chart."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plait.errors import EvaluationError
from plait.evaluation.dataset import Level
from plait.evaluation.measure_names import parse_name
from plait.evaluation.measures import summary
from plait.evaluation.report.svg import Trace
from plait.evaluation.runs import Run

MAIN = ("RR", "nDCG@10", "R@10")  # what charts and breakdowns show
QUALITY = "nDCG@10"
COST = "p50_cpu_ms"
LATENCIES = ("p50_cpu_ms", "p95_cpu_ms", "p99_cpu_ms")

# A mode that is one lane has the color plait shows the lane in: ink for all of them together,
# then words, meaning, structure. Styles 4 to 7 are no lane's.
LANES = {
    **dict.fromkeys(("hybrid", "auto", "fused"), 0),
    **dict.fromkeys(("lexical", "words"), 1),
    **dict.fromkeys(("dense", "meaning"), 2),
    **dict.fromkeys(("graph", "structure"), 3),
}
OTHERS = (0, 4, 5, 6, 7, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Series:
    """The measures of one mode of one run, and how the report names and draws them."""

    run: Run
    run_label: str
    mode: str
    trace: Trace
    measures: Mapping[str, Any]

    @property
    def dataset(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.run.config.get("dataset") or {}
        return found

    @property
    def digest(self) -> str:
        """Series compare if this is the same."""
        return str(self.dataset.get("digest", ""))

    @property
    def is_target(self) -> bool:
        return self.dataset.get("level") == Level.TARGET

    def value(self, name: str) -> float | None:
        return as_number(self.measures.get(name))

    def groups(self, by: str) -> Mapping[str, Mapping[str, Any]]:
        """A breakdown: name of the group to its measures; empty if there is none."""
        found: Mapping[str, Mapping[str, Any]] = self.measures.get(f"by_{by}") or {}
        return found

    def in_group(self, by: str, group: str, name: str) -> float | None:
        return as_number(self.groups(by).get(group, {}).get(name))


def series_of(runs: Sequence[Run]) -> list[Series]:
    """Every mode of every run, in order, each with a name and a color of its own.

    A run that was stopped has no measures yet; what it has so far is measured here.

    Raises:
        EvaluationError: There is no run, or one has asked nothing yet.
    """
    if not runs:
        raise EvaluationError("there is no run to report")
    pairs: list[tuple[Run, str, str]] = []
    for run, name in zip(runs, _distinct([run.name for run in runs]), strict=True):
        modes = list(dict.fromkeys([*run.modes, *run.measures]))
        if not modes:
            raise EvaluationError(f"{run.folder} holds a run that has asked nothing yet")
        pairs += [(run, name, mode) for mode in modes]
    styles = _styles([mode for _, _, mode in pairs])
    is_one_mode = len({mode for _, _, mode in pairs}) == 1
    found = []
    for (run, name, mode), style in zip(pairs, styles, strict=True):
        label = mode if len(runs) == 1 else name if is_one_mode else f"{name} · {mode}"
        measures = run.measures.get(mode) or _measured(run, mode)
        found.append(Series(run, name, mode, Trace(label, style), measures))
    return found


def measure_names(series: Sequence[Series]) -> list[str]:
    """The measures that any of them has, in the order they were written."""
    names = dict.fromkeys(name for each in series for name in each.measures)
    return [name for name in names if _is_measure(name)]


def group_names(series: Sequence[Series], by: str) -> list[str]:
    """The groups of a breakdown that any of them has."""
    return list(dict.fromkeys(name for each in series for name in each.groups(by)))


def questions_in(series: Sequence[Series], by: str, group: str) -> int | None:
    """How many questions a group has, in the first of them that says so."""
    for each in series:
        count = each.groups(by).get(group, {}).get("questions")
        if isinstance(count, int):
            return count
    return None


def as_number(value: object) -> float | None:
    """A measure, or None where there is none."""
    return float(value) if isinstance(value, int | float) and value == value else None


def best(series: Sequence[Series], values: Sequence[float | None], digits: int) -> set[int]:
    """Where the highest stand, as far as the digits shown can tell.

    Only what answered the same questions is compared; what stands alone is not best.
    """
    places: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for at, (each, value) in enumerate(zip(series, values, strict=True)):
        if value is not None:
            places[each.digest][at] = round(value, digits)
    return {
        at
        for known in places.values()
        if len(known) > 1
        for at, value in known.items()
        if value == max(known.values())
    }


def _measured(run: Run, mode: str) -> Mapping[str, Any]:
    dataset = run.config.get("dataset") or {}
    return summary(
        run.of(mode),
        average=dataset.get("average", "question"),
        is_target=dataset.get("level") == Level.TARGET,
    )


def _is_measure(name: str) -> bool:
    try:
        parse_name(name)
    except EvaluationError:
        return False
    return True


def _distinct(names: Sequence[str]) -> list[str]:
    counts, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} ({seen[name]})" if counts[name] > 1 else name)
    return found


def _styles(modes: Sequence[str]) -> list[int]:
    """Its lane's style for the first mode of a lane, one that is no lane's for the others."""
    own: dict[int, int] = {}
    for at, mode in enumerate(modes):
        style = LANES.get(mode)
        if style is not None and style not in own.values():
            own[at] = style
    free = [style for style in OTHERS if style not in own.values()] or OTHERS
    others = itertools.cycle(free)
    return [own[at] if at in own else next(others) for at in range(len(modes))]
