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
from plait.types import (
    Binding,
    Entry,
    Import,
    Links,
    Reference,
    Relation,
    Role,
    SourceFile,
    Symbol,
)
from tests.goldens import golden
from tools.corpora import catalog, fetch
from tools.corpora.catalog import Package

SHOWN = 12  # of each kind
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
    """One line per symbol (lines, kind, qualified name, references by relation), then some of
    what the file says about other code."""
    symbols: dict[int, Symbol] = {}
    references: dict[int, set[tuple[Relation, str]]] = {}
    outside: set[tuple[Relation, str]] = set()
    for entry in entries:
        symbol = entry.chunk.symbol
        if symbol is None:
            outside.update(entry.links.targets())
            continue
        symbols.setdefault(id(symbol), symbol)
        references.setdefault(id(symbol), set()).update(entry.links.targets())
    lines = [f"{package.name} {package.version}: {package.golden}", ""]
    for key, symbol in symbols.items():
        span = f"{symbol.span.first}-{symbol.span.last}"
        name = symbol.qualified_name if symbol.n == 1 else f"{symbol.qualified_name}#{symbol.n}"
        row = f"{span:>11}  {symbol.kind:<11}  {name:<50}"
        lines.append(f"{row}  {counts(references[key])}".rstrip())
    lines += ["", f"outside of symbols: {counts(outside) or 'no references'}"]
    lines += ["", *said([entry.links for entry in entries])]
    return "\n".join(lines) + "\n"


def counts(references: set[tuple[Relation, str]]) -> str:
    """How many names are referred to by each relation."""
    found = Counter(relation for relation, _ in references)
    return ", ".join(
        f"{relation.lower()} {found[relation]}" for relation in Relation if found[relation]
    )


def by_line(one: Reference | Import | Binding) -> tuple[int, tuple[object, ...]]:
    return one.line, tuple(one)


def said(links: list[Links]) -> Iterator[str]:
    """Imports, bindings and qualified references, each with its line; the first of every kind."""
    imports = sorted({one for each in links for one in each.imports}, key=by_line)
    for one in imports[:SHOWN]:
        yield f"{one.line:>5}  import     {one.module}, {one.name or '-'}, {one.alias or '-'}"
    bindings = sorted({one for each in links for one in each.bindings}, key=by_line)
    for role in Role:
        for two in [binding for binding in bindings if binding.role is role][:SHOWN]:
            yield f"{two.line:>5}  {role.lower():<9}  {two.name or '-'}: {two.type}"
    qualified = {one for each in links for one in each.references if one.qualifier}
    for three in sorted(qualified, key=by_line)[:SHOWN]:
        relation = three.relation.lower()
        yield f"{three.line:>5}  {relation:<9}  {three.qualifier} . {three.target}"


def test_every_language_of_the_catalog_has_a_golden() -> None:
    assert sorted(package.language for package in PACKAGES) == sorted(catalog.LANGUAGES)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.language)
def test_the_symbols_of_a_real_file_are_as_reviewed(package: Package, pool: WorkerPool) -> None:
    file = DirectorySource(folder_of(package), name=package.slug).read(package.golden)
    assert isinstance(file, SourceFile)
    (done,) = pool.map(lambda worker, asked: prepared(worker, asked, Lexical()), [file])

    assert not done.was_lost
    golden.check(f"symbols/{package.language}.txt", listing(package, done.change.entries))
