"""The catalogs: which packages make a corpus, pinned by version and digest.

``packages.toml`` holds one package or more per language, ``mixed.toml`` those of the
big corpus. Both have the same form, so both are read here.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGE_PACKAGES = HERE / "packages.toml"
MIXED_PACKAGES = HERE / "mixed.toml"

REGISTRIES = (
    "pypi",
    "pypi-sdist",
    "npm",
    "debian-source",
    "debian",
    "maven-sources",
    "go",
    "crate",
)

# Folders every archive of a registry wraps its files in; Go's is computed, see Package.wrapped.
WRAPPED = {"npm": 1, "crate": 1, "debian-source": 1, "pypi-sdist": 1}

# What plait reads, by file name ending. Headers count as C: nothing in a name tells C++ apart.
EXTENSIONS = {
    "python": (".py", ".pyi"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "typescript": (".ts", ".tsx", ".mts", ".cts"),
    "java": (".java",),
    "go": (".go",),
    "ruby": (".rb", ".rake"),
    "php": (".php",),
    "rust": (".rs",),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
    "csharp": (".cs",),
    "kotlin": (".kt", ".kts"),
    "scala": (".scala",),
    "swift": (".swift",),
    "bash": (".sh", ".bash"),
    "lua": (".lua",),
    "haskell": (".hs",),
    "elixir": (".ex", ".exs"),
    "zig": (".zig",),
}
LANGUAGES = tuple(EXTENSIONS)
LANGUAGE_OF = {ending: language for language, endings in EXTENSIONS.items() for ending in endings}


class CorpusError(Exception):
    """A corpus cannot be fetched as its catalog says."""


@dataclass(frozen=True, slots=True)
class Package:
    """One entry of a catalog."""

    language: str
    registry: str
    name: str  # as its registry spells it; Maven's is group:artifact
    version: str  # Debian's without the packaging revision
    sha256: str  # of the archive as downloaded; empty only while an entry is being written
    licence: str  # the main one, as an SPDX expression, entered by hand
    golden: str = ""  # the file whose symbols are listed in a golden, inside the package
    under: str = ""  # unpack this folder only
    without: tuple[str, ...] = ()  # nothing of a folder of these names is unpacked
    megabytes: int = 0  # take no more of it into the mixed corpus; 0 for no limit

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise CorpusError(f"{self.name}: unknown language {self.language!r}")
        if self.registry not in REGISTRIES:
            known = ", ".join(REGISTRIES)
            raise CorpusError(f"{self.name}: unknown registry {self.registry!r}, known: {known}")

    @property
    def slug(self) -> str:
        """The name as a folder name."""
        return re.sub(r"[^A-Za-z0-9._]+", "-", self.name).strip("-")

    @property
    def wrapped(self) -> int:
        """How many leading folders of the archive say nothing."""
        if self.registry == "go":
            return self.name.count("/") + 1
        return WRAPPED.get(self.registry, 0)

    @property
    def may_be_newer(self) -> bool:
        """Whether the registry drops old versions, so that a newer one has to do."""
        return self.registry.startswith("debian")


def load(catalog: Path) -> tuple[Package, ...]:
    """The packages of a catalog, in its order."""
    try:
        tables = tomllib.loads(catalog.read_text(encoding="utf-8"))["package"]
        packages = tuple(
            Package(**{**table, "without": tuple(table.get("without", ()))}) for table in tables
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise CorpusError(f"{catalog.name}: {error}") from error
    names = [(package.registry, package.name) for package in packages]
    for name in names:
        if names.count(name) > 1:
            raise CorpusError(f"{catalog.name}: {name[1]} is listed twice")
    return packages
