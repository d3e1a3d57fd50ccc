"""What ranking by file asks of a snapshot, at scale: ``python -m benchmarks.speed.facts``.

A corpus is indexed by words (or an index of it is named), and questions are asked as a ranker
would: the first 100 chunks, their files' facts, the first 200 definitions of six names, and how
many chunks define them. Told are CPU milliseconds, the best and the median of many rounds,
when everything was asked before and when the snapshot is new.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from plait.assembly import open_index
from plait.ranking.definitions import MOST
from plait.settings import Settings
from plait.types import ChunkId, Defines, Scope, Snapshot, Term
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

WORDS = ("request", "parser", "token", "cache", "buffer", "thread", "schema", "socket")
CANDIDATES = 100
ROUNDS = 50
NAMES = ("parse", "Client", "send", "Token", "open", "cache")
DEFINING = [Defines(name) for name in NAMES]
GOAL_MS = 0.5  # facts of 100 candidate files, at a million chunks


class Row(NamedTuple):
    """CPU milliseconds of one thing asked."""

    word: str
    what: str
    of: int  # candidates
    first_ms: float
    best_ms: float
    median_ms: float


def candidates(snapshot: Snapshot, word: str) -> list[ChunkId]:
    """The best chunk of each of a hundred files."""
    best: dict[tuple[str, str], ChunkId] = {}
    hits = snapshot.match(Term(word), Scope(), 5 * CANDIDATES).hits
    for hit in hits:
        best.setdefault((hit.chunk.repo, hit.chunk.path), hit.chunk)
    return list(best.values())[:CANDIDATES]


def cpu_ms(work: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    began = time.process_time_ns()
    work()
    return (time.process_time_ns() - began) / 1e6


def main() -> None:
    """Measure and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--corpus", type=Path, default=default_root() / "mixed")
    parser.add_argument(
        "--cache", type=Path, help="where the index is kept, and perhaps already is"
    )
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plait-facts-") as folder:
        settings = Settings(cache_dir=str(options.cache or folder), mode="lexical")
        index = open_index(options.corpus, settings)
        if not index.reader.has_generation:
            index.refresh()
        snapshot = index.snapshot()
        rows = []
        gc.disable()
        for word in WORDS:
            ids = candidates(snapshot, word)
            keys = [(key.repo, key.path) for key in ids]
            ways: dict[str, Callable[[], object]] = {
                "files": partial(snapshot.files, keys),
                "definitions": lambda: snapshot.definitions(NAMES, Scope(), MOST),
                "count": lambda: snapshot.count(DEFINING),
                "roots": lambda: snapshot.roots([index.repo]),
            }
            for name, way in ways.items():
                first = cpu_ms(way)
                rest = [cpu_ms(way) for _ in range(ROUNDS)]
                rows.append(Row(word, name, len(ids), first, min(rest), statistics.median(rest)))
        chunks = snapshot.statistics().chunks
        lines = [f"# Facts of {CANDIDATES} candidate files, {chunks:,} chunks", ""]
        lines += [
            "| asked | first time, worst word | best round | median round |",
            "|---|--:|--:|--:|",
        ]
        for name in ("files", "definitions", "count", "roots"):
            some = [row for row in rows if row.what == name and row.of == CANDIDATES]
            figures = (
                max(row.first_ms for row in some),
                statistics.median(row.best_ms for row in some),
                statistics.median(row.median_ms for row in some),
            )
            lines.append(f"| {name} | {' | '.join(f'{one:.3f} ms' for one in figures)} |")
        summary = "\n".join(lines) + f"\n\nGoal: files {GOAL_MS} ms.\n"
        print(summary)
        if options.record:
            raw = {"chunks": chunks, "rows": [row._asdict() for row in rows]}
            command = command_line("benchmarks.speed.facts")
            write_record("facts", command, raw, summary, ("plait", "tantivy"))


if __name__ == "__main__":
    main()
