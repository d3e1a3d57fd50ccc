"""Runs: a folder that says what was asked, of what, how, and what came back.

    run.json         configuration, dataset and its digest, commit, machine, versions
    outcomes.jsonl   one line per mode and question: the ranking, its reasons, its cost
    measures.json    what they come to; written when the run is complete

``outcomes.jsonl`` is only appended to, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from plait.errors import EvaluationError

FORMAT = 1
CONFIG, OUTCOMES, MEASURES = "run.json", "outcomes.jsonl", "measures.json"


class Shown(NamedTuple):
    """One of the first results, as a user would see it."""

    answer: str  # the answer's name at the dataset's level
    place: str  # path:first-last
    score: float
    reasons: tuple[str, ...]  # lines of the account of the score


class Outcome(NamedTuple):
    """What one mode answered to one question."""

    mode: str
    part: str
    language: str
    split: str
    category: str
    question: str
    text: str
    relevant: Mapping[str, int]  # every judged answer with its grade
    ranking: tuple[str, ...]  # answers, best first, none twice
    ranks: Mapping[str, int]  # target level only: the place of the first result that meets each
    shown: tuple[Shown, ...]
    cpu_ms: float
    wall_ms: float

    def to_json(self) -> str:
        value = self._asdict()
        value["shown"] = [[*shown[:3], list(shown.reasons)] for shown in self.shown]
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Outcome:
        value = json.loads(line)
        value["ranking"] = tuple(value["ranking"])
        value["shown"] = tuple(
            Shown(answer, place, score, tuple(reasons))
            for answer, place, score, reasons in value["shown"]
        )
        return cls(**value)


@dataclass(frozen=True, slots=True)
class Run:
    """A run as read from its folder."""

    folder: Path
    config: Mapping[str, Any]
    outcomes: Sequence[Outcome]
    measures: Mapping[str, Any] = field(default_factory=dict)  # mode to name to value

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def modes(self) -> list[str]:
        return list(dict.fromkeys(outcome.mode for outcome in self.outcomes))

    def of(self, mode: str) -> list[Outcome]:
        """The outcomes of one mode, in the order they were asked."""
        return [outcome for outcome in self.outcomes if outcome.mode == mode]


def read_outcomes(folder: Path) -> Iterator[Outcome]:
    """The outcomes written so far; a line cut short by a stop is left out."""
    path = folder / OUTCOMES
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if not line.endswith("\n"):
                return
            yield Outcome.from_json(line)


def load_run(folder: Path) -> Run:
    """Read a run.

    Raises:
        EvaluationError: The folder holds no run, or one of another format.
    """
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        measures_file = folder / MEASURES
        measures = json.loads(measures_file.read_text("utf-8")) if measures_file.is_file() else {}
        outcomes = tuple(read_outcomes(folder))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise EvaluationError(
            f"{folder} holds no run that can be read: {error}",
            hint="plait eval run DATASET --out FOLDER makes one",
        ) from error
    if config.get("format") != FORMAT:
        raise EvaluationError(f"{folder} has format {config.get('format')}, not {FORMAT}")
    return Run(folder, config, outcomes, measures)
