"""Changed: the time from the change of one file among many until its new lines are found."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

from benchmarks.speed.clock import measured
from benchmarks.speed.incremental import MARKER, copy_files
from plait.answering.index import Index
from plait.assembly import open_index
from plait.settings import Settings
from plait.types import FileLines, LineQuery, Pattern

ROUNDS = 5


def run(corpus: Path, work: Path, *, files: int) -> dict[str, object]:
    """Index a working copy of so many files; then change one, refresh and look for the change."""
    tree = work / "changed"
    count = copy_files(corpus, tree, files)
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all")):
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
        subprocess.run(["git", "-C", str(tree), *identity, *command], check=True)
    index = open_index(tree, Settings(cache_dir=str(work / "changed-cache")))
    _, full_cpu, _ = measured(index.refresh)
    index.refresh()  # files written moments ago are read once more
    walls, cpus = [], []
    for turn, file in enumerate(sorted(tree.rglob("*.py"))[:ROUNDS]):
        with file.open("a", encoding="utf-8") as end:
            end.write(f"\n\ndef {MARKER}{turn}():\n    return {turn}\n")
        lines, cpu, wall = measured(partial(_found, index, f"{MARKER}{turn}"))
        assert lines.path == str(file.relative_to(tree))
        assert lines.lines[0].defines
        walls.append(wall)
        cpus.append(cpu)
    return {"files": count, "full_cpu_s": full_cpu, "wall_s": walls, "cpu_s": cpus}


def _found(index: Index, name: str) -> FileLines:
    index.refresh()
    first, *_ = index.snapshot().grep(LineQuery((Pattern(name),), limit=1))
    assert isinstance(first, FileLines)
    return first
