"""The process whose writes are recorded: it builds, embeds, edits, merges, rebuilds and clears.

``python -m tools.chaos.powerloss_writer TREE CACHE LOG SEED ROUNDS``. A line of the log is
written after each step has returned: which generation is acknowledged, and what it holds.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from plait.answering.index import Index
from tools.chaos.contents import opened
from tools.chaos.indexing import acknowledge
from tools.chaos.meaning import embed
from tools.chaos.tree import edit


def embed_all(index: Index, lacking: int, log: Path) -> None:
    """Make vectors, one portion at a time."""
    while lacking:
        lacking = acknowledge(index, embed(index), log)


def main() -> None:
    """Do everything that writes, some rounds of it."""
    tree, cache, log = map(Path, sys.argv[1:4])
    rng, rounds = random.Random(sys.argv[4]), int(sys.argv[5])
    index = opened(tree, cache)
    lacking = acknowledge(index, index.refresh().generation, log)
    embed_all(index, lacking, log)
    for number in range(rounds):
        edit(tree, rng)
        lacking = acknowledge(index, index.refresh().generation, log)
        if number % 2:
            embed_all(index, lacking, log)
    lacking = acknowledge(index, index.refresh(anew=True).generation, log)
    embed_all(index, lacking, log)
    edit(tree, rng)
    acknowledge(index, index.refresh().generation, log)


if __name__ == "__main__":
    main()
