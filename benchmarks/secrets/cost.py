"""Cost: what masking adds to a first index, by CPU time, in turns with masking turned off."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    """CPU seconds of whole first indexes, words only, in the order they were measured."""

    masked: list[float]
    shown: list[float]

    @property
    def share(self) -> float:
        return min(self.masked) / min(self.shown) - 1


def cost(tree: Path, rounds: int) -> Cost:
    """Index a tree from nothing, with masking and without, so many times each."""
    _index(tree)  # once, so that files are in memory
    taken = Cost([], [])
    for _ in range(rounds):
        taken.masked.append(_index(tree))
        taken.shown.append(_index(tree, "--include-secrets"))
    return taken


def _index(tree: Path, *options: str) -> float:
    with tempfile.TemporaryDirectory() as cache:
        known = {"PLAIT_CACHE_DIR": cache, "PLAIT_MODE": "lexical", "PLAIT_WORKERS": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "plait", "index", ".", *options],
            check=True,
            capture_output=True,
            cwd=tree,
            env={**os.environ, **known},
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
