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
from pathlib import Path
from typing import Any

from benchmarks.evaluation_page import table
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
    options = parser.parse_args()
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data" / "agent63"
    raw: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as cache:
        for half in HALVES:
            command = [sys.executable, "-m", "plait", "eval", "economy", str(data)]
            command += ["--repos", str(options.repos), "--qrels", half, "--format", "json"]
            done = subprocess.run(
                command,
                env=os.environ | {"PLAIT_CACHE_DIR": cache},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            raw[half] = without_texts(json.loads(done.stdout))
    summary = summarised(raw)
    print(write_record("economy", command_line("benchmarks.economy"), raw, summary, PACKAGES))


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
    return "# What an agent pays until it has the answer\n\n" + "\n".join(
        [table(head, rows), *lost]
    )


if __name__ == "__main__":
    main()
