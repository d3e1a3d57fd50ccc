"""Kill the indexer with SIGKILL again and again: ``python -m tools.chaos.kill9 --n 200``.

After every kill the index has to open, hold exactly the last generation that was acknowledged
or the one that was being written, and pass its own check; every vector in it has to be of the
text its chunk has in that generation; the workers of the killed process have to end; and the
next writer has to leave no file that belongs to nothing. Vectors are made in portions, so that
a generation may have some of them only. Of six kills three come at a random moment, one while
a generation is written, one while it is made the current one, one while it writes vectors.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script, only this folder is on the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from plait.errors import PlaitError
from tools.chaos.contents import fingerprint, opened, unnamed_files
from tools.chaos.indexing import acknowledge
from tools.chaos.meaning import embed, missing, mixtures
from tools.chaos.record import conclude, say
from tools.chaos.tree import edit, grow, write_large
from tools.record import ROOT

MAX_DELAY_S = 1.5  # of a kill after the process is ready
MAX_WAIT_S = 20.0  # for a commit to begin
MOMENTS = ("any", "writing", "any", "publishing", "any", "embedding")
SIGNS = {  # what appears when the moment begins, and about how long it lasts
    "writing": ("generations/*", 0.5),
    "publishing": ("generations/*/manifest.json", 0.02),
    "embedding": ("layers/*.vectors", 0.02),
}
WORKERS_END_S = 10.0


class Trials:
    """One tree, one index, many kills."""

    def __init__(self, folder: Path, *, files: int, workers: int, seed: int) -> None:
        self._tree, self._cache = folder / "tree", folder / "cache"
        self._log = folder / "log"
        self._workers = workers
        self._rng = random.Random(seed)
        grow(self._tree, files, seed)
        self._index = opened(self._tree, self._cache, workers=workers)
        acknowledge(self._index, self._index.refresh().generation, self._log)

    def run(self, number: int) -> dict[str, Any]:
        """Kill one indexer and look at what is left."""
        row: dict[str, Any] = {"trial": number, "faults": []}
        token = f"{os.getpid()}-{number}-{self._rng.random()}"
        before = self._last_acknowledged()[0]
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tools.chaos.indexing"),
                *(str(self._tree), str(self._cache), str(self._log)),
                *(str(self._rng.random()), str(self._workers)),
            ],
            cwd=ROOT,
            env={**os.environ, "PLAIT_CHAOS": token},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        row["moment"] = MOMENTS[number % len(MOMENTS)]
        try:
            self._wait(process, row["moment"])
        finally:
            process.kill()
        _, complaint = process.communicate()
        if process.returncode != -9:
            row["faults"].append(f"the indexer ended by itself: {complaint.decode()[-2000:]}")
        row["commits"] = self._last_acknowledged()[0] - before
        self._look(row)
        if not _workers_end(token):
            row["faults"].append("a worker outlived its parent")
        self._write_next(row)
        return row

    def _wait(self, process: subprocess.Popen[bytes], moment: str) -> None:
        """Wait for the moment to kill."""
        assert process.stdout is not None
        process.stdout.readline()
        if moment == "any":
            time.sleep(self._rng.uniform(0.3, MAX_DELAY_S))
            return
        root = self._index.writer.folder
        sign, lasts_s = SIGNS[moment]
        deadline = time.monotonic() + MAX_WAIT_S
        before = self._last_acknowledged()[0]
        while moment == "embedding" and self._last_acknowledged()[0] == before:
            if process.poll() is not None or time.monotonic() > deadline:
                return
            time.sleep(0.005)  # a merge writes vectors too; those of new words come after it
        known = set(root.glob(sign))
        while set(root.glob(sign)) <= known and time.monotonic() < deadline:
            if process.poll() is not None:
                return
            time.sleep(0.0005)
        time.sleep(self._rng.uniform(0, lasts_s))

    def _last_acknowledged(self) -> tuple[int, int, str]:
        """Generation, chunks without a vector, fingerprint."""
        lines = self._log.read_text(encoding="ascii").splitlines()
        number, lacking, digest = lines[-1].split()
        return int(number), int(lacking), digest

    def _look(self, row: dict[str, Any]) -> None:
        """Compare the index with what was acknowledged."""
        acknowledged, lacking, digest = self._last_acknowledged()
        row["files_left"] = len(unnamed_files(self._index))
        try:
            snapshot = self._index.snapshot()
            found = fingerprint(snapshot)
            row["lacking"] = missing(snapshot)
            row["faults"] += self._index.reader.store.check()
            row["faults"] += mixtures(self._index, snapshot)
        except PlaitError as error:
            row["faults"].append(f"the index does not serve: {error}")
            return
        row["state"] = "old" if snapshot.generation == acknowledged else "new"
        if snapshot.generation == acknowledged:
            expected = digest
        elif snapshot.generation == acknowledged + 1:
            expected = self._rebuilt()  # committed, killed before it could say so
        else:
            row["faults"].append(f"generation {snapshot.generation} after {acknowledged}")
            return
        if found != expected:
            row["faults"].append(f"generation {snapshot.generation} holds something else")
        if row["state"] == "old" and row["lacking"] != lacking:
            row["faults"].append(f"{row['lacking']} chunks lack vectors, acknowledged: {lacking}")

    def _rebuilt(self) -> str:
        """What an index of the tree as it lies there holds."""
        with tempfile.TemporaryDirectory() as scratch:
            index = opened(self._tree, Path(scratch), workers=self._workers)
            index.refresh()
            return fingerprint(index.snapshot())

    def _write_next(self, row: dict[str, Any]) -> None:
        """Index once more, in peace; all but the vectors every other time."""
        edit(self._tree, self._rng)
        write_large(self._tree, self._rng)
        lacking = acknowledge(self._index, self._index.refresh().generation, self._log)
        while lacking and row["trial"] % 2:
            lacking = acknowledge(self._index, embed(self._index), self._log)
        row["faults"] += mixtures(self._index, self._index.snapshot())
        if left := unnamed_files(self._index):
            row["faults"].append(f"files nobody names: {left}")
        if row["trial"] % 10 == 0 and fingerprint(self._index.snapshot()) != self._rebuilt():
            row["faults"].append("the next generation is not the tree")


def _workers_end(token: str) -> bool:
    """Whether every process that inherited the token ends in time; true where none can be seen."""
    deadline = time.monotonic() + WORKERS_END_S
    while any(_inherited(token)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _inherited(token: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if token.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def kill_repeatedly(
    count: int, *, files: int = 300, workers: int = 2, seed: int = 0, within: Path | None = None
) -> list[dict[str, Any]]:
    """Run so many trials, in a folder of their own below ``within``; a row for each."""
    folder = Path(tempfile.mkdtemp("-plait-kill9", dir=within))
    try:
        trials = Trials(folder, files=files, workers=workers, seed=seed)
        rows = []
        for number in range(count):
            row = trials.run(number)
            rows.append(row)
            if row["faults"] or number % 20 == 19:
                say(f"{number + 1} of {count}: {row}")
        return rows
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the trials come to."""
    states = Counter(row.get("state", "none") for row in rows)
    return {
        "kills": len(rows),
        "of them while a generation was written": sum(row["moment"] == "writing" for row in rows),
        "of them while it was published": sum(row["moment"] == "publishing" for row in rows),
        "of them while vectors were written": sum(row["moment"] == "embedding" for row in rows),
        "generations acknowledged between kills": sum(row["commits"] for row in rows),
        "index was the acknowledged generation": states["old"],
        "index was the generation being written, whole": states["new"],
        "index had some of its vectors only": sum(row.get("lacking", 0) > 0 for row in rows),
        "kills that left files behind": sum(row.get("files_left", 0) > 0 for row in rows),
        "files left behind, in all (collected by the next writer)": sum(
            row.get("files_left", 0) for row in rows
        ),
        "kills with a fault": sum(bool(row["faults"]) for row in rows),
    }


def main() -> None:
    """Run the trials and record them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--n", type=int, default=200, help="how many kills")
    parser.add_argument("--files", type=int, default=300, help="files of the tree")
    parser.add_argument("--workers", type=int, default=2, help="parse processes")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rows = kill_repeatedly(asked.n, files=asked.files, workers=asked.workers, seed=asked.seed)
    counted = summary(rows)
    conclude("kill9", "tools.chaos.kill9", counted, rows)
    sys.exit(1 if counted["kills with a fault"] else 0)


if __name__ == "__main__":
    main()
