"""Two builds of plait side by side: is the newer one as fast?

    python -m benchmarks.speed.builds --before DIR/.venv/bin/python --corpus DIR

Machines are shared, so the two are asked in turns, in processes of their own, and compared by
CPU time: the whole first index (words, then vectors), a warm command, and searches inside one
process. Compile both environments first (``python -m compileall -q``), or set
PYTHONPYCACHEPREFIX: starting is a part of what is compared.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.record import command_line, write_record

QUESTIONS = (
    "where are timeouts configured",
    "retry with exponential backoff",
    "parse an http header",
    "open a file and read its lines",
    "how is a password hashed",
    "connection pool",
    "convert bytes to text",
    "walk a directory tree",
    "compile a regular expression",
    "raise an error when the value is out of range",
    "getLogger",
    "class that sends requests",
)
PATTERNS = ("def __init__", "import os", r"raise \w+Error", "timeout=")
# Run by the build that is measured: CPU milliseconds of every question, best of the rounds.
INSIDE = """
import json, sys, time
import plait
index = plait.open(sys.argv[1])
questions, rounds = json.loads(sys.argv[2]), int(sys.argv[3])
snapshot = index.snapshot()
best = {}
for _ in range(rounds):
    for question in questions:
        began = time.process_time_ns()
        index.ask(snapshot, question)
        taken = (time.process_time_ns() - began) / 1e6
        best[question] = min(taken, best.get(question, taken))
print(json.dumps(best))
"""


def cpu_of(command: list[str], cache: Path, mode: str = "hybrid") -> float:
    """CPU seconds of a command and all it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PLAIT_CACHE_DIR": str(cache), "PLAIT_MODE": mode}
    done = subprocess.run(command, env=environment, capture_output=True, check=False, cwd="/")
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: {done.stderr.decode()[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(python: Path, corpus: Path, cache: Path, rounds: int) -> dict[str, float]:
    """One turn of one build."""
    plait = [str(python.with_name("plait"))]
    found = {
        "index, words": cpu_of([*plait, "index", str(corpus)], cache, "lexical"),
        "index, vectors": cpu_of([*plait, "index", str(corpus)], cache),
        "warm search, command": min(
            cpu_of([*plait, "search", text, str(corpus)], cache) for text in QUESTIONS[:5]
        ),
        "warm grep, command": min(
            cpu_of([*plait, "grep", pattern, str(corpus)], cache) for pattern in PATTERNS
        ),
    }
    done = subprocess.run(
        [str(python), "-c", INSIDE, str(corpus), json.dumps(QUESTIONS), str(rounds)],
        env={**os.environ, "PLAIT_CACHE_DIR": str(cache)},
        capture_output=True,
        check=True,
        cwd="/",
    )
    inside = json.loads(done.stdout)
    found["search in process, median of questions, ms"] = statistics.median(inside.values())
    return found


def compare(
    before: Path, after: Path, corpus: Path, turns: int, rounds: int
) -> dict[str, dict[str, list[float]]]:
    """Every figure of every turn, by build."""
    taken: dict[str, dict[str, list[float]]] = {"before": {}, "after": {}}
    for turn in range(turns):
        builds = [("before", before), ("after", after)]
        for name, python in builds if turn % 2 == 0 else reversed(builds):
            with tempfile.TemporaryDirectory(prefix="plait-builds-") as cache:
                for figure, value in measure(python, corpus, Path(cache), rounds).items():
                    taken[name].setdefault(figure, []).append(value)
                    print(f"{name}: {figure}: {value:.3f}", flush=True)
    return taken


def summary(taken: dict[str, dict[str, list[float]]]) -> str:
    """A table of the best of each build, and their ratio."""
    rows = ["| CPU seconds unless said | before | after | after / before |", "|---|--:|--:|--:|"]
    for figure, values in taken["before"].items():
        old, new = min(values), min(taken["after"][figure])
        rows.append(f"| {figure} | {old:.3f} | {new:.3f} | {new / old:.3f} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Compare two builds, print the table and write a record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="the older build's python")
    parser.add_argument("--after", type=Path, default=Path(sys.executable))
    parser.add_argument("--corpus", type=Path, required=True, help="a folder to index")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--name", default="builds", help="of the record")
    told = parser.parse_args()
    corpus = told.corpus.resolve()
    taken = compare(told.before.absolute(), told.after.absolute(), corpus, told.turns, told.rounds)
    table = summary(taken)
    print(table)
    raw = {"corpus": corpus.name, "taken": taken}
    write_record(told.name, command_line("benchmarks.speed.builds"), raw, table, ["plait"])


if __name__ == "__main__":
    main()
