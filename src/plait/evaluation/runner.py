"""The runner: index each part, ask every question in every mode, write down what came back.

Indexes are kept beside each other in a cache folder and are only brought up to date when
the same dataset is run again. A run that was stopped goes on at the first question that
has no outcome yet.
"""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from plait.assembly import Opened, dense_lane, lexical_lane, open_source
from plait.errors import EvaluationError
from plait.evaluation.asking import Asking
from plait.evaluation.dataset import Dataset, Level, Part
from plait.evaluation.leakage import Leakage
from plait.evaluation.measures import summary
from plait.evaluation.provenance import provenance
from plait.evaluation.runs import CONFIG, FORMAT, MEASURES, OUTCOMES, Outcome, Run, read_outcomes
from plait.search.plan import LEXICAL, MODES
from plait.settings import Settings


class Progress(NamedTuple):
    """How far a run has come."""

    part: str
    stage: str  # "indexing", "asking"
    done: int  # questions, of all modes
    of: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do."""

    dataset: Dataset
    modes: Sequence[str]
    settings: Settings
    folder: Path  # of the run
    indexes: Path  # where indexes are kept
    names: Sequence[str] = ()  # measures; by default those of the level


def run(plan: Plan, watch: Callable[[Progress], None] = lambda _: None) -> Run:
    """Carry out a plan, or what is left of it.

    Raises:
        EvaluationError: The folder holds another run, or no mode is known.
        SettingError: A mode is unknown.
    """
    plan = replace(plan, settings=_fitting(plan.dataset, plan.settings))
    plan.folder.mkdir(parents=True, exist_ok=True)
    before = _before(plan)
    outcomes = list(read_outcomes(plan.folder))
    if before.get("finished"):
        return _finished(plan, before, outcomes)
    config = _begin(plan, before)
    done = {(outcome.mode, outcome.question) for outcome in outcomes}
    total = len(plan.modes) * sum(len(part.questions) for part in plan.dataset.parts)
    leakage = Leakage(plan.dataset.level, is_stripped=not plan.settings.comments)
    _cut_to(plan.folder / OUTCOMES, outcomes)
    with (plan.folder / OUTCOMES).open("a", encoding="utf-8", newline="\n") as log:
        for part in plan.dataset.parts:
            watch(Progress(part.name, "indexing", len(outcomes), total))
            with _indexed(plan, part) as indexed:
                config["parts"].append(indexed.facts)
                leakage.add(part, indexed.snapshot)
                for outcome in _ask(plan, part, indexed, done):
                    log.write(f"{outcome.to_json()}\n")
                    outcomes.append(outcome)
                    watch(Progress(part.name, "asking", len(outcomes), total))
            log.flush()
    config["overlap"] = leakage.shares()
    config["finished"] = datetime.now(UTC).isoformat(timespec="seconds")
    _write(plan.folder / CONFIG, config)
    return _finished(plan, config, outcomes)


def measured(
    dataset: Dataset, outcomes: Sequence[Outcome], names: Sequence[str] = ()
) -> dict[str, Any]:
    """What outcomes come to: mode to measures."""
    is_target = dataset.level is Level.TARGET
    result = {}
    for mode in dict.fromkeys(outcome.mode for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.mode == mode]
        result[mode] = summary(own, names or None, average=dataset.average, is_target=is_target)
        result[mode] |= result[mode].get("by_split", {})
    return result


# ---------------------------------------------------------------- one part


class _Indexed(NamedTuple):
    engine: Opened
    snapshot: Any
    facts: dict[str, Any]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.snapshot.close()
        close = getattr(self.engine.writer.source, "close", None)
        if close is not None:
            close()


def _indexed(plan: Plan, part: Part) -> _Indexed:
    engine = open_source(part.source, plan.indexes / part.store, plan.settings)
    before = _cpu_seconds()
    with closing(engine.reader.store):
        report = engine.writer.refresh()
        if any(mode != LEXICAL for mode in plan.modes):
            engine.writer.embed()
    snapshot = engine.reader.snapshot()
    counted = snapshot.statistics()
    facts = {
        "name": part.name,
        "language": part.language,
        "split": part.split,
        "questions": len(part.questions),
        "files": counted.files,
        "chunks": counted.chunks,
        "indexed_files": report.added + report.changed,
        "as_text": len(report.as_text),  # files that were not parsed; they keep their comments
        "index_cpu_s": round(_cpu_seconds() - before, 3),
    }
    return _Indexed(engine, snapshot, facts)


def _ask(
    plan: Plan, part: Part, indexed: _Indexed, done: set[tuple[str, str]]
) -> Iterator[Outcome]:
    for mode in plan.modes:
        left = [question for question in part.questions if (mode, question.id) not in done]
        if left:
            searcher = indexed.engine.reader.searcher(indexed.snapshot, mode)
            per_file = plan.settings.per_file
            asking = Asking(mode, part, plan.dataset.level, searcher, indexed.snapshot, per_file)
            yield from asking.outcomes(left)


def _cpu_seconds() -> float:
    """Of this process and of the workers that have ended."""
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


# ---------------------------------------------------------------- the folder


def _fitting(dataset: Dataset, settings: Settings) -> Settings:
    """A document's path is its id, which says nothing; it is not to be found by it."""
    return replace(settings, weight_path=0) if dataset.level is Level.DOCUMENT else settings


