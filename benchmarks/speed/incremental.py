"""Incremental: what one changed file of a working copy costs, to the moment it is found."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchmarks.speed.clock import measured
from benchmarks.speed.corpus import Sampled
from plait.assembly import open_index
from plait.settings import Settings

MARKER = "zyzzyvaTelemetryHandshake"


def copy_files(corpus: Path, into: Path, count: int) -> int:
    """Copy the first files of a corpus; how many there were."""
    copied = 0
    for item in Sampled(corpus, at_most=count).listing():
        target = into / item.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(corpus / item.path, target)
        copied += 1
    return copied


def one_changed_file(corpus: Path, work: Path, count: int) -> dict[str, float]:
    """Build an index of ``count`` files, refresh it unchanged, then change one and find it."""
    tree = work / "tree"
    files = copy_files(corpus, tree, count)
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all")):
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
        subprocess.run(["git", "-C", str(tree), *identity, *command], check=True)
    index = open_index(tree, Settings(cache_dir=str(work / "cache")))
    _, full_cpu, full_wall = measured(index.refresh)
    _, settle_cpu, _ = measured(index.refresh)  # files written moments ago are read once more
    noop_report, noop_cpu, noop_wall = measured(index.refresh)
    assert noop_report.did_nothing

    changed = min(tree.rglob("*.py"))
    with changed.open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef {MARKER}():\n    return 1\n")
    answer, change_cpu, change_wall = measured(lambda: index.search(MARKER, limit=1))
    found = answer.results[0].chunk if answer.results else None
    assert found is not None
    assert found.symbol is not None
    assert found.symbol.name == MARKER
    return {
        "files": files,
        "full_cpu_s": full_cpu,
        "full_wall_s": full_wall,
        "settle_cpu_s": settle_cpu,
        "noop_cpu_s": noop_cpu,
        "noop_wall_s": noop_wall,
        "noop_share_of_full": noop_cpu / full_cpu,
        "change_cpu_s": change_cpu,
        "change_wall_s": change_wall,
        "change_share_of_full": change_cpu / full_cpu,
    }
