"""Which languages plait reads, and how well: ``python -m benchmarks.languages``.

Indexes every package that ``python tools/corpora/fetch.py languages`` brings, each
into a store of its own, and writes ``docs/languages.md`` and a record. What a file should
hold is judged by regular expressions (``languages.toml``) that know nothing of grammars.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.languages_page import page
from plait.index.refresh import refresh
from plait.lanes.lexical import Lexical
from plait.sources import DirectorySource
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Change, Listed, Skipped, SourceFile
from tools.corpora import catalog, fetch
from tools.record import ROOT, command_line, write_record

TABLE = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs" / "languages.md"
WORD = re.compile(r"[\w$?!']+")
RECORDED_PACKAGES = ("plait", "tantivy", "tree-sitter")


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of a language before anything is read."""

    language: str
    also: tuple[str, ...]
    definitions: re.Pattern[bytes]
    weak: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """The language, and those of its family, as plait calls them."""
        return frozenset((self.language, *self.also))


@dataclass(slots=True)
class Measured:
    """What indexing a package came to."""

    language: str
    package: str
    version: str
    files: int = 0
    size_bytes: int = 0
    with_symbols: int = 0
    defining: int = 0
    defining_with_symbols: int = 0
    symbols: int = 0
    chunks: int = 0
    with_errors: int = 0
    lost: int = 0
    cpu_s: float = 0.0
    lines: int = 0  # that define something
    named_lines: int = 0  # of those, the ones that hold the name of a symbol of their file
    missed: list[str] = field(default_factory=list)  # files that define, but yield no symbol
    missed_lines: list[str] = field(default_factory=list)  # path:line of every other miss


class OneLanguage:
    """A source that skips what is written in another language."""

    def __init__(self, source: DirectorySource, languages: frozenset[str]) -> None:
        self._source = source
        self._languages = languages

    @property
    def name(self) -> str:
        return self._source.name

    def listing(self) -> Iterator[Listed | Skipped]:
        return self._source.listing()

    def read(self, path: str) -> SourceFile | Skipped:
        found = self._source.read(path)
        if isinstance(found, SourceFile) and found.language not in self._languages:
            return Skipped(path, "language")
        return found


class Counted(EmbeddedStore):
    """A store that counts what is committed to it."""

    def __init__(self, root: Path, analysis: str, expected: Expected, measured: Measured) -> None:
        super().__init__(root, analysis)
        self._expected = expected
        self._measured = measured

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> int:
        return super().commit(map(self._count, changes), anew=anew)

    def _count(self, change: Change) -> Change:
        file, measured = change.file, self._measured
        assert file is not None  # a new store has nothing to remove
        symbols = sum(
            entry.chunk.symbol is not None and entry.chunk.part == 0 for entry in change.entries
        )
        measured.files += 1
        measured.size_bytes += len(file.content)
        measured.symbols += symbols
        measured.chunks += len(change.entries)
        measured.with_symbols += symbols > 0
        places = [match.start() for match in self._expected.definitions.finditer(file.content)]
        if places:
            measured.defining += 1
            measured.defining_with_symbols += symbols > 0
            measured.missed.extend([] if symbols else [file.path])
            # Ruby's setters are named with an equals sign that words do not have
            names = {
                entry.chunk.symbol.name.rstrip("=")
                for entry in change.entries
                if entry.chunk.symbol
            }
            measured.lines += len(places)
            for place in places:
                end = file.content.find(b"\n", place)
                words = WORD.findall(file.content[place : end if end >= 0 else None].decode())
                is_named = not names.isdisjoint(words)
                measured.named_lines += is_named
                if symbols and not is_named:
                    line = file.content.count(b"\n", 0, place) + 1
                    measured.missed_lines.append(f"{file.path}:{line}")
        return change


def expectations() -> dict[str, Expected]:
    """The table of languages."""
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {
        language: Expected(
            language,
            tuple(table.get("also", ())),
            re.compile("|".join(table["definitions"]).encode(), re.MULTILINE),
            tuple(table["weak"]),
        )
        for language, table in tables.items()
    }


def measure(package: catalog.Package, folder: Path, version: str, expected: Expected) -> Measured:
    """Index one package and count."""
    measured = Measured(package.language, package.name, version)
    source = OneLanguage(DirectorySource(folder, name=package.slug), expected.names)
    lexical = Lexical()
    with tempfile.TemporaryDirectory(prefix="plait-languages-") as scratch:
        store = Counted(Path(scratch) / "store", lexical.analysis, expected, measured)
        began = cpu_s()
        report = refresh(
            source,
            store,
            lexical,
            stamps_path=Path(scratch) / "stamps.json",
            workers=1,
        )
        measured.cpu_s = cpu_s() - began
        store.close()
    measured.with_errors, measured.lost = len(report.with_errors), len(report.as_text)
    return measured


def cpu_s() -> float:
    """Of this process and of every worker that has ended."""
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def say(line: str) -> None:
    """Tell how far the run is."""
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Exit 0 if every package was there, 1 if one was not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", metavar="LANGUAGE", help="write nothing")
    parser.add_argument("--misses", action="store_true", help="print files without symbols")
    asked = parser.parse_args()
    root = fetch.default_root() / "languages"
    fetched = fetch.read_fetched(root)
    expected = expectations()
    found: defaultdict[str, list[Measured]] = defaultdict(list)
    missing = []
    for package in catalog.load(catalog.LANGUAGE_PACKAGES):
        if asked.only and package.language not in asked.only:
            continue
        entry = fetched.get(f"{package.registry} {package.name}")
        if entry is None:
            missing.append(package.name)
            continue
        folder = root / entry["folder"]
        measured = measure(package, folder, entry["version"], expected[package.language])
        found[package.language].append(measured)
        say(
            f"{package.language:<11} {package.name}: {measured.files} files,"
            f" {measured.defining_with_symbols} of {measured.defining} that define something"
            f" have symbols, {measured.named_lines} of {measured.lines} definition lines are"
            f" named, {measured.with_errors} with errors, {measured.cpu_s:.1f} CPU-s"
        )
        for place in (*measured.missed, *measured.missed_lines) if asked.misses else ():
            say(f"    {place}")
    for name in missing:
        say(f"error: {name} is not fetched: python tools/corpora/fetch.py languages")
    if not asked.only and not missing:
        weak = {language: table.weak for language, table in expected.items()}
        raw = {language: [asdict(one) for one in many] for language, many in found.items()}
        text = page(raw, weak)
        PAGE.write_text(text, encoding="utf-8")
        folder = write_record(
            "languages", command_line("benchmarks.languages"), raw, text, RECORDED_PACKAGES
        )
        say(f"wrote {PAGE.relative_to(ROOT)} and {folder.relative_to(ROOT)}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
