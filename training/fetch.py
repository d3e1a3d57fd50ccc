"""Fetch: packages onto this machine, each through its own package manager.

Nothing is installed, built or run: archives are downloaded and their digests noted. What a
former run fetched is not fetched again, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from training.lists import FOLDER, Package, PackageList, read_lists
from training.managers import MANAGERS

# Packages handed to a package manager at once: to start apt costs seconds, to spoil a batch too.
BATCH = {"debian": 150, "debian-source": 8, "maven": 40, "npm": 20, "pypi": 30}
PARALLEL = 4


class Fetched(NamedTuple):
    """A package that is here: the archives it came in, by name and sha256."""

    package: Package
    archives: tuple[tuple[str, str], ...]


class Archives:
    """The folder of what has been fetched, and the record of it.

    Args:
        work: The working folder; archives lie in ``work/archives/<ecosystem>``.
    """

    def __init__(self, work: Path) -> None:
        self._folder = work / "archives"
        self._record = work / "fetched.jsonl"
        self._failed = work / "not-fetched.jsonl"
        self._lock = threading.Lock()
        self._known = dict(self._read())

    def _read(self) -> Iterator[tuple[tuple[str, str], Fetched]]:
        if not self._record.exists():
            return
        for line in self._record.read_text("utf-8").splitlines():
            row = json.loads(line)
            package = Package(row["ecosystem"], row["name"], row["version"])
            yield package[:2], Fetched(package, tuple(map(tuple, row["archives"])))

    def folder(self, ecosystem: str) -> Path:
        """Where the archives of an ecosystem lie."""
        return self._folder / ecosystem

    def paths(self, fetched: Fetched) -> list[Path]:
        """The archives of a package, on disk."""
        return [self.folder(fetched.package.ecosystem) / name for name, _ in fetched.archives]

    def get(self, package: Package) -> Fetched | None:
        """A package if it is here in the wanted version."""
        found = self._known.get(package[:2])
        if found is None or (package.version and found.package.version != package.version):
            return None
        return found if all(path.exists() for path in self.paths(found)) else None

    def add(self, package: Package, names: Sequence[str]) -> None:
        """Note what a package manager has downloaded."""
        folder = self.folder(package.ecosystem)
        archives = tuple((name, digest(folder / name)) for name in sorted(names))
        row = {**package._asdict(), "archives": archives}
        with self._lock:
            self._known[package[:2]] = Fetched(package, archives)
            with self._record.open("a", encoding="utf-8") as record:
                record.write(json.dumps(row) + "\n")

    def fail(self, package: Package, why: str) -> None:
        """Note a package that could not be had."""
        with self._lock, self._failed.open("a", encoding="utf-8") as record:
            record.write(json.dumps({**package._asdict(), "why": why[-400:]}) + "\n")


def digest(file: Path) -> str:
    """The sha256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def batches(packages: Iterable[Package]) -> Iterator[list[Package]]:
    """Packages of one ecosystem in handfuls."""
    pending: dict[str, list[Package]] = {}
    for package in packages:
        batch = pending.setdefault(package.ecosystem, [])
        batch.append(package)
        if len(batch) >= BATCH[package.ecosystem]:
            yield pending.pop(package.ecosystem)
    yield from pending.values()


def fetch(packages: Iterable[Package], work: Path) -> Archives:
    """Have every package here that can be had; what cannot is noted with the reason."""
    archives = Archives(work)
    missing = [package for package in packages if archives.get(package) is None]

    def fetch_batch(batch: list[Package]) -> None:
        ecosystem = batch[0].ecosystem
        folder = archives.folder(ecosystem)
        folder.mkdir(parents=True, exist_ok=True)
        manager = MANAGERS[ecosystem]
        got, why = manager(batch, folder)
        for package, names in got:
            archives.add(package, names)
        left = [p for p in batch if archives.get(p) is None]
        # One unknown name spoils a whole batch, so the rest is asked for one by one.
        if len(batch) > 1:
            for package in left:
                fetch_batch([package])
        elif left:
            archives.fail(left[0], why)

    with ThreadPoolExecutor(PARALLEL) as threads:
        for _ in threads.map(fetch_batch, batches(missing)):
            pass
    return archives


def pin(name: str, archives: Archives, folder: Path = FOLDER) -> int:
    """Move what has been fetched of an unpinned list into the pinned one; how many moved."""
    waiting = PackageList.read(folder / "unpinned" / f"{name}.toml")
    found = [archives.get(package) for package in waiting.packages]
    came = {each.package for each in found if each is not None}
    here = {package[:2] for package in came}
    left = [package for package in waiting.packages if package[:2] not in here]
    file = folder / f"{name}.toml"
    pinned = PackageList.read(file).packages if file.exists() else ()
    kept = sorted({*(package for package in pinned if package[:2] not in here), *came})
    if kept:
        file.write_text(waiting._replace(packages=tuple(kept)).text(), "utf-8")
    if left:
        waiting.file.write_text(waiting._replace(packages=tuple(left)).text(), "utf-8")
    else:
        waiting.file.unlink()
    return len(came)


def main() -> None:
    """Fetch the lists, or pin the lists of packages that have no version yet."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/training"))
    parser.add_argument("--pin", action="store_true", help="fetch and pin what has no version yet")
    parser.add_argument("--offline", action="store_true", help="pin only what has been fetched")
    parser.add_argument("lists", nargs="*", help="names of lists without .toml; all by default")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    listed = read_lists(folder=FOLDER / "unpinned" if options.pin else FOLDER)
    chosen = [each for each in listed if not options.lists or each.file.stem in options.lists]
    wanted = [package for each in chosen for package in each.packages]
    archives = Archives(options.work) if options.offline else fetch(wanted, options.work)
    for each in chosen if options.pin else ():
        pin(each.file.stem, archives)


if __name__ == "__main__":
    main()
