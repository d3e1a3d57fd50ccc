"""The quality gate: does this checkout rank as well as the baseline says it can?

    python -m benchmarks.quality.gate            pass or fail, with the reasons
    python -m benchmarks.quality.gate --update   make this checkout the baseline

Small public sets are indexed and asked, by words and by both lanes, and every question's nDCG@10
is held against the baseline: the gate fails if the mean over sets and modes falls by more than
the tolerance, or if any one of them is significantly worse. Without the shared benchmark data
it says so and passes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plait.evaluation.compare import compare
from plait.evaluation.comparison_tables import as_text
from plait.evaluation.dataset import Dataset
from plait.evaluation.gate import gate
from plait.evaluation.load import load_dataset
from plait.evaluation.runner import Plan, run
from plait.evaluation.runs import Outcome, Run
from plait.settings import Settings
from tools.record import ROOT

BASELINE = ROOT / "benchmarks" / "quality" / "baseline.json.gz"
KEPT = 10  # places of each ranking; nDCG@10 needs no more
TOLERANCE = 0.002
MODES = ("lexical", "hybrid")  # words alone, and the default


class Set(NamedTuple):
    """One of the sets the gate asks: a folder of the shared data and its judgements."""

    folder: str
    qrels: str
    corpus: str = ""


SETS = (
    Set("csn-ruby", "test_1k"),
    Set("csn-javascript", "test_1k"),
    Set("csn99-ruby", "test"),
    Set("csn99-go", "test"),
    Set("csn99-php", "test"),
    Set("cosqa", "dev", "corpus_nodoc"),
)


def main() -> int:
    """Run the gate, or move the baseline."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    options = parser.parse_args()
    data = shared_data()
    if not data.is_dir():
        print(f"the quality gate was not run: there is no benchmark data at {data}")
        return 0
    began = time.process_time()
    found = candidate(data, SETS)
    if options.update:
        write_baseline(found)
        print(f"{BASELINE.relative_to(ROOT)}: {len(found.outcomes):,} questions")
        return 0
    compared = compare(read_baseline(), found)
    verdict = gate(compared, tolerance=TOLERANCE)
    print(*as_text(compared, 5), sep="\n")
    for reason in verdict.reasons:
        print(f"FAILED: {reason}", file=sys.stderr)
    print(f"quality gate: {'passed' if verdict.passed else 'failed'}, {_cost(began)} CPU-s")
    return 0 if verdict.passed else 1


def shared_data() -> Path:
    """Where the public sets lie."""
    return Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"


def candidate(data: Path, sets: Sequence[Set], settings: Settings | None = None) -> Run:
    """What this checkout answers: one run, each set in each mode a part of it."""
    outcomes: list[Outcome] = []
    digests = []
    for chosen in sets:
        dataset = load_dataset(data / chosen.folder, qrels=chosen.qrels, corpus=chosen.corpus)
        with tempfile.TemporaryDirectory() as scratch:
            plan = Plan(
                dataset,
                MODES,
                settings or Settings(),
                Path(scratch) / "run",
                Path(scratch) / "indexes",
            )
            answered = run(plan)
        digests.append(dataset.digest)
        outcomes += [kept(outcome, dataset) for outcome in answered.outcomes]
    return combined("this checkout", outcomes, digests)


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


def combined(name: str, outcomes: Sequence[Outcome], digests: Sequence[str]) -> Run:
    """Outcomes of several sets as one run."""
    config: dict[str, Any] = {"dataset": {"digest": " ".join(digests), "level": "document"}}
    return Run(Path(name), config, tuple(outcomes))


def write_baseline(found: Run) -> None:
    """Keep a run to hold others against: the same run gives the same bytes."""
    text = "\n".join([json.dumps(found.config), *(o.to_json() for o in found.outcomes)])
    BASELINE.write_bytes(gzip.compress(text.encode(), mtime=0))


def read_baseline() -> Run:
    """The run that was kept."""
    lines = gzip.decompress(BASELINE.read_bytes()).decode().splitlines()
    outcomes = tuple(map(Outcome.from_json, lines[1:]))
    return Run(Path("baseline"), json.loads(lines[0]), outcomes)


def _cost(began: float) -> str:
    children = os.times()
    return f"{time.process_time() - began + children.children_user + children.children_system:.0f}"


if __name__ == "__main__":
    sys.exit(main())
