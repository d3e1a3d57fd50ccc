"""The process that gets killed: edits a tree and indexes it, again and again.

``python -m benchmarks.chaos.indexing TREE CACHE LOG SEED WORKERS``. A line of the log, written
after a refresh has returned, says which generation was acknowledged and what it holds.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from benchmarks.chaos.contents import fingerprint, opened
from benchmarks.chaos.tree import edit


def main() -> None:
    """Edit and index until killed, or until nobody is left to kill it."""
    parent = os.getppid()
    tree, cache, log, seed, workers = sys.argv[1:]
    rng = random.Random(seed)
    index = opened(Path(tree), Path(cache), workers=int(workers))
    with Path(log).open("a", encoding="ascii") as file:
        while os.getppid() == parent:
            edit(Path(tree), rng)
            report = index.refresh()
            snapshot = index.snapshot()
            assert snapshot.generation == report.generation
            file.write(f"{report.generation} {fingerprint(snapshot)}\n")
            file.flush()
            os.fsync(file.fileno())


if __name__ == "__main__":
    main()
