"""Do mined cases rank systems as human judgements do?

    python -m benchmarks.agreement --repos DIR [--mined FOLDER] [--work DIR]

The same lexical configurations are measured on git-mined sets, on agent63 and on the 99
queries people judged. Each family of sets puts the configurations in an order; Kendall's
tau says how far two orders agree, with an interval from resampling the questions. Runs are
kept in the work folder, so that a second call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from benchmarks.evaluation_page import table
from plait.assembly import lexical_lane
from plait.evaluation.load import load_dataset
from plait.evaluation.measures import averaged, per_question
from plait.evaluation.runner import Plan, run
from plait.evaluation.statistics import tau_interval
from plait.settings import Settings
from tools.record import ROOT, command_line, write_record

PACKAGES = ("plait", "tantivy", "tree-sitter", "PyStemmer", "ir-measures")
CONFIGURATIONS: Mapping[str, Mapping[str, Any]] = {
    "as shipped": {},
    "no stemming": {"stemming": False},
    "parts of identifiers only": {"identifiers": "parts"},
    "whole identifiers only": {"identifiers": "whole"},
    "path not weighted": {"weight_path": 0},
    "name not weighted": {"weight_name": 0},
    "name and path x5": {"weight_name": 5, "weight_path": 5},
    "with bigrams": {"bigrams": True},
    "no other spellings": {"spelling": False},
    "bodies only": {"weight_path": 0, "weight_name": 0, "stemming": False, "spelling": False},
}
LANGUAGES = ("python", "java", "javascript", "php", "ruby", "go")
MEASURE = "nDCG@10"


def families(options: argparse.Namespace) -> dict[str, list[tuple[Path, str, Path | None]]]:
    """The sets of each family: folder, judgements, clones."""
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    found: dict[str, list[tuple[Path, str, Path | None]]] = {
        "99 queries": [(data / f"csn99-{language}", "test", None) for language in LANGUAGES],
        "agent63": [(data / "agent63", "", options.repos)],
        "gitloc": [(data / "gitloc", "test", options.repos)],
    }
    if options.mined is not None:
        found["mined"] = [(options.mined, "symbols", options.repos)]
    return found


def main() -> None:
    """Measure, compare the orders, write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--mined", type=Path)
    parser.add_argument(
        "--configurations", type=int, default=len(CONFIGURATIONS), help="only the first so many"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "agreement")
    options = parser.parse_args()
    chosen = dict(islice(CONFIGURATIONS.items(), options.configurations))
    values: dict[str, dict[str, dict[str, float]]] = {}  # family, configuration, question
    means: dict[str, dict[str, float]] = {}
    for family, sets in families(options).items():
        values[family], means[family] = {}, {}
        for name, changes in chosen.items():
            print(f"{family}: {name}", file=sys.stderr, flush=True)
            found, mean = measured(sets, replace(Settings(), **changes), options.work)
            values[family][name], means[family][name] = found, mean
    taus = {
        f"{a} ~ {b}": tau_interval(_matrix(values[a]), _matrix(values[b]), 0)
        for a, b in combinations(values, 2)
    }
    raw = {"means": means, "tau": {pair: list(tau) for pair, tau in taus.items()}}
    summary = summarised(means, taus)
    print(write_record("agreement", command_line("benchmarks.agreement"), raw, summary, PACKAGES))
    print(summary)


def measured(
    sets: Sequence[tuple[Path, str, Path | None]], settings: Settings, work: Path
) -> tuple[dict[str, float], float]:
    """Every question's value over some sets, and the mean of the sets' own averages."""
    values: dict[str, float] = {}
    averages = []
    for folder, qrels, repos in sets:
        dataset = load_dataset(folder, qrels=qrels, repos=repos)
        kind = hashlib.sha256(lexical_lane(settings).analysis.encode()).hexdigest()[:8]
        own = hashlib.sha256(json.dumps([dataset.name, repr(settings)]).encode()).hexdigest()[:12]
        name = folder.resolve().name
        plan = Plan(
            dataset, ["lexical"], settings, work / "runs" / f"{name}-{own}", work / f"{name}-{kind}"
        )
        done = run(plan)
        found = per_question(done.outcomes, MEASURE, dataset.level == "target")
        averages.append(averaged(found, done.outcomes, dataset.average))
        values |= {f"{dataset.name}/{question}": value for question, value in found.items()}
    return values, sum(averages) / len(averages)


def _matrix(values: Mapping[str, Mapping[str, float]]) -> list[list[float]]:
    questions = sorted(next(iter(values.values())))
    return [[own[question] for question in questions] for own in values.values()]


def summarised(
    means: Mapping[str, Mapping[str, float]], taus: Mapping[str, Sequence[float]]
) -> str:
    """The means of each configuration and the agreement of each pair of families."""
    names = next(iter(means.values()))
    rows = [[name, *(f"{own[name]:.4f}" for own in means.values())] for name in names]
    pairs = [
        [pair, f"{tau:.2f}", f"{low:.2f} to {high:.2f}"] for pair, (tau, low, high) in taus.items()
    ]
    return "\n".join(
        [
            f"# Do mined cases rank systems as judgements do?\n\nMean {MEASURE}:\n",
            table(("configuration", *means), rows),
            "Kendall's tau of the orders, by resampling the questions its 95 % interval:\n",
            table(("families", "tau", "interval"), pairs),
        ]
    )


if __name__ == "__main__":
    main()
