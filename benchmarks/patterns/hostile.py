"""Hostile patterns: none takes longer than its deadline or more memory than its bound.

    python -m benchmarks.patterns.hostile INDEX --count 10000 [--from 0] [--seed 6]

It runs in a process of its own, whose memory the system bounds: what went beyond would end
it. Each pattern has a deadline; wall time beyond it by more than a margin is a fault, and so is
every error that is not meant for the user. Prints what came out as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.patterns.engines import FIRST
from benchmarks.speed.clock import percentile
from benchmarks.speed.opened import memory_mb
from plait.assembly import lexical_lane
from plait.errors import PlaitError
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.types import LineQuery, Pattern, Snapshot, Tally
from tools.fuzz.regexes import hostile_regex

WITHIN_S = 1.0
MARGIN_S = 0.2
TRIES = 3  # a busy machine may hold up one, not three
BOUND_MB = 1_024  # of memory of its own: what is mapped from files does not count
IGNORES_CASE = 0.2
INVERTED = 0.1
MULTILINE = 0.1
COUNTED = 0.3
SLOWEST = 10


def question(number: int, seed: int) -> LineQuery:
    """The question of a number, always the same."""
    rng = random.Random(f"{seed}:{number}")
    regex = hostile_regex(rng)
    return LineQuery(
        (Pattern(regex, rng.random() < IGNORES_CASE),),
        limit=FIRST,
        count_to=1_000_000 if rng.random() < COUNTED else 0,
        is_inverted=rng.random() < INVERTED,
        is_multiline=rng.random() < MULTILINE,
        within_s=WITHIN_S,
    )


def asked(snapshot: Snapshot, query: LineQuery) -> tuple[str, float]:
    """How a question ended, and after how many seconds."""
    began = time.monotonic()
    try:
        *_, tally = snapshot.grep(query)
        assert isinstance(tally, Tally)
        ended = "partial" if tally.is_partial else "whole" if tally.lines else "nothing"
    except PlaitError as error:
        ended = type(error).__name__
    except BaseException as error:  # an engine's panic is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        ended = f"fault: {type(error).__name__}: {str(error)[:200]}"
    return ended, time.monotonic() - began


def hurt(snapshot: Snapshot, numbers: range, seed: int) -> dict[str, object]:
    """Ask all; faults are what ended otherwise than it may, or too late."""
    ends: Counter[str] = Counter()
    seconds: list[float] = []
    faults: list[str] = []
    slowest: list[tuple[float, str]] = []
    before, most = memory_mb()["RssAnon"], 0.0
    for number in numbers:
        query = question(number, seed)
        ended, took = asked(snapshot, query)
        for _ in range(TRIES - 1):
            if took <= WITHIN_S + MARGIN_S:
                break
            took = min(took, asked(snapshot, query)[1])
        regex = query.patterns[0].regex
        if ended.startswith("fault"):
            faults.append(f"{number}: {ended}: {regex!r}")
        if took > WITHIN_S + MARGIN_S:
            faults.append(f"{number}: {took:.2f} s: {regex!r}")
        ends[ended.partition(":")[0]] += 1
        seconds.append(took)
        slowest = sorted([*slowest, (round(took, 3), f"{number}: {regex[:100]!r}")])[-SLOWEST:]
        most = max(most, memory_mb()["RssAnon"])
    return {
        "patterns": len(numbers),
        "within_s": WITHIN_S,
        "margin_s": MARGIN_S,
        "ends": ends,
        "p50_s": percentile(seconds, 0.5),
        "p99_s": percentile(seconds, 0.99),
        "max_s": max(seconds),
        "memory_before_mb": before,
        "memory_most_mb": most,
        "peak_resident_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        "bound_mb": BOUND_MB,
        "slowest": slowest,
        "faults": faults,
    }


def run(index: Path, numbers: range, seed: int) -> dict[str, object]:
    """Ask in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.patterns.hostile", str(index)]
    command += [f"--from={numbers.start}", f"--count={len(numbers)}", f"--step={numbers.step}"]
    ended = subprocess.run(
        [*command, f"--seed={seed}"], capture_output=True, text=True, check=False
    )
    if ended.returncode:
        return {"faults": [f"the process ended with {ended.returncode}: {ended.stderr[-2000:]}"]}
    told: dict[str, object] = json.loads(ended.stdout)
    return told


def main() -> None:
    """Ask and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (BOUND_MB << 20, BOUND_MB << 20))
    snapshot = EmbeddedStore(options.index, lexical_lane(Settings()).analysis).snapshot()
    numbers = range(options.first, options.first + options.count * options.step, options.step)
    print(json.dumps(hurt(snapshot, numbers, options.seed)))


if __name__ == "__main__":
    main()
