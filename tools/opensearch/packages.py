"""Packages: the files OpenSearch is put together from, each known by its SHA-256.

``checksums.txt`` lists every file of every release, one a line: the release, the place in the
distribution, Maven's coordinates and the digest. Only files listed there are ever used, so an
installation needs nobody's word for what a package depends on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.opensearch.errors import ClusterError, WrongPackage

CHECKSUMS = Path(__file__).with_name("checksums.txt")
HEADING = """\
# Every file OpenSearch is put together from: release, place, coordinates, SHA-256.
# Written by: python -m tools.opensearch lock
"""
SERVER = "."  # the place of the server itself
KNN = "plugins/opensearch-knn"
SECURITY = "plugins/opensearch-security"


@dataclass(frozen=True, slots=True, order=True)
class Package:
    """A file in a Maven repository."""

    group: str
    artifact: str
    version: str
    kind: str  # jar or zip

    @classmethod
    def of(cls, coordinates: str) -> Package:
        parts = coordinates.split(":")
        if len(parts) != 4:
            raise ClusterError(f"{coordinates!r} is not of the form group:artifact:version:kind")
        return cls(*parts)

    @property
    def coordinates(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}:{self.kind}"

    @property
    def file_name(self) -> str:
        return f"{self.artifact}-{self.version}.{self.kind}"


@dataclass(frozen=True, slots=True)
class Locked:
    """A package, what it must be, and where it goes in the distribution of a release."""

    release: str
    place: str
    package: Package
    sha256: str

    @property
    def line(self) -> str:
        return f"{self.release} {self.place} {self.package.coordinates} {self.sha256}"

    def check(self, file: Path) -> None:
        """Refuse a file that is not the recorded one."""
        got = sha256_of(file)
        if got != self.sha256:
            raise WrongPackage(
                f"{self.package.coordinates} has SHA-256 {got}, recorded is {self.sha256}",
                hint="if the registry's file is to be trusted: python -m tools.opensearch lock",
            )


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def read_checksums(file: Path = CHECKSUMS) -> tuple[Locked, ...]:
    """Every recorded package."""
    found = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        parts = line.split()
        if len(parts) != 4 or not re.fullmatch("[0-9a-f]{64}", parts[3]):
            raise ClusterError(f"{file.name}:{number} is not: release place coordinates SHA-256")
        found.append(Locked(parts[0], parts[1], Package.of(parts[2]), parts[3]))
    return tuple(found)


def write_checksums(locked: Iterable[Locked], file: Path = CHECKSUMS) -> None:
    """Record packages in place of those recorded before."""
    fresh = file.with_suffix(".new")
    fresh.write_text(HEADING + "".join(f"{each.line}\n" for each in locked), "utf-8")
    fresh.replace(file)
