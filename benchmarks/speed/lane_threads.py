"""Do lanes that only compute gain by threads? ``python -m benchmarks.speed.lane_threads``.

The same hybrid searches of one snapshot, in one process and in turns: the lanes in the calling
thread one after the other, as they are, and each in a thread of its own, as lanes that wait for
others are. Told are CPU and wall milliseconds, the best round of every question.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from math import inf
from pathlib import Path

from benchmarks.speed.builds import QUESTIONS
from plait.assembly import open_index
from plait.engine.reader import planner
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.types import Asked, Lane, Query, Snapshot
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

HERE, THREADS = "in turn", "a thread each"


@dataclass(frozen=True)
class Threaded:
    """A lane that is given a thread though it waits for nobody."""

    lane: Lane

    @property
    def name(self) -> str:
        return self.lane.name

    def waits(self, snapshot: Snapshot) -> bool:
        """It is treated so."""
        del snapshot
        return True

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> Asked:
        """As the lane does."""
        return self.lane.ask(query, snapshot, until)


def main() -> None:
    """Measure and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--corpus", type=Path, default=default_root() / "languages" / "python")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plait-lanes-") as folder:
        settings = Settings(cache_dir=folder)
        index = open_index(options.corpus, settings)
        index.refresh()
        index.embed()
        snapshot, dense = index.snapshot(), index.reader.dense
        assert dense is not None
        lanes: list[Lane] = [index.reader.lexical, dense]
        plans = planner(settings)
        searchers = {
            HERE: Searcher(snapshot, lanes, plans),
            THREADS: Searcher(snapshot, [Threaded(lane) for lane in lanes], plans),
        }
        cpu: dict[tuple[str, str], float] = {}
        wall: dict[tuple[str, str], float] = {}
        for _ in range(options.rounds):
            for question in QUESTIONS:
                query = Query(question, parse(question).wanted)
                for way, searcher in searchers.items():
                    began, at = time.process_time_ns(), time.perf_counter_ns()
                    searcher.search(query)
                    taken = (time.process_time_ns() - began) / 1e6
                    passed = (time.perf_counter_ns() - at) / 1e6
                    key = (way, question)
                    cpu[key] = min(taken, cpu.get(key, inf))
                    wall[key] = min(passed, wall.get(key, inf))
    lines = ["# Lanes that only compute, in turn and in threads", ""]
    lines += ["| median of questions, ms | CPU | wall |", "|---|--:|--:|"]
    for way in searchers:
        figures = [statistics.median(of[way, one] for one in QUESTIONS) for of in (cpu, wall)]
        lines.append(f"| {way} | {figures[0]:.2f} | {figures[1]:.2f} |")
    summary = "\n".join(lines) + "\n"
    print(summary)
    raw = {
        "rows": [
            {"way": way, "question": one, "cpu_ms": cpu[way, one], "wall_ms": wall[way, one]}
            for way, one in cpu
        ]
    }
    command = command_line("benchmarks.speed.lane_threads")
    write_record("lane-threads", command, raw, summary, ("plait", "tantivy", "numpy"))


if __name__ == "__main__":
    main()
