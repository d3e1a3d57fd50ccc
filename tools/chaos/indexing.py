"""The process that gets killed: edits a tree, indexes it and makes vectors, again and again.

``python -m tools.chaos.indexing TREE CACHE LOG SEED WORKERS``. A line of the log, written
after a refresh or a portion of vectors has returned, says which generation was acknowledged,
how many of its chunks have no vector yet, and what it holds.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from plait.answering.index import Index
from tools.chaos.contents import fingerprint, opened
from tools.chaos.meaning import embed, missing
from tools.chaos.tree import edit, write_large

GOES_ON = 0.7  # how often a portion of vectors is followed by another, not by the next commit


def acknowledge(index: Index, generation: int, log: Path) -> int:
    """Write down a generation that is ours; how many of its chunks lack a vector."""
    snapshot = index.snapshot()
    assert snapshot.generation == generation
    lacking = missing(snapshot)
    with log.open("a", encoding="ascii") as file:
        file.write(f"{generation} {lacking} {fingerprint(snapshot)}\n")
        file.flush()
        os.fsync(file.fileno())
    return lacking


def main() -> None:
    """Edit, index and embed until killed, or until nobody is left to kill it."""
    parent = os.getppid()
    tree, cache, log, seed, workers = sys.argv[1:]
    rng = random.Random(seed)
    index = opened(Path(tree), Path(cache), workers=int(workers))
    print("ready", flush=True)  # imports take longer than what is to be interrupted
    while os.getppid() == parent:
        edit(Path(tree), rng)
        write_large(Path(tree), rng)
        lacking = acknowledge(index, index.refresh().generation, Path(log))
        while lacking and rng.random() < GOES_ON and os.getppid() == parent:
            lacking = acknowledge(index, embed(index), Path(log))


if __name__ == "__main__":
    main()
