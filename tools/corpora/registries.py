"""Archives from registries, each checked against its catalog entry."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path

from tools.corpora.catalog import CorpusError, Package
from tools.corpora.clients import FETCHERS, debian_version

CLIENTS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Fetched:
    """An archive on disk, its digest checked."""

    package: Package
    archive: Path
    version: str  # the catalog's, or a newer one of Debian
    sha256: str
    warning: str = ""


def fetch(
    packages: Sequence[Package], staging: Path
) -> tuple[dict[Package, Fetched], dict[Package, CorpusError]]:
    """Download archives into a folder; what came, and why the rest did not."""
    by_registry = sorted(packages, key=lambda package: package.registry)
    groups = [
        (registry, list(group))
        for registry, group in groupby(by_registry, key=lambda package: package.registry)
    ]
    fetched: dict[Package, Fetched] = {}
    failed: dict[Package, CorpusError] = {}
    with ThreadPoolExecutor(CLIENTS_AT_ONCE) as pool:
        outcomes = pool.map(lambda group: _fetch_group(group[0], group[1], staging), groups)
        for package, outcome in chain.from_iterable(outcomes):
            if isinstance(outcome, CorpusError):
                failed[package] = outcome
            else:
                fetched[package] = outcome
    return fetched, failed


def _fetch_group(
    registry: str, packages: Sequence[Package], staging: Path
) -> list[tuple[Package, Fetched | CorpusError]]:
    folder = staging / registry
    folder.mkdir(parents=True, exist_ok=True)
    try:
        archives = FETCHERS[registry](packages, folder)
    except CorpusError as error:
        if len(packages) == 1:
            return [(packages[0], error)]
        # One bad name spoils a client's whole run; alone, the others may well succeed.
        return [pair for package in packages for pair in _fetch_group(registry, [package], staging)]
    outcomes: list[tuple[Package, Fetched | CorpusError]] = []
    for package in packages:
        try:
            outcomes.append((package, check(package, archives[package.name])))
        except CorpusError as error:
            outcomes.append((package, error))
    return outcomes


def check(package: Package, archive: Path) -> Fetched:
    """Compare an archive with its catalog entry.

    Raises:
        CorpusError: The digest differs, and not because Debian has moved on.
    """
    with archive.open("rb") as opened:
        sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
    if sha256 == package.sha256:
        return Fetched(package, archive, package.version, sha256)
    version = debian_version(archive) if package.may_be_newer else package.version
    if package.sha256 and version != package.version:
        warning = f"the catalog has version {package.version}, the mirror only {version}"
        return Fetched(package, archive, version, sha256, warning)
    if not package.sha256:
        raise CorpusError(
            f"{package.name} {version} has no sha256 in the catalog; if you trust what came, "
            f'record sha256 = "{sha256}"'
        )
    raise CorpusError(
        f"{package.name} {version}: sha256 is {sha256}, the catalog says {package.sha256}"
    )
