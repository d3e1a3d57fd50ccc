"""Index a tree in a given order and print every answer as JSON.

``python -m tests.chaos.answering TREE WORKERS SHUFFLES``: a line for each shuffle of the files.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from math import inf
from pathlib import Path

from plait.index.refresh import refresh
from plait.types import Listed, Skipped, Source, SourceFile
from tests.contract.conftest import MEMORY
from tools.chaos.contents import answers, contents, opened
from tools.chaos.meaning import embed, nearest


class Shuffled:
    """A source that lists its files in no order."""

    def __init__(self, source: Source, seed: int) -> None:
        self._source = source
        self._seed = seed

    @property
    def name(self) -> str:
        return self._source.name

    def listing(self) -> Iterator[Listed | Skipped]:
        items = list(self._source.listing())
        if self._seed:
            random.Random(self._seed).shuffle(items)
        return iter(items)

    def read(self, path: str) -> SourceFile | Skipped:
        return self._source.read(path)


def answer(tree: Path, workers: int, seed: int) -> str:
    """Every answer of a fresh index, as one line; seed 0 leaves the files in order."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as cache:
        index = opened(tree, Path(cache))
        refresh(
            Shuffled(index.source, seed),
            index.reader.store,
            index.reader.lexical,
            stamps_path=index.writer.stamps_path,
            workers=workers,
        )
        embed(index, within_s=inf)
        snapshot = index.snapshot()
        return json.dumps([answers(index, snapshot), contents(snapshot), nearest(snapshot)])


def main() -> None:
    """Print a line for each shuffle."""
    tree, workers, shuffles = sys.argv[1:]
    for seed in range(int(shuffles)):
        print(answer(Path(tree), int(workers), seed))  # noqa: T201  # the parent compares


if __name__ == "__main__":
    main()
