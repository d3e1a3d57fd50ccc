"""Locks: what is pinned, and is every pin hashed?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements"
PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)")
HASH = "--hash=sha256:"


class Pin(NamedTuple):
    """One version of one package, as a lock names it."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


def locks(folder: Path = REQUIREMENTS) -> list[Path]:
    """Every lock of the project."""
    return sorted(folder.glob("*.txt"))


def pins(folder: Path = REQUIREMENTS) -> list[Pin]:
    """Every pin of every lock, once."""
    return sorted({pin for lock in locks(folder) for pin in _pins(lock)})


def unhashed(folder: Path = REQUIREMENTS) -> list[str]:
    """Requirements that are not pinned to one version with a hash: there must be none."""
    return [
        f"{lock.name}: {line.split(' ')[0]}"
        for lock in locks(folder)
        for line in _requirements(lock)
        if not PIN.match(line) or HASH not in line
    ]


def _pins(lock: Path) -> Iterator[Pin]:
    for line in _requirements(lock):
        if found := PIN.match(line):
            yield Pin(found[1].lower(), found[2])


def _requirements(lock: Path) -> Iterator[str]:
    """The logical lines of a lock, without comments."""
    text = lock.read_text("utf-8").replace("\\\n", " ")
    lines = (line.partition(" #")[0].strip() for line in text.splitlines())
    return (line for line in lines if line and not line.startswith("#"))
