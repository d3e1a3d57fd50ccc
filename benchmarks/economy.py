"""Token economics on agent63, as a record: ``python -m benchmarks.economy --repos DIR``.

Runs ``plait eval economy`` as a user would, on the tuning half and on the held-out half, and
keeps what it printed, losses included.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.evaluation_page import table
from plait.interfaces.cli.evaluation.economy import budget_rows
from tools.record import ROOT, command_line, write_record

WAYS = (  # and what their figures begin with
    ("plait, the whole page", ""),
    ("ripgrep and ranged reads", "baseline_"),
    ("ripgrep, a thrifty script", "thrifty_"),
    ("ripgrep and whole files", "naive_"),
)
HALVES = ("tuning", "held_out")
PACKAGES = ("plait", "rs-bpe")


def main() -> None:
    """Run both halves and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--work", type=Path, help="a folder whose indexes are used again")
    options = parser.parse_args()
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data" / "agent63"
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.work or Path(scratch)
        ask = partial(_asked, data, options.repos, cache)
        with ThreadPoolExecutor() as both:  # tokens cost the same however long it takes
            raw = dict(zip(HALVES, both.map(ask, HALVES), strict=True))
    summary = summarised(raw)
    print(write_record("economy", command_line("benchmarks.economy"), raw, summary, PACKAGES))


def _asked(data: Path, repos: Path, cache: Path, half: str) -> dict[str, Any]:
    """What ``plait eval economy`` says of one half."""
    command = [sys.executable, "-m", "plait", "eval", "economy", str(data)]
    command += ["--repos", str(repos), "--qrels", half, "--format", "json"]
    done = subprocess.run(
        command,
        env=os.environ | {"PLAIT_CACHE_DIR": str(cache / half)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return without_texts(json.loads(done.stdout))


def without_texts(made: dict[str, Any]) -> dict[str, Any]:
    """The figures and the ids of questions; what they say belongs to the dataset."""
    for key in ("losses", "rows"):
        for row in made[key]:
            row.pop("text", None)
    return made


def summarised(raw: Mapping[str, dict[str, Any]]) -> str:
    """A table of both halves."""
    rows = []
    for half, made in raw.items():
        for label, name in WAYS:
            found = made[f"{name}found"]
            rows.append(
                [
                    f"{half}: {label}",
                    f"{100 * found:.1f} %",
                    f"{made[f'{name}median_tokens']:,.0f}",
                    f"{made[f'{name}mean_tokens']:,.0f}",
                ]
            )
    lost = [
        f"{half}: of {made['questions']:,} questions plait found the answer for fewer tokens "
        f"than ranged reads on {100 * made['cheaper_and_found']:.1f} %; it lost "
        f"{made['lost']:,} to them and {made['lost_to_thrifty']:,} to the thrifty script.\n"
        for half, made in raw.items()
    ]
    head = ("half and way", "found", "median tokens", "mean tokens")
    paid = "# What an agent pays until it has the answer\n\n"
    return paid + "\n".join([table(head, rows), *lost, *map(_at_budgets, raw, raw.values())])


def _at_budgets(half: str, made: Mapping[str, Any]) -> str:
    """Recall at budgets on one half, and whether packs keep to theirs."""
    head, *rows = budget_rows(made)
    over = made["at_budgets"]["packed"]["over"]
    rows.append(["packs above the budget", *(f"{100 * share:.1f} %" for share in over)])
    return f"## Recall at tokens, {half}\n\n{table(head, rows)}"


if __name__ == "__main__":
    main()
