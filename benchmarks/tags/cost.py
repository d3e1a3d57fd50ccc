"""Cost: what tagging takes of the CPU time of a first index."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.tags.trees import Found
from plait.sources.tags import tags_of

ROUNDS = 20
INDEX_ROUNDS = 3


class Cost(NamedTuple):
    """CPU time of the sample's files, best of many rounds."""

    files: int
    tagging_s: float
    indexing_s: float  # a whole first index of the same files, words only, tagging included

    @property
    def micros(self) -> float:
        """Of tagging, a file."""
        return 1e6 * self.tagging_s / max(self.files, 1)

    @property
    def share(self) -> float:
        """Of a first index."""
        return self.tagging_s / self.indexing_s


def cost(read: Sequence[Found]) -> Cost:
    """Tag the files, and index them from nothing."""
    with tempfile.TemporaryDirectory() as tree:
        for number, one in enumerate(read):
            name = one.path.rpartition("/")[2]
            file = Path(tree, str(number), name)
            file.parent.mkdir()
            file.write_bytes(one.content)
        return Cost(
            len(read),
            min(_tagging(read) for _ in range(ROUNDS)),
            min(_indexing(Path(tree)) for _ in range(INDEX_ROUNDS)),
        )


def _tagging(read: Sequence[Found]) -> float:
    began = time.process_time()
    for one in read:
        tags_of(one.path, one.content)
    return time.process_time() - began


def _indexing(tree: Path) -> float:
    with tempfile.TemporaryDirectory() as cache:
        known = {"PLAIT_CACHE_DIR": cache, "PLAIT_MODE": "lexical", "PLAIT_WORKERS": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "plait", "index", "."],
            check=True,
            capture_output=True,
            cwd=tree,
            env={**os.environ, **known},
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
