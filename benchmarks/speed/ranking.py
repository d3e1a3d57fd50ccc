"""What ranking files costs above fusing lanes, in CPU time, over one tree.

    python -m benchmarks.speed.ranking TREE [--questions 60] [--rounds 5] [--record]

Every question is asked in turn with ranking and without it, in one process over one snapshot; of
each the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from plait.assembly import open_index
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.types import Chunk, ChunkId, Query, Snapshot
from tools.record import command_line, write_record

PACKAGES = ("plait", "tantivy", "numpy")
PER_REPO = 2_000  # chunks looked at for questions


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("tree", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    index = open_index(given.tree, Settings())
    index.writer.refresh()
    index.writer.embed()
    with closing(index.reader.snapshot()) as snapshot:
        plain = replace(index.reader, settings=replace(index.reader.settings, file_ranking=False))
        searchers = {
            "fused": plain.searcher(snapshot),
            "ranked": index.reader.searcher(snapshot),
        }
        queries = [Query(text, parse(text).wanted) for text in questions(snapshot, given.questions)]
        chunks = snapshot.statistics().chunks
        best = measured(searchers, queries, given.rounds)
    above = [ranked - fused for ranked, fused in zip(best["ranked"], best["fused"], strict=True)]
    rows = [
        f"| {name} | {median(values):.3f} | {quantiles(values, n=20)[-1]:.3f} |"
        for name, values in (*best.items(), ("above fusion", above))
    ]
    heading = f"{chunks:,} chunks, {len(queries)} questions, CPU ms, best of {given.rounds}"
    summary = "\n".join([heading, "", "| | p50 | p95 |", "|---|---:|---:|", *rows, ""])
    print(summary)
    if given.record:
        command = command_line("benchmarks.speed.ranking")
        write_record("ranking-cost", command, {"chunks": chunks, **best}, summary, PACKAGES)


def questions(snapshot: Snapshot, count: int) -> list[str]:
    """First sentences of docstrings, and names of symbols: a third of them."""
    prose: list[str] = []
    names: list[str] = []
    for chunk in _spread(snapshot, count * 40):
        if chunk.symbol is None or chunk.part:
            continue
        told = chunk.symbol.docstring.text.strip("\"'#/* \n").partition("\n")[0].strip()
        if 4 <= len(told.split()) <= 12:
            prose.append(told)
        names.append(chunk.symbol.name)
    third = count // 3
    return [*dict.fromkeys(prose)][: count - third] + [*dict.fromkeys(names)][:third]


def _spread(snapshot: Snapshot, count: int) -> Sequence[Chunk]:
    ids: list[ChunkId] = []
    for repo in snapshot.repos():
        paths = sorted(snapshot.digests(repo))
        step = max(len(paths) // max(count // 4, 1), 1)
        for path in paths[::step]:
            ids += snapshot.outline(repo, path)[:4]
    return list(snapshot.fetch(ids[:PER_REPO]).values())


def measured(
    searchers: dict[str, Searcher], queries: Sequence[Query], rounds: int
) -> dict[str, list[float]]:
    """Of each way the CPU milliseconds of every question, the best of some rounds."""
    best = {name: [float("inf")] * len(queries) for name in searchers}
    for _ in range(rounds):
        for at, query in enumerate(queries):
            for name, searcher in searchers.items():
                began = time.process_time()
                searcher.search(query)
                spent = (time.process_time() - began) * 1e3
                best[name][at] = min(best[name][at], spent)
    return best


if __name__ == "__main__":
    main()
