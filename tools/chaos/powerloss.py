"""Cut the power at every sync: ``python -m tools.chaos.powerloss --rounds 10``.

A process that builds an index, embeds, edits, merges and rebuilds is recorded by strace: every
write with its bytes, every rename, every sync. Then it is replayed on a disk that may lose what
was not synced. At each sync, and each way in which what is unsynced can be lost, torn or come in
another order, the files that are left are laid out and opened. They must be the generation that
was acknowledged last or the one being written then, whole; every vector must be that of its chunk;
an acknowledged generation is never lost. A share of the states is then written to once more.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from plait.errors import IndexMissing, PlaitError
from tools.chaos.bitflip_trials import in_a_process
from tools.chaos.contents import fingerprint, opened
from tools.chaos.disk import Disk, Tree
from tools.chaos.meaning import missing, mixtures
from tools.chaos.record import conclude, say
from tools.chaos.tree import grow
from tools.chaos.write_trace import operations, record
from tools.record import ROOT

NONE = "none"  # no index yet
WRITER = "tools.chaos.powerloss_writer"


class Moment(NamedTuple):
    """A sync, what may be found if the power goes just before it, and what may be in it."""

    number: int
    synced: str  # the file or folder
    states: list[tuple[str, Tree]]
    acknowledged: str
    coming: str


def acknowledgements(log: Path) -> list[str]:
    """Every generation that was acknowledged, in order, after the nothing there was at first."""
    return [NONE, *log.read_text(encoding="ascii").splitlines()]


def moments(folder: Path, rng: random.Random, draws: int) -> Iterator[Moment]:
    """Every sync of the recorded process."""
    log, home = folder / "log", folder / "home"
    expected = acknowledgements(log)
    disk, known, number = Disk(str(home)), 0, 0
    for done in operations(folder / "trace", [home, log]):
        if done.path == str(log):
            known += done.name == "write"
            continue
        if done.name == "sync" and disk.unsafe:
            number += 1
            coming = expected[min(known + 1, len(expected) - 1)]
            states = list(disk.states(rng, draws))
            synced = Path(done.path).relative_to(home).as_posix()
            yield Moment(number, synced, states, expected[known], coming)
        disk.apply(done)
    yield Moment(number + 1, "the end", list(disk.states(rng, draws)), expected[-1], expected[-1])


def lay_out(tree: Tree, home: Path, target: Path) -> None:
    """Make the files that were found."""
    shutil.rmtree(target, ignore_errors=True)
    for path, content in tree.items():
        place = target / Path(path).relative_to(home)
        if content is None:
            place.mkdir(mode=0o700, parents=True)
        else:
            place.write_bytes(content)
            place.chmod(0o600)


def look(folder: Path, *, go_on: bool) -> dict[str, str]:
    """What is found in a state: a generation as the log writes it, or what is wrong."""
    index = opened(folder / "tree", folder / "state" / "cache")
    try:
        try:
            snapshot = index.snapshot()
        except IndexMissing:
            found, faults = NONE, []
        else:
            found = f"{snapshot.generation} {missing(snapshot)} {fingerprint(snapshot)}"
            faults = mixtures(index, snapshot)
        if go_on and not faults:
            index.refresh()
            faults += [f"written to once more: {fault}" for fault in index.reader.store.check()]
            if fingerprint(index.snapshot()) != (folder / "rebuilt").read_text(encoding="ascii"):
                faults.append("written to once more, it is not the tree")
    except PlaitError as error:
        return {"found": "refused", "fault": f"{type(error).__name__}: {error}"}
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is the finding
        return {"found": "unforeseen", "fault": f"{type(error).__name__}: {error}"[:500]}
    return {"found": found, "fault": "; ".join(faults)}


def judge(moment: Moment, given: dict[str, Any] | None) -> tuple[str, str]:
    """Old, new, or bad; and why."""
    if given is None:
        return "bad", "the process died"
    if given["fault"]:
        return "bad", given["fault"]
    if given["found"] == moment.acknowledged:
        return "old", ""
    if given["found"] == moment.coming:
        return "new", ""
    return "bad", f"found {given['found'][:40]}, acknowledged {moment.acknowledged[:40]}"


def cut_power(
    files: int, rounds: int, *, seed: int = 0, draws: int = 6, go_on: float = 0.02, every: int = 1
) -> list[dict[str, Any]]:
    """Record a process and cut its power at every sync, or so many; a row for each state."""
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory("-plait-powerloss") as name:
        folder = Path(name).resolve()
        grow(folder / "tree", files, seed)
        (folder / "home").mkdir(mode=0o700)
        paths = [str(folder / part) for part in ("tree", "home/cache", "log")]
        command = [sys.executable, "-m", WRITER, *paths, str(seed), str(rounds)]
        record(command, folder / "trace", ROOT)
        given, _ = in_a_process(folder, lambda: _rebuilt(folder))
        for module in given["loaded"] if given else ():  # once, not in every child
            with suppress(ImportError):
                import_module(module)
        seen: dict[bytes, tuple[str, str]] = {}
        for moment in moments(folder, rng, draws):
            if moment.number % every:
                continue
            for how, tree in moment.states:
                key = _key(tree, moment)
                is_new = key not in seen
                if is_new:
                    lay_out(tree, folder / "home", folder / "state")
                    goes_on = rng.random() < go_on
                    given, _ = in_a_process(folder, lambda on=goes_on: look(folder, go_on=on))  # type: ignore[misc]  # bound at once
                    seen[key] = judge(moment, given)
                verdict, why = seen[key]
                row = {"moment": moment.number, "synced": moment.synced, "how": how}
                row |= {"verdict": verdict, "why": why.replace(name, "FOLDER"), "opened": is_new}
                rows.append(row)
                if verdict == "bad" and is_new:
                    say(f"{row}")
            if moment.number % 20 == 0:
                say(f"{moment.number} syncs, {len(rows)} states, {len(seen)} opened")
    return rows


def _rebuilt(folder: Path) -> dict[str, list[str]]:
    index = opened(folder / "tree", folder / "other")
    index.refresh()
    snapshot = index.snapshot()
    assert not mixtures(index, snapshot)
    (folder / "rebuilt").write_text(fingerprint(snapshot), encoding="ascii")
    return {"loaded": [name for name in sys.modules if name.startswith(("plait", "numpy", "json"))]}


def _key(tree: Tree, moment: Moment) -> bytes:
    seen = hashlib.sha256(f"{moment.acknowledged}\0{moment.coming}".encode())
    for path, content in sorted(tree.items()):
        seen.update(path.encode("utf-8", "surrogateescape") + b"\0")
        seen.update(b"folder" if content is None else hashlib.sha256(content).digest())
    return seen.digest()


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the states come to."""
    verdicts = Counter(row["verdict"] for row in rows)
    counted: dict[str, Any] = {
        "syncs at which the power was cut": len({row["moment"] for row in rows}),
        "states": len(rows),
        "different states, each opened": sum(row["opened"] for row in rows),
        "were the generation acknowledged": verdicts["old"],
        "were the generation being written, whole": verdicts["new"],
        "bad": verdicts["bad"],
    }
    for how, count in Counter(row["how"] for row in rows).items():
        bad = sum(row["how"] == how and row["verdict"] == "bad" for row in rows)
        counted[how] = f"{count}, {bad} bad"
    return counted


def main() -> None:
    """Cut the power and record what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=30, help="files of the tree")
    parser.add_argument("--rounds", type=int, default=10, help="edits that are indexed")
    parser.add_argument("--draws", type=int, default=6, help="random states of each sync")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # this process forks: it has no threads
    rows = cut_power(asked.files, asked.rounds, seed=asked.seed, draws=asked.draws)
    counted = summary(rows)
    conclude("powerloss", "tools.chaos.powerloss", counted, rows)
    sys.exit(1 if counted["bad"] else 0)


if __name__ == "__main__":
    main()
