"""Bombs: ``python -m tools.fuzz.bombs``: small things that unfold, and too many of them.

Each bomb is a tree that holds a plain file beside it and is indexed and searched by the real
command. The plain file has to be found; no parse worker may hold more than 512 MB, which the
kernel counts (``VmHWM``); and no file may cost more than 30 s of processor time, so that a tree
of one bomb has to be done within that. (Wall time is told, too, but says more of the machine: a
worker's own deadline is 30 s of it, whatever else runs.) What does not hold is printed and makes
the exit code 1. Another build can be tried with ``--plait``.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools.attack.bench import GOOD, GOOD_NAME, GOOD_WORD
from tools.attack.files import NESTS, git
from tools.record import ROOT, command_line, write_record

MAX_WORKER_BYTES = 512 << 20
MAX_SECONDS_A_FILE = 30.0
WORKER = "plait.index.prepare"
LOOK_S = 0.02
MB = 1 << 20
GB = 1 << 30


@dataclass(frozen=True, slots=True)
class Bomb:
    """A tree, and how many of its files are out to harm."""

    name: str
    plant: Callable[[Path], None]
    files: int = 1


@dataclass(slots=True)
class Outcome:
    """What a bomb did."""

    name: str
    wall_s: float = 0.0
    cpu_s: float = 0.0
    worker_bytes: int = 0  # of the worker that held most
    plait_bytes: int = 0
    said: str = ""
    broken: list[str] = field(default_factory=list)


class Watch(threading.Thread):
    """Looks at the most memory that a process and each of those below it have held."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._over = threading.Event()
        self.plait_bytes = self.worker_bytes = 0

    def run(self) -> None:
        while not self._over.wait(LOOK_S):
            self.plait_bytes = max(self.plait_bytes, _peak(self._pid))
            for child in _below(self._pid):
                if WORKER in _arguments_of(child):
                    self.worker_bytes = max(self.worker_bytes, _peak(child))

    def end(self) -> None:
        self._over.set()
        self.join()