def _before(plan: Plan) -> dict[str, Any]:
    """What the folder says of a run begun there, which must be this one; nothing if it is new."""
    path = plan.folder / CONFIG
    if not path.is_file():
        if (plan.folder / OUTCOMES).exists():
            raise EvaluationError(f"{plan.folder} has outcomes but no {CONFIG}")
        return {}
    try:
        before: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
    wanted = _asked(plan)
    differing = [key for key in wanted if before.get(key) != wanted[key]]
    if differing:
        raise EvaluationError(
            f"{plan.folder} holds a run with another {' and '.join(differing)}",
            hint="name another folder with --out",
        )
    return before


def _begin(plan: Plan, before: dict[str, Any]) -> dict[str, Any]:
    config = {**_asked(plan), **provenance(), "parts": []}
    if before:
        config["started"] = before["started"]
    _write(plan.folder / CONFIG, config)
    return config


def _asked(plan: Plan) -> dict[str, Any]:
    """What a run must have in common with this one to go on in its folder."""
    dataset = plan.dataset
    return {
        "format": FORMAT,
        "dataset": {
            "name": dataset.name,
            "digest": dataset.digest,
            "level": dataset.level.value,
            "average": dataset.average,
            "notes": list(dataset.notes),
        },
        "modes": list(plan.modes),
        "settings": asdict(plan.settings) | {"exclude": list(plan.settings.exclude)},
    }


def _finished(plan: Plan, config: dict[str, Any], outcomes: Sequence[Outcome]) -> Run:
    measures = measured(plan.dataset, outcomes, plan.names)
    _write(plan.folder / MEASURES, measures)
    return Run(plan.folder, config, tuple(outcomes), measures)


def _cut_to(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Cut off the line that a stop left unfinished."""
    if path.is_file():
        whole = sum(len(outcome.to_json().encode()) + 1 for outcome in outcomes)
        if path.stat().st_size != whole:
            with path.open("r+b") as file:
                file.truncate(whole)


def _write(path: Path, value: object) -> None:
    scratch = path.with_suffix(".part")
    scratch.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)


def known_modes(wanted: Sequence[str], settings: Settings) -> tuple[list[str], list[str]]:
    """Split modes into those that can run here and those that lack a model.

    Raises:
        EvaluationError: There is no such mode, or none can run.
    """
    unknown = [mode for mode in wanted if mode not in MODES]
    if unknown:
        raise EvaluationError(f"there is no mode {unknown[0]!r}", hint=f"modes: {', '.join(MODES)}")
    has_model = dense_lane(settings, lexical_lane(settings)) is not None
    now = [mode for mode in dict.fromkeys(wanted) if mode == LEXICAL or has_model]
    if not now:
        raise EvaluationError(f"{', '.join(wanted)}: there is no model to search by meaning with")
    return now, [mode for mode in dict.fromkeys(wanted) if mode not in now]
