"""One engine in a process of its own, asked question by question over a pipe.

    python contender.py plait|semble TREE WORK MODEL

The first line it writes says what it indexed. From then on each line read is a JSON pair of a
way to ask and a question, and each line written the CPU milliseconds of the answer and the
paths found. It runs in the environment of the engine it holds, so nothing but the standard
library is imported before that engine.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

LIMIT = 10  # results

Way = Callable[[str], list[str]]  # a question in, the paths of the results out


class Contender(NamedTuple):
    """An engine that has indexed the tree."""

    ways: Mapping[str, Way]
    about: Mapping[str, object]


def plait(tree: Path, work: Path, model: str) -> Contender:
    """plait, in each of its modes."""
    from dataclasses import replace
    from functools import partial

    from plait.answering.index import Index
    from plait.assembly import open_index
    from plait.search.plan import MODES
    from plait.settings import Settings
    from plait.types import Snapshot

    settings = replace(Settings(), cache_dir=str(work / "plait"), workers=1, model=model)
    indexes = {mode: open_index(tree, replace(settings, mode=mode)) for mode in MODES}
    whole = indexes["hybrid"]
    whole.refresh()
    whole.embed()
    snapshot = whole.snapshot()
    dense = whole.reader.dense
    assert dense is not None

    def asked(index: Index, snapshot: Snapshot, text: str) -> list[str]:
        answer = index.ask(snapshot, text, limit=LIMIT)
        return [result.chunk.path for result in answer.results]

    ways = {f"plait, {mode}": partial(asked, index, snapshot) for mode, index in indexes.items()}
    counts = snapshot.statistics()
    about = {"chunks": counts.chunks, "files": counts.files, "model": dense.encoder.name}
    return Contender(ways, about)


def semble(tree: Path, work: Path, model: str) -> Contender:
    """semble, as it is called, and without the log of its own use that it writes."""
    del work  # its cache is named by an environment variable
    from semble import SembleIndex  # type: ignore[import-not-found]  # has its own environment
    from semble.search import search  # type: ignore[import-not-found]

    index = SembleIndex.from_path(tree, model_path=model or None)

    def called(text: str) -> list[str]:
        return [result.chunk.file_path for result in index.search(text, top_k=LIMIT)]

    def unlogged(text: str) -> list[str]:
        lanes = (index._semantic_index, index._bm25_index)  # noqa: SLF001 - as it calls itself
        return [
            result.chunk.file_path
            for result in search(text, index.model, *lanes, index.chunks, LIMIT)
        ]

    about = {"chunks": index.stats.total_chunks, "files": index.stats.indexed_files}
    return Contender({"semble, as called": called, "semble, without its log": unlogged}, about)


def main() -> None:
    """Index, then answer until the pipe is closed."""
    name, tree, work, model = sys.argv[1:]
    start = time.process_time()
    made = {"plait": plait, "semble": semble}[name](Path(tree), Path(work), model)
    _tell({**made.about, "ways": list(made.ways), "index_cpu_s": time.process_time() - start})
    for line in sys.stdin:
        way, text = json.loads(line)
        ask = made.ways[way]
        before = time.process_time_ns()
        paths = ask(text)
        _tell([(time.process_time_ns() - before) / 1e6, paths])


def _tell(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
