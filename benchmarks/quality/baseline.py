"""What is kept of a run so that later ones can be held against it: ids, and no text of others."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plait.evaluation.dataset import Dataset, Level
from plait.evaluation.runs import Outcome, Run

KEPT = 10  # places of each ranking; nDCG@10 needs no more


def kept(outcome: Outcome, dataset: Dataset) -> Outcome:
    """The little of an outcome that is compared: ids, and not a word of the public data."""
    return outcome._replace(
        text="",
        mode="gate",
        part=f"{dataset.name}, {outcome.mode}",
        question=f"{dataset.name}/{outcome.mode}/{outcome.question}",
        ranking=outcome.ranking[:KEPT],
        shown=(),
        cpu_ms=0.0,
        wall_ms=0.0,
    )


def combined(
    name: str, outcomes: Sequence[Outcome], digests: Sequence[str], level: Level = Level.DOCUMENT
) -> Run:
    """Outcomes of several sets as one run."""
    config: dict[str, Any] = {"dataset": {"digest": " ".join(digests), "level": str(level)}}
    return Run(Path(name), config, tuple(outcomes))


def write_baseline(found: Run, path: Path) -> None:
    """Keep a run to hold others against: the same run gives the same bytes."""
    text = "\n".join([json.dumps(found.config), *(o.to_json() for o in found.outcomes)])
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def read_baseline(path: Path) -> Run:
    """The run that was kept."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    outcomes = tuple(map(Outcome.from_json, lines[1:]))
    return Run(Path("baseline"), json.loads(lines[0]), outcomes)
