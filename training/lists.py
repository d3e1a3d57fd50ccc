"""Lists: which packages, in which version, of which registry.

A list is a TOML file: an ecosystem and entries ``name=version``. The registries' addresses
are nowhere here: they are the business of each package manager's own configuration. Names
that have no version yet wait in ``packages/unpinned``; ``python -m training.fetch --pin``
fetches what is newest and moves it over.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

FOLDER = Path(__file__).with_name("packages")
ECOSYSTEMS = ("debian", "debian-source", "maven", "npm", "pypi")


class Package(NamedTuple):
    """One package of one registry; without a version it is whatever is newest."""

    ecosystem: str
    name: str
    version: str = ""

    @property
    def key(self) -> str:
        """The package as one word that can be a file's name."""
        return f"{self.ecosystem}+{self.name.replace('/', '+').replace(':', '+')}"

    @property
    def entry(self) -> str:
        """The package as a list writes it."""
        return f"{self.name}={self.version}" if self.version else self.name

    @classmethod
    def parse(cls, ecosystem: str, entry: str) -> Self:
        """Read an entry of a list."""
        name, _, version = entry.partition("=")
        return cls(ecosystem, name, version)


class PackageList(NamedTuple):
    """A file of packages of one registry, chosen for some languages."""

    file: Path
    about: str
    ecosystem: str
    languages: tuple[str, ...]
    packages: tuple[Package, ...]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a list.

        Raises:
            ValueError: The ecosystem is not known or a package is named twice.
        """
        listed = tomllib.loads(file.read_text("utf-8"))
        ecosystem = listed["ecosystem"]
        if ecosystem not in ECOSYSTEMS:
            raise ValueError(f"{file.name}: no such ecosystem: {ecosystem!r}")
        packages = tuple(Package.parse(ecosystem, entry) for entry in listed["packages"])
        if len({package.name for package in packages}) < len(packages):
            raise ValueError(f"{file.name}: a package is named twice")
        return cls(file, listed["about"], ecosystem, tuple(listed["languages"]), packages)

    def text(self) -> str:
        """The list as TOML, its packages sorted."""
        rows = "".join(f"  {json.dumps(p.entry)},\n" for p in sorted(self.packages))
        return (
            f"about = {json.dumps(self.about)}\necosystem = {json.dumps(self.ecosystem)}\n"
            f"languages = {json.dumps(list(self.languages))}\npackages = [\n{rows}]\n"
        )


def read_lists(languages: Iterable[str] = (), folder: Path = FOLDER) -> list[PackageList]:
    """The lists that hold any of these languages, all by default, in the order of their names."""
    wanted = frozenset(languages)
    found = [PackageList.read(file) for file in sorted(folder.glob("*.toml"))]
    return [each for each in found if not wanted or wanted.intersection(each.languages)]
