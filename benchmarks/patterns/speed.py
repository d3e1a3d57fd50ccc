"""Speed: CPU time of every question to every engine, in turns, the least of several rounds.

The first hundred lines, with their text: of plait by rank; of zoekt with every limit at a
hundred, so that it stops as soon as it can; of ripgrep, which knows no other way, all lines.
Then how long it takes plait and zoekt to find out how many lines there are.

zoekt is run three times: on one core, where it takes the least CPU, because it stops at the
first shard that has a hundred matches; on all; and on one with its RE2 instead of Go's
regexes. The first is the one to beat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.patterns.engines import SLOW_MS, Plait, Ripgrep, Timed, Zoekt
from benchmarks.patterns.questions import Question

TURNS = 3
FIRST_RUNS, MOST_RUNS = 2, 12  # of plait and zoekt in the first turn, and in the others
ENOUGH_MS = 300.0  # of CPU in a turn
RIPGREP_RUNS = 2
NOT_FOR_ZOEKT = ("empty",)  # it drops matches without text, and looks on
ZOEKT: Mapping[str, Mapping[str, str]] = {
    "zoekt": {"GOMAXPROCS": "1"},
    "zoekt_cores": {},
    "zoekt_re2": {"GOMAXPROCS": "1", "ZOEKT_RE2_THRESHOLD_BYTES": "0"},
}


def times(
    plait: Plait,
    ripgrep: Ripgrep,
    program: Path | None,
    shards: Path,
    questions: Sequence[Question],
) -> dict[str, dict[str, Timed]]:
    """For each question, by engine: the first lines; under ``..._all``, the count of all."""
    rows: dict[str, dict[str, Timed]] = {}
    with ExitStack() as stack:
        zoekts = {
            name: stack.enter_context(Zoekt(program, shards, settings))
            for name, settings in (ZOEKT.items() if program else ())
            if program
        }
        for question in questions:
            asked = {} if question.shape in NOT_FOR_ZOEKT else zoekts
            row = rows[question.name] = _in_turns({"plait": plait, **asked}, question)
            row["rg"] = ripgrep.first(question, RIPGREP_RUNS)
        for question in questions:  # afterwards: it leaves much behind for the collector
            rows[question.name]["plait_all"] = plait.count(question)
            if zoekts and question.shape not in NOT_FOR_ZOEKT:
                rows[question.name]["zoekt_all"] = zoekts["zoekt"].count(question)
    return rows


def _in_turns(engines: Mapping[str, Plait | Zoekt], question: Question) -> dict[str, Timed]:
    least = {name: engine.first(question, FIRST_RUNS) for name, engine in engines.items()}
    for _ in range(TURNS - 1):
        for name, engine in engines.items():
            before = least[name]
            if before.cpu_ms <= SLOW_MS:
                runs = min(max(int(ENOUGH_MS / before.cpu_ms), 1), MOST_RUNS)
                now = engine.first(question, runs)
                least[name] = min(before, now, key=lambda timed: timed.cpu_ms)
    return least
