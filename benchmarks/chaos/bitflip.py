"""Damage an index in every way and ask it: ``python benchmarks/chaos/bitflip.py --n 1000``.

Each trial copies a sound index, damages one file of its generation (a bit, a byte, a block of
zeros, the end cut off, the file removed) and then, in a process of its own, opens it, asks by
words and by vectors, reads every chunk and every vector, and runs the check. Damage must be
*detected*, by the search or by the check, or be *harmless*, all answers the same. What must
not happen: a *silent* wrong answer that the check does not know of, a *crash*, a *hang*, an
*unforeseen* exception.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script, only this folder is on the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.chaos.contents import answers, contents, opened
from benchmarks.chaos.meaning import embed, near
from benchmarks.chaos.record import say, write_counts
from benchmarks.chaos.tree import edit, grow
from benchmarks.record import ROOT
from plait.errors import PlaitError

MAX_SECONDS = 60
MAX_MEMORY_BYTES = 4 << 30
DAMAGES = ("bit", "byte", "zeros", "truncated", "removed")
BAD = ("silent", "crash", "hang", "unforeseen")


def build(folder: Path, *, files: int, seed: int) -> None:
    """An index with a history: several layers, segments and dead files, not all embedded."""
    rng = random.Random(seed)
    grow(folder / "tree", files, seed)
    index = opened(folder / "tree", folder / "cache")
    index.refresh()
    for _ in range(4):
        embed(index)
        edit(folder / "tree", rng)
        index.refresh()


def look(folder: Path) -> dict[str, Any]:
    """Everything an index says, or how it failed to say it."""
    index = opened(folder / "tree", folder / "cache")
    said: dict[str, Any] = {"error": "", "unforeseen": ""}
    try:
        snapshot = index.snapshot()
        said["answers"] = answers(index, snapshot)
        said["contents"] = contents(snapshot)
        said["near"] = near(snapshot)
    except PlaitError as error:
        said["error"] = f"{type(error).__name__}: {error}"
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is the finding
        said["unforeseen"] = f"search: {type(error).__name__}: {error}"[:500]
    try:
        said["check"] = list(index.store.check())
    except PlaitError as error:
        said["check"] = [f"{type(error).__name__}: {error}"]
    except BaseException as error:  # noqa: BLE001  # the same
        said["check"] = []
        said["unforeseen"] += f"check: {type(error).__name__}: {error}"[:500]
    return said


def in_a_process(folder: Path) -> tuple[dict[str, Any] | None, int]:
    """``look`` in a process of its own: what it said, and the signal that ended it, if any."""
    out = folder / "said.json"
    child = os.fork()
    if child == 0:
        try:
            _confine()
            out.write_text(json.dumps(look(folder)), encoding="utf-8")
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None, os.WTERMSIG(status)
    return (json.loads(out.read_text(encoding="utf-8")) if out.exists() else None), 0


def _confine() -> None:
    import resource

    signal.alarm(MAX_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # panics of the engine


def damage(path: Path, kind: str, rng: random.Random) -> str:
    """Damage a file; what was done, in words."""
    content = bytearray(path.read_bytes())
    if kind == "removed":
        path.unlink()
        return "removed"
    if not content:
        path.write_bytes(b"\0")
        return "one byte where there was none"
    at = rng.randrange(len(content))
    path.unlink()  # a hard link would share the damage
    if kind == "truncated":
        path.write_bytes(content[:at])
        return f"cut to {at} of {len(content)} bytes"
    if kind == "bit":
        content[at] ^= 1 << rng.randrange(8)
        done = f"a bit of byte {at} of {len(content)}"
    elif kind == "byte":
        content[at] = (content[at] + rng.randrange(1, 256)) % 256
        done = f"byte {at} of {len(content)}"
    else:
        size = min(rng.randint(1, 4096), len(content) - at)
        content[at : at + size] = bytes(size)
        done = f"{size} zeros at {at} of {len(content)}"
    path.write_bytes(content)
    return done


def victims(store: Path, only: str = "*") -> list[Path]:
    """The files of an index that can be damaged, of those whose names match a glob."""
    files = sorted(path for path in store.rglob(only) if path.is_file())
    return [path for path in files if "lock" not in path.name and path.parent.name != "stamps"]


def verdict(said: dict[str, Any] | None, ended_by: int, sound: dict[str, Any]) -> str:
    """What became of the damage."""
    if ended_by == signal.SIGALRM:
        return "hang"
    if said is None:
        return "crash"
    if said["unforeseen"]:
        return "unforeseen"
    if said["error"]:
        return "detected by search"
    is_same = all(said[part] == sound[part] for part in ("answers", "contents", "near"))
    if said["check"]:
        return "detected by check, answers the same" if is_same else "detected by check"
    return "harmless" if is_same else "silent"


def damage_repeatedly(
    count: int, *, files: int = 60, seed: int = 0, only: str = "*"
) -> list[dict[str, Any]]:
    """Run so many trials, on the files a glob matches; a row for each."""
    rng = random.Random(seed)
    rows = []
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # this process forks: it has no threads
    import_module("numpy")  # once, not in every trial
    with tempfile.TemporaryDirectory("-plait-bitflip") as name:
        base, trial = Path(name) / "base", Path(name) / "trial"
        if os.fork() == 0:  # this process must stay free of the engine's threads
            build(base, files=files, seed=seed)
            os._exit(0)
        os.wait()
        sound, _ = in_a_process(base)
        if sound is None or sound["error"] or sound["unforeseen"] or sound["check"]:
            raise SystemExit(f"the sound index is not sound: {sound}")
        (base / "said.json").unlink()
        for number in range(count):
            # The index is found by its tree's path, so the trial takes the base's place.
            base.rename(trial)
            shutil.copytree(trial, base)
            path = rng.choice(victims(base / "cache", only))
            kind = rng.choice(DAMAGES)
            row: dict[str, Any] = {"trial": number, "kind": kind}
            row["file"] = "/".join(path.relative_to(base / "cache").parts[1:])
            row["done"] = damage(path, kind, rng)
            began = time.monotonic()
            said, row["signal"] = in_a_process(base)
            row["seconds"] = round(time.monotonic() - began, 3)
            row["verdict"] = verdict(said, row["signal"], sound)
            words = "" if said is None else said["unforeseen"] or said["error"]
            row["said"] = words.replace(str(base), "BASE")
            rows.append(row)
            if row["verdict"] in BAD:
                say(f"{row}")
            shutil.rmtree(base)
            trial.rename(base)
    return rows


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the trials come to."""
    verdicts = Counter(row["verdict"] for row in rows)
    kinds = ("detected by search", "detected by check", "detected by check, answers the same")
    return {
        "trials": len(rows),
        **{name: verdicts[name] for name in (*kinds, "harmless", *BAD)},
        "slowest trial, seconds": max(row["seconds"] for row in rows),
    }


def main() -> None:
    """Run the trials and record them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--n", type=int, default=1000, help="how many damages")
    parser.add_argument("--files", type=int, default=60, help="files of the tree")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="*", help="names of the files to damage, as a glob")
    parser.add_argument("--no-record", action="store_true", help="print only")
    asked = parser.parse_args()
    rows = damage_repeatedly(asked.n, files=asked.files, seed=asked.seed, only=asked.only)
    counted = summary(rows)
    if not asked.no_record:
        command = (
            f"python benchmarks/chaos/bitflip.py --n {asked.n} --files {asked.files} "
            f"--seed {asked.seed} --only '{asked.only}'"
        )
        folder = write_counts("bitflip", command, counted, rows)
        say(f"record: {folder.relative_to(ROOT)}")
    print(json.dumps(counted))
    sys.exit(1 if any(counted[name] for name in BAD) else 0)


if __name__ == "__main__":
    main()
