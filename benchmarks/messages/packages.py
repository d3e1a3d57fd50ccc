"""Packages that messages are mined from: ``python -m benchmarks.messages.packages`` fetches them.

``dev.toml`` has those that are looked at while plait is changed, ``test.toml`` those that are only
measured. No weight was ever fitted on any of them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools.corpora import catalog, registries
from tools.corpora.catalog import CorpusError, Package
from tools.corpora.fetch import default_root, say
from tools.corpora.unpack import unpack

HALVES = ("dev", "test")


class Unpacked(NamedTuple):
    """A package and where it lies."""

    package: Package
    folder: Path


def packages(half: str) -> list[Unpacked]:
    """The packages of a half; one that is not there has a folder that is not there."""
    into = default_root() / "messages"
    listed = catalog.load(Path(__file__).with_name(f"{half}.toml"))
    return [Unpacked(one, into / f"{one.slug}-{one.version}") for one in listed]


def main() -> int:
    """Fetch what is missing; 1 if some package cannot be had as it is pinned."""
    missing = {
        one.package: one.folder
        for half in HALVES
        for one in packages(half)
        if not one.folder.is_dir()
    }
    root = default_root() / "messages"
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root, prefix=".fetch-") as staging:
        fetched, failed = registries.fetch(list(missing), Path(staging))
        errors = [str(error) for error in failed.values()]
        for package, got in fetched.items():
            if got.version != package.version:  # lines of another version are others
                errors.append(f"{package.name}: {got.warning}")
                continue
            unpacked = Path(staging) / "unpacked"
            try:
                count, _ = unpack(got.archive, unpacked, package.wrapped, package.under)
            except CorpusError as error:
                errors.append(str(error))
            else:
                unpacked.rename(missing[package])
                say(f"{package.name} {package.version}: {count:,} files")
            shutil.rmtree(unpacked, ignore_errors=True)
    for problem in errors:
        say(f"error: {problem}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
