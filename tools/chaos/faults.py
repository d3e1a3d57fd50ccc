"""Fail every n-th call: ``python -m tools.chaos.faults``.

The real command indexes a changed tree, or searches it, over an index that is sound. It is first
watched by strace: which of its calls to the system touch the cache. Then it is run once for each
of them, and that call fails: the disk is full (``ENOSPC``), broken (``EIO``), or there is no memory
from then on (``ENOMEM``). What must hold each time: a snapshot that was open before still answers
as it did; the index opens as the generation before or as the new one, whole; a command that says
it has succeeded has; what is printed as an answer is right, or words come with it; and the next
command, without faults, makes the index that it should be.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tools.chaos.bitflip_trials import in_a_process
from tools.chaos.contents import fingerprint, opened
from tools.chaos.record import conclude, say
from tools.chaos.tree import edit, grow
from tools.chaos.write_trace import calls

WRITING = "write,pwrite64,copy_file_range,sendfile,ftruncate,mkdir,rename,openat".split(",")
READING = "openat,read,pread64,mmap,newfstatat,fstat,getdents64".split(",")
SYNCING = "fsync,fdatasync,unlink,unlinkat".split(",")
ERRORS = {"ENOSPC": WRITING, "EIO": [*dict.fromkeys([*WRITING, *READING, *SYNCING])]}
MEMORY = "mmap"
MEMORY_STEP = 7  # every so-manyth allocation is the one from which there is no memory
COMMANDS = {"index": ("index", "TREE"), "search": ("search", "parse token stream", "TREE")}
MAX_SECONDS = 100
INJECTED = "(INJECTED)"
BUG = re.compile(r"Traceback|this is a bug|panicked", re.IGNORECASE)


class Point(NamedTuple):
    """A call that fails."""

    command: str
    call: str
    number: int  # of its kind, in its thread
    error: str
    place: str  # what it touches

    @property
    def injection(self) -> str:
        on = "+" if self.error == "ENOMEM" else ""
        return f"{self.call}:error={self.error}:when={self.number}{on}"


class Bench:
    """A sound index, a tree that has changed since, and what is right."""

    def __init__(self, folder: Path, files: int, seed: int) -> None:
        self.folder, self.tree = folder, folder / "tree"
        self._sound, self.cache = folder / "sound", folder / "cache"
        grow(self.tree, files, seed)
        self._indexed(self._sound)
        self.old = self._fingerprint(self._sound)
        edit(self.tree, random.Random(seed))
        self.renew()
        self._indexed(self.cache)
        self.new = self._fingerprint(self.cache)
        assert self.old != self.new
        self.answer = self.run("search").stdout
        assert self.answer

    def renew(self) -> None:
        """The sound index of the tree as it was."""
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(self._sound, self.cache)

    def run(self, name: str, *before: str) -> subprocess.CompletedProcess[str]:
        """The command, behind another if one is given."""
        words = [str(self.tree) if word == "TREE" else word for word in COMMANDS[name]]
        return self._command(self.cache, *words, before=before)

    def points(self, name: str) -> Iterator[Point]:
        """Every call of a command that can be made to fail."""
        self.renew()
        trace = self.folder / "trace"
        traced = ",".join(sorted({call for some in ERRORS.values() for call in some}))
        self.run(name, "strace", "-f", "-y", "-o", str(trace), "-e", f"trace={traced}")
        touched: dict[tuple[str, int], str] = {}
        allocations = 0
        for call, number, told in _calls(trace):
            if str(self.cache) in told:
                place = told.partition(str(self.cache))[2].split('"')[0].split(">")[0]
                touched.setdefault((call, number), re.sub(r"[0-9a-f]{16,}", "*", place))
            if call == MEMORY:
                allocations = max(allocations, number)
        for error, kinds in ERRORS.items():
            for (call, number), place in sorted(touched.items()):
                if call in kinds:
                    yield Point(name, call, number, error, place)
        first = min((number for call, number in touched if call == MEMORY), default=0)
        for number in range(first, allocations, MEMORY_STEP):
            yield Point(name, MEMORY, number, "ENOMEM", "")

    def trial(self, point: Point) -> dict[str, Any]:
        """Fail one call and look at what is left."""
        self.renew()
        index = opened(self.tree, self.cache)
        snapshot = index.snapshot()
        trace = self.folder / "injected"
        before = ("strace", "-f", "-y", "-o", str(trace), "-e", f"inject={point.injection}")
        quiet = ("-e", f"trace={point.call}", "--seccomp-bpf")
        done = self.run(point.command, *before, *quiet)
        hit = _injected(trace)
        is_tree = any(str(self.tree) in line for line in hit)  # then a file of it is left out
        faults = []
        if fingerprint(snapshot) != self.old:
            faults.append("the snapshot that was open has changed")
        found = fingerprint(opened(self.tree, self.cache).snapshot())
        if found not in (self.old, self.new) and not is_tree:
            faults.append("neither the old generation nor the new one")
        is_quiet = not done.stderr.strip() and not is_tree
        if done.returncode == 0 and is_quiet and found != self.new:
            faults.append("said to be done, and is not")
        is_answer = point.command == "search" and done.returncode == 0
        if is_answer and is_quiet and done.stdout != self.answer:
            faults.append("a wrong answer without a word")
        again = self.run("index")
        if again.returncode != 0:
            faults.append(f"the next command fails: {again.stderr[-200:]}")
        else:
            after = opened(self.tree, self.cache)
            faults += [f"afterwards: {one}" for one in after.reader.store.check()]
            if fingerprint(after.snapshot()) != self.new:
                faults.append("afterwards it is not the tree")
        return {
            "exit": done.returncode,
            "found": {self.old: "old", self.new: "new"}.get(found, "other"),
            "bug": bool(BUG.search(done.stderr)),
            "said": done.stderr.replace(str(self.folder), "FOLDER")[-300:],
            "fault": "; ".join(faults),
            "hit": [line.replace(str(self.folder), "FOLDER")[:200] for line in hit[:3]],
        }

    def _indexed(self, cache: Path) -> None:
        done = self._command(cache, "index", str(self.tree))
        assert done.returncode == 0, done.stderr

    def _fingerprint(self, cache: Path) -> str:
        given, _ = in_a_process(
            self.folder, lambda: {"is": fingerprint(opened(self.tree, cache).snapshot())}
        )
        assert given is not None
        return str(given["is"])

    def _command(
        self, cache: Path, *words: str, before: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PLAIT_CACHE_DIR": str(cache), "PLAIT_WORKERS": "1"}
        command = [*before, sys.executable, "-P", "-m", "plait", *words]
        try:
            return subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                env=environment,
                timeout=MAX_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", "")


def _calls(trace: Path) -> Iterator[tuple[str, int, str]]:
    """Every call: its name, its number among those of its thread, and what it was given."""
    counted: Counter[tuple[str, str]] = Counter()
    for thread, call in calls(trace):
        counted[thread, call.group(1)] += 1
        yield call.group(1), counted[thread, call.group(1)], call.string


def _injected(trace: Path) -> list[str]:
    return [told for _, _, told in _calls(trace) if INJECTED in told]


def judge(given: dict[str, Any] | None, ended_by: int) -> str:
    """Held, or in what way not."""
    if given is None:
        return f"the judge was ended by signal {ended_by}"
    if given["fault"]:
        return str(given["fault"])
    return "it never ended" if given["exit"] == 124 else ""


def fail_all(files: int, *, seed: int = 0, every: int = 1, only: str = "") -> list[dict[str, Any]]:
    """A row for every call that was made to fail."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory("-plait-faults") as name:
        bench = Bench(Path(name).resolve(), files, seed)
        points = [point for command in COMMANDS for point in bench.points(command)]
        points = [point for point in points if only in f"{point.command} {point.injection}"]
        say(f"{len(points)} calls can fail; every {every} of them does")
        for number, point in enumerate(points[::every]):
            given, ended_by = in_a_process(bench.folder, lambda one=point: bench.trial(one))  # type: ignore[misc]  # bound at once
            broke = judge(given, ended_by)
            row = {**point._asdict(), **(given or {}), "broke": broke}
            rows.append(row)
            if broke or (given and given["bug"]):
                say(f"{row}")
            if number % 50 == 49:
                say(f"{number + 1} done, {sum(bool(row['broke']) for row in rows)} broke")
    return rows


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the trials come to."""
    counted: dict[str, Any] = {"calls that failed": len(rows)}
    for command in COMMANDS:
        for error in (*ERRORS, "ENOMEM"):
            some = [row for row in rows if (row["command"], row["error"]) == (command, error)]
            exits = Counter(row.get("exit") for row in some)
            told = ", ".join(f"exit {code}: {count}" for code, count in sorted(exits.items()))
            bugs = sum(row.get("bug", False) for row in some)
            broke = sum(bool(row["broke"]) for row in some)
            counted[f"{command}, {error}"] = (
                f"{len(some)} ({told}; no plain words {bugs}): {broke} broke"
            )
    counted["broke"] = sum(bool(row["broke"]) for row in rows)
    return counted


def main() -> None:
    """Fail every call and record what was left."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=8, help="files of the tree")
    parser.add_argument("--every", type=int, default=1, help="fail only every so-manyth call")
    parser.add_argument("--only", default="", help="what the command and the fault must hold")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-record", action="store_true", help="print only")
    asked = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # this process forks: it has no threads
    rows = fail_all(asked.files, seed=asked.seed, every=asked.every, only=asked.only)
    counted = summary(rows)
    conclude("faults", "tools.chaos.faults", counted, rows, record=not asked.no_record)
    sys.exit(1 if counted["broke"] else 0)


if __name__ == "__main__":
    main()
