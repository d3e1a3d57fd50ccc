"""Measure secrets: ``python -m benchmarks.secrets [PART] --corpus DIR [--also DIR]...``.

    mistakes   masks per 10,000 lines of published code
    planted    1,000 secrets in real code, looked for wherever plait puts text
    cost       CPU time of a first index with and without masking, in turns

``python -m benchmarks.secrets letters --corpus DIR`` prints the table of letters anew.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

from benchmarks.secrets.cost import cost
from benchmarks.secrets.leaks import Leaks, leaks
from benchmarks.secrets.letters import table
from benchmarks.secrets.mistakes import mistakes
from tools.record import command_line, write_record

PLANTED, SEED = 1_000, 11
SAMPLE = 300  # of them, counted by themselves
SHOWN = 100


def main() -> None:
    """Measure, print, and write a record if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", nargs="?", default="all", choices=("all", "mistakes", "planted", "cost", "letters")
    )
    parser.add_argument("--corpus", type=Path, required=True, help="real code of many languages")
    parser.add_argument("--also", type=Path, action="append", default=[], help="more for mistakes")
    parser.add_argument("--tree", type=Path, help="what to index for the cost")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save", action="store_true", help="write a record")
    given = parser.parse_args()
    if given.what == "letters":
        print("\n".join(f'    "{row}",' for row in table(given.corpus)))
        return
    raw: dict[str, object] = {}
    lines = ["# secrets", ""]
    if given.what in ("all", "mistakes"):
        false = mistakes([given.corpus, *given.also])
        some = random.Random(1).sample(false.places, min(SHOWN, len(false.places)))
        raw["mistakes"] = {**false._asdict(), "places": len(false.places), "sample": sorted(some)}
        lines += [
            (
                f"{false.files:,} files, {false.bytes / 1e6:,.0f} MB, {false.lines:,} lines of "
                f"published code: {false.false:,} masks behind names, in addresses, headers and "
                f"commands, all counted as false: **{false.per_10_000_lines:.2f} per 10,000 "
                f"lines**. Apart from them {false.kinds['shape']:,} of a known shape and "
                f"{false.kinds['key block']:,} key blocks. "
                f"Looking took {false.bytes / 1e6 / false.cpu_s:.0f} MB/s of CPU time."
            ),
            "",
        ]
    if given.what in ("all", "planted"):
        with tempfile.TemporaryDirectory() as scratch:
            found = leaks(PLANTED, SEED, given.corpus, Path(scratch))
        sample = random.Random(2).sample(range(PLANTED), SAMPLE)
        raw["planted"] = {
            "masked": found.masked,
            "of_sample": found.masked_of(sample),
            **found._asdict(),
        }
        lines += _planted(found, found.masked_of(sample))
    if given.what in ("all", "cost"):
        taken = cost(given.tree or given.corpus, given.rounds)
        raw["cost"] = {**taken._asdict(), "share": taken.share}
        lines += [
            (
                f"First index, words only, one worker, CPU seconds, in turns, best of "
                f"{given.rounds}: "
                f"{min(taken.masked):.2f} with masking, {min(taken.shown):.2f} without: "
                f"**{100 * taken.share:+.1f}%** "
                f"(with: {_all(taken.masked)}; without: {_all(taken.shown)})."
            ),
            "",
        ]
    summary = "\n".join(lines)
    print(summary)
    if given.save:
        command = command_line("benchmarks.secrets")
        print(write_record("secrets", command, raw, summary, ("google-re2", "tantivy")))


def _planted(found: Leaks, of_sample: float) -> list[str]:
    places = ", ".join(f"{place} {len(numbers)}" for place, numbers in found.found.items())
    worst = sorted(found.kinds.items(), key=lambda pair: -pair[1][1])
    kinds = ", ".join(f"{kind} {again} of {total}" for kind, (total, again) in worst if again)
    return [
        (
            f"{found.planted:,} secrets of {len(found.kinds)} kinds planted in as many real files: "
            f"**{100 * found.masked:.1f}% masked** ({100 * of_sample:.1f}% of {SAMPLE} drawn from "
            f"them). Found again, in half or whole: {places}. "
            f"By kind: {kinds or 'none'}."
        ),
        "",
    ]


def _all(values: list[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    main()