def _peak(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    held = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(held[0]) * 1024 if held else 0


def _below(pid: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(c) for at in threads for c in (at / "children").read_text("utf-8").split()]
    except OSError:
        return []


def _arguments_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


# ---------------------------------------------------------------- the trees


def _line(size: int, settings: str = "") -> Callable[[Path], None]:
    def plant(tree: Path) -> None:
        with (tree / "line.py").open("wb") as file:
            file.writelines(b"word " * (MB // 5) for _ in range(size // MB))
        if settings:
            (tree / ".plait.toml").write_text(settings, encoding="utf-8")

    return plant


def _archives(tree: Path) -> None:
    """Archives that unfold to a gigabyte, by their names and by names of code."""
    zeros = bytes(16 * MB)
    with zipfile.ZipFile(tree / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(64):
            archive.writestr(f"{number}.py", zeros)
    with tarfile.open(tree / "bomb.tar.gz", "w:gz", compresslevel=1) as packed:
        for number in range(64):
            entry = tarfile.TarInfo(f"../{number}.py")
            entry.size = len(zeros)
            packed.addfile(entry, io.BytesIO(zeros))
    (tree / "bomb.gz").write_bytes(gzip.compress(zeros * 8, 1))
    for suffix in ("zip", "tar.gz", "gz"):
        shutil.copy(tree / f"bomb.{suffix}", tree / f"{suffix.replace('.', '_')}.py")


def _pack(tree: Path) -> None:
    """A repository whose pack holds a gigabyte of zeros in a megabyte, and no such file."""
    git(tree, "init", "-q")
    large = tree / "large.py"
    with large.open("wb") as file:
        file.truncate(GB)
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "bomb")
    git(tree, "gc", "-q")
    large.unlink()


def _brackets(tree: Path) -> None:
    for number in range(20):
        (tree / f"brackets{number:02}.py").write_bytes(b"(" * (MB - 1))


def _nests(suffix: str) -> Callable[[Path], None]:
    def plant(tree: Path) -> None:
        for number, text in enumerate(NESTS.values()):
            (tree / f"nest{number}.{suffix}").write_text(text, encoding="utf-8")

    return plant


def _flat(tree: Path) -> None:
    """A list so long that its syntax tree needs more memory than a worker has."""
    (tree / "flat.py").write_bytes(b"x = [" + b"1," * 1_400_000 + b"]\n")
    (tree / ".plait.toml").write_text(f"max_bytes = {4 * MB}\n", encoding="utf-8")


def _tiny(count: int) -> Callable[[Path], None]:
    def plant(tree: Path) -> None:
        for first in range(0, count, 1_000):
            folder = tree / f"d{first // 1_000:04}"
            folder.mkdir()
            for number in range(first, min(first + 1_000, count)):
                (folder / f"f{number}.txt").write_bytes(b"x%d\n" % number)

    return plant


def bombs(tiny: int) -> list[Bomb]:
    """Every bomb, cheap ones first."""
    return [
        Bomb("a line of 1 GB", _line(GB)),
        Bomb("a line of 1 MB", _line(MB)),
        Bomb("a line of 4 MB, allowed", _line(4 * MB, f"max_bytes = {4 * MB}\n")),
        Bomb("archives of 1 GB", _archives, 6),
        Bomb("a pack of 1 GB", _pack),
        Bomb("20 files of 1 MB of (", _brackets, 20),
        Bomb("a list of 1,400,000 numbers", _flat),
        Bomb("10 nests in C++", _nests("cpp"), len(NESTS)),
        Bomb("10 nests in Kotlin", _nests("kt"), len(NESTS)),
        Bomb(f"{tiny:,} tiny files", _tiny(tiny), tiny),
    ]


# ---------------------------------------------------------------- trying them


def drop(bomb: Bomb, plait: Sequence[str], folder: Path) -> Outcome:
    """Plant a bomb in an empty folder, index it and look for the plain file."""
    tree = folder / "tree"
    tree.mkdir()
    (tree / GOOD_NAME).write_text(GOOD, encoding="utf-8")
    bomb.plant(tree)
    outcome = Outcome(bomb.name)
    env = {**os.environ, "PLAIT_CACHE_DIR": str(folder / "cache"), "PLAIT_MODE": "lexical"}
    before, began = _children_cpu(), time.monotonic()
    run = subprocess.Popen(
        [*plait, "index", str(tree)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    watch = Watch(run.pid)
    watch.start()
    out, _ = run.communicate()
    watch.end()
    outcome.wall_s = round(time.monotonic() - began, 2)
    outcome.cpu_s = round(_children_cpu() - before, 2)
    outcome.worker_bytes, outcome.plait_bytes = watch.worker_bytes, watch.plait_bytes
    outcome.said = "; ".join(out.splitlines()[1:-1])  # what was skipped or is text, and why
    found = subprocess.run(
        [*plait, GOOD_WORD, str(tree), "--json"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        outcome.broken.append(f"exit code {run.returncode}")
    if found.returncode or GOOD_NAME not in found.stdout:
        outcome.broken.append("the plain file is not found")
    if outcome.worker_bytes > MAX_WORKER_BYTES:
        outcome.broken.append("a worker held more than 512 MB")
    if outcome.cpu_s > MAX_SECONDS_A_FILE * bomb.files:
        outcome.broken.append(f"more than {MAX_SECONDS_A_FILE:g} s a file")
    return outcome


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(outcomes: Sequence[Outcome]) -> str:
    """The figures of a run as a Markdown table."""
    lines = [
        "| bomb | wall s | CPU s | worker MB | plait MB | said | broke |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.name} | {one.wall_s:,.1f} | {one.cpu_s:,.1f} | {one.worker_bytes / MB:,.0f} "
        f"| {one.plait_bytes / MB:,.0f} | {one.said} | {'; '.join(one.broken) or 'nothing'} |"
        for one in outcomes
    ]
    broke = sum(bool(one.broken) for one in outcomes)
    lines.append(f"\n{len(outcomes)} bombs, {broke} broke something.")
    return "\n".join(lines) + "\n"


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Index trees that are made to unfold.")
    parser.add_argument("--only", action="append", help="bombs whose name holds this")
    parser.add_argument("--tiny", type=int, default=100_000, help="how many tiny files")
    parser.add_argument("--plait", default="", help="the command to try, instead of this build")
    parser.add_argument("--no-record", action="store_true", help="only print the figures")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if every bomb was held, 1 if one was not."""
    asked = _arguments(argv)
    plait = [asked.plait] if asked.plait else [sys.executable, "-P", "-m", "plait"]
    outcomes: list[Outcome] = []
    for bomb in bombs(asked.tiny):
        if asked.only and not any(part in bomb.name for part in asked.only):
            continue
        with tempfile.TemporaryDirectory(prefix="plait-bomb-") as scratch:
            outcomes.append(drop(bomb, plait, Path(scratch)))
        print(json.dumps(asdict(outcomes[-1])), flush=True)
    if not asked.no_record:
        folder = write_record(
            "fuzz-bombs",
            command_line("tools.fuzz.bombs"),
            {"bombs": [asdict(outcome) for outcome in outcomes]},
            table(outcomes),
            ["tree-sitter"],
        )
        print(f"record: {folder.relative_to(ROOT)}")
    return 1 if any(outcome.broken for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
