"""The quality gate: does this checkout rank as well as the baselines say it can?

    python -m benchmarks.quality.gate                pass or fail, with the reasons
    python -m benchmarks.quality.gate --repos DIR    agent63's tuning half too, over its clones
    python -m benchmarks.quality.gate --update       make this checkout the baseline

Each group of sets is indexed and asked, by words and by both lanes, and every question's nDCG@10
is held against its baseline: the gate fails if the mean over the parts of a group falls by more
than its tolerance, or if any one of them is significantly worse. A group whose data is not here
is named with the reason, and the others are judged.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.quality.baseline import combined, kept, read_baseline, write_baseline
from benchmarks.quality.sets import GROUPS, Group, Places
from plait.errors import EvaluationError
from plait.evaluation.compare import compare
from plait.evaluation.comparison_tables import as_text
from plait.evaluation.dataset import Dataset, Level
from plait.evaluation.gate import gate
from plait.evaluation.measures import grouped, paper_name, per_question
from plait.evaluation.runner import Plan, run
from plait.evaluation.runs import Outcome, Run
from plait.settings import Settings
from tools.corpora.fetch import default_root
from tools.record import ROOT

MODES = ("lexical", "hybrid")  # words alone, and the default
SHOWN = ("nDCG@10", "RR@10", "Success@1")  # of files; the first is what is compared


def main() -> int:
    """Run the gate, or move the baselines."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--update", action="store_true", help="write the baselines anew")
    parser.add_argument("--repos", type=Path, help="a folder with clones of agent63's repositories")
    options = parser.parse_args()
    places = Places(shared_data(), default_root(), options.repos)
    began = time.process_time()
    verdicts = [judged(group, places, is_update=options.update) for group in GROUPS]
    passed = all(verdicts)
    if not options.update:
        print(f"quality gate: {'passed' if passed else 'failed'}, {_cost(began)} CPU-s")
    return 0 if passed else 1


def shared_data() -> Path:
    """Where the public sets lie."""
    return Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"


def judged(group: Group, places: Places, *, is_update: bool) -> bool:
    """Hold a group against its baseline, or make it the baseline; whether it may pass."""
    try:
        datasets = group.load(places)
    except EvaluationError as error:
        print(f"{group.name}: not asked, {error}")
        return True
    found = candidate(datasets, group.level)
    if is_update:
        write_baseline(found, group.baseline)
        print(f"{group.baseline.relative_to(ROOT)}: {len(found.outcomes):,} questions")
        return True
    if not group.baseline.is_file():
        print(f"{group.name}: there is no baseline yet, --update writes one")
        return True
    compared = compare(read_baseline(group.baseline), found)
    verdict = gate(compared, tolerance=group.tolerance)
    print(f"== {group.name}", *as_text(compared, 5), sep="\n")
    if group.level is not Level.DOCUMENT:
        print(*by_file(found, group.level), sep="\n")
    for reason in verdict.reasons:
        print(f"FAILED: {group.name}: {reason}", file=sys.stderr)
    return verdict.passed


def candidate(
    datasets: Sequence[Dataset], level: Level = Level.DOCUMENT, settings: Settings | None = None
) -> Run:
    """What this checkout answers: one run, each set in each mode a part of it."""
    outcomes: list[Outcome] = []
    for dataset in datasets:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            plan = Plan(dataset, MODES, settings or Settings(), folder / "run", folder / "indexes")
            answered = run(plan)
        outcomes += [kept(outcome, dataset) for outcome in answered.outcomes]
    return combined("this checkout", outcomes, [one.digest for one in datasets], level)


def by_file(found: Run, level: Level) -> Iterator[str]:
    """How well files are ranked, a line for each part."""
    for part, outcomes in grouped(found.outcomes, "part").items():
        values = [per_question(outcomes, name, level is Level.TARGET) for name in SHOWN]
        means = (sum(value.values()) / len(value) for value in values)
        told = ", ".join(
            f"{paper_name(name)} {mean:.3f}" for name, mean in zip(SHOWN, means, strict=True)
        )
        yield f"{part}, by file: {told} over {len(outcomes)} questions"


def _cost(began: float) -> str:
    children = os.times()
    return f"{time.process_time() - began + children.children_user + children.children_system:.0f}"


if __name__ == "__main__":
    sys.exit(main())
