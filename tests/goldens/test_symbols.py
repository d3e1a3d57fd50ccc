"""The symbols of one real file per language, as the index gets them.

The packages are no part of the repository (``python tools/corpora/fetch.py languages``
brings them); a listing holds names, kinds, lines and counts, never their text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.index.prepare import MODULE, prepared
from plait.lanes.lexical import Lexical
from plait.sources import DirectorySource
from plait.symbols.workers import WorkerPool
from plait.types import Entry, Reference, Relation, SourceFile, Symbol
from tests.goldens import golden
from tools.corpora import catalog, fetch
from tools.corpora.catalog import Package

PACKAGES = [package for package in catalog.load(catalog.LANGUAGE_PACKAGES) if package.golden]


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(MODULE, 1) as workers:
        yield workers


def folder_of(package: Package) -> Path:
    """Where a package was unpacked, in the version the golden was made of."""
    root = fetch.default_root() / "languages"
    entry = fetch.read_fetched(root).get(f"{package.registry} {package.name}")
    if entry is None or not (root / entry["folder"]).is_dir():
        pytest.skip(
            f"{package.name} is not fetched: python tools/corpora/fetch.py languages"
            " (PLAIT_CORPORA names the folder)"
        )
    if entry["sha256"] != package.sha256:
        pytest.skip(
            f"the golden was made of {package.name} {package.version},"
            f" but another archive was fetched ({entry['version']})"
        )
    return root / entry["folder"]


def listing(package: Package, entries: tuple[Entry, ...]) -> str:
    """One line per symbol: lines, kind, qualified name, references by relation."""
    symbols: dict[int, Symbol] = {}
    references: dict[int, dict[Reference, None]] = {}
    outside: dict[Reference, None] = {}
    for entry in entries:
        symbol = entry.chunk.symbol
        if symbol is None:
            outside.update(dict.fromkeys(entry.chunk.references))
            continue
        symbols.setdefault(id(symbol), symbol)
        references.setdefault(id(symbol), {}).update(dict.fromkeys(entry.chunk.references))
    lines = [f"{package.name} {package.version}: {package.golden}", ""]
    for key, symbol in symbols.items():
        span = f"{symbol.span.first}-{symbol.span.last}"
        row = f"{span:>11}  {symbol.kind:<11}  {symbol.qualified_name:<50}"
        lines.append(f"{row}  {counts(references[key])}".rstrip())
    lines += ["", f"outside of symbols: {counts(outside) or 'no references'}"]
    return "\n".join(lines) + "\n"


def counts(references: dict[Reference, None]) -> str:
    """How many names are referred to by each relation."""
    found = Counter(reference.relation for reference in references)
    return ", ".join(
        f"{relation.lower()} {found[relation]}" for relation in Relation if found[relation]
    )


def test_every_language_of_the_catalog_has_a_golden() -> None:
    assert sorted(package.language for package in PACKAGES) == sorted(catalog.LANGUAGES)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.language)
def test_the_symbols_of_a_real_file_are_as_reviewed(package: Package, pool: WorkerPool) -> None:
    file = DirectorySource(folder_of(package), name=package.slug).read(package.golden)
    assert isinstance(file, SourceFile)
    (done,) = pool.map(lambda worker, asked: prepared(worker, asked, Lexical()), [file])

    assert not done.was_lost
    golden.check(f"symbols/{package.language}.txt", listing(package, done.change.entries))
