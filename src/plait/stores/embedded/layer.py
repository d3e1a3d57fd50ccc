"""Layers: what one commit added, in three immutable files.

``NAME.text`` is the store's own copy of the files, raw, one after another, so that an answer
never depends on a file that has changed since and patterns can be matched where the bytes
lie. ``NAME.tables`` says where each file, chunk and symbol is, and what chunks say about other
code; ``NAME.grams`` (see the gram writer) which lines may match a pattern. A chunk has a number,
unique over the life of the store, by which the word index points at it; files that were replaced
or removed later are listed as dead in the manifest, not in the layer.
"""

from __future__ import annotations

import mmap
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plait.errors import IndexCorrupt
from plait.stores.embedded.packed_links import unpacked
from plait.stores.embedded.rows import (
    CHUNK,
    EXTENT,
    EXTENT_OFFSET,
    FILE,
    FILE_COLUMNS,
    FILE_OF_CHUNK,
    SYMBOL,
    ChunkRow,
    FileRow,
    SymbolRow,
)
from plait.stores.embedded.tables import Strings, read_tables
from plait.types import (
    NO_LINKS,
    NOTHING,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    FileFacts,
    Links,
    SourceFile,
    Span,
    Symbol,
    SymbolName,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GRAMS = "grams"
SUFFIXES = ("tables", "text", GRAMS)


FACTS = itemgetter(*map(FileRow._fields.index, ("language", "tags", "size", "chunks")))
SYMBOL_AT, PART_AT = ChunkRow._fields.index("symbol"), ChunkRow._fields.index("part")


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    """Tags, of which few sets are in use."""
    return tuple(text.split())


class Totals(NamedTuple):
    """What a file, or a set of files, amounts to."""

    files: int
    chunks: int
    symbols: int
    source_bytes: int


class Layer:
    """One layer, mapped: rows in, values out."""

    def __init__(self, folder: Path, name: str, dead: Iterable[int] = ()) -> None:
        self.name = name
        self.dead = frozenset(dead)  # file rows
        tables = read_tables(folder / f"{name}.tables")
        try:
            self._files = tables["files"]
            self._chunks = tables["chunks"]
            self._symbols = tables["symbols"]
            self._links = tables["links"]
            self._numbers = tables["numbers"].cast("Q")
            self.strings = Strings(tables["string_ends"], tables["strings"])
            self._kinds = Strings(tables["kind_ends"], tables["kinds"])
        except (KeyError, TypeError) as error:
            raise IndexCorrupt(f"layer {name} lacks a table: {error}") from error
        self.file_count = len(self._files) // FILE.size
        self.chunk_count = len(self._chunks) // CHUNK.size
        self.first_number = self._numbers[0] if len(self._numbers) else 0
        self._has_gaps = len(self._numbers) > 1
        with (folder / f"{name}.text").open("rb") as file:
            is_empty = file.seek(0, 2) == 0  # an empty file cannot be mapped
            self.map = b"" if is_empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.text = memoryview(self.map)

    # ------------------------------------------------------------ rows

    def file_row(self, row: int) -> FileRow:
        return FileRow._make(FILE.unpack_from(self._files, row * FILE.size))

    def chunk_row(self, row: int) -> ChunkRow:
        return ChunkRow._make(CHUNK.unpack_from(self._chunks, row * CHUNK.size))

    def number(self, row: int) -> int:
        """The number of a chunk, by which the word index knows it."""
        number: int = self._numbers[row] if self._has_gaps else self.first_number + row
        return number

    def all_numbers(self) -> range | memoryview:
        """The numbers of all chunks, rising."""
        if self._has_gaps:
            return self._numbers
        return range(self.first_number, self.first_number + self.chunk_count)

    def file_of(self, row: int) -> int:
        """The row of the file a chunk belongs to."""
        file: int = FILE_OF_CHUNK.unpack_from(self._chunks, row * CHUNK.size)[0]
        return file

    def row_of(self, number: int) -> int:
        """The row of a chunk number, or -1."""
        row = number - self.first_number
        if self._has_gaps:
            row = bisect_left(self._numbers, number)
            if row < self.chunk_count and self._numbers[row] != number:
                return -1
        return row if 0 <= row < self.chunk_count else -1

    def file_rows(self) -> Iterator[int]:
        """Rows of the files that are alive."""
        dead = self.dead
        return (row for row in range(self.file_count) if row not in dead)

    def digests(self, repo: str) -> Iterator[tuple[str, str]]:
        """Path and digest of every file of a repository that is alive."""
        text, dead = self.strings.text, self.dead
        owners: dict[int, str] = {}
        for row, file in enumerate(FILE.iter_unpack(self._files)):
            owner = owners.get(file[0])
            if owner is None:
                owner = owners[file[0]] = text(file[0])
            if owner == repo and row not in dead:
                yield text(file[1]), text(file[2])

    def chunk_rows(self, row: int) -> range:
        """Rows of a file's chunks, in order."""
        file = self.file_row(row)
        return range(file.chunk, file.chunk + file.chunks)

    def signatures(self, row: int) -> Iterator[tuple[bytes, int, int]]:
        """The name of every symbol of a file that has a signature, and where that lies."""
        strings, size = self.strings, SYMBOL.size
        first = self._first_symbols[row]
        last = self._first_symbols[row + 1]
        for symbol in SYMBOL.iter_unpack(self._symbols[first * size : last * size]):
            begin, length = symbol[4], symbol[6]
            if length:
                yield strings.text(symbol[0]).encode(), begin, begin + length

    @cached_property
    def _first_symbols(self) -> list[int]:
        """The row of the first symbol of every file, and the end."""
        counts = (file[-1] for file in FILE.iter_unpack(self._files))
        return list(accumulate(counts, initial=0))

    def rows_by_rank(self) -> tuple[list[int], list[int]]:
        """Rows of all files by path, those with tags (tests and the like) apart."""
        ranked: tuple[list[int], list[int]] = ([], [])
        for row in sorted(range(self.file_count), key=self.path_key):
            ranked[self.strings[self.file_row(row).tags] != ""].append(row)
        return ranked

    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where in the text every file begins, and how long it is."""
        import numpy as np

        rows = np.frombuffer(self._files, np.dtype(FILE_COLUMNS))
        return rows["begin"].astype(np.int64), rows["size"].astype(np.int64)

    def path_key(self, row: int) -> tuple[str, str]:
        """What sorts files by path, folder by folder."""
        repo, path = self.file_key(row)
        return repo, path.replace("/", "\0")

    # ------------------------------------------------------------ values

    def file_key(self, row: int) -> tuple[str, str]:
        """Repository and path of a file."""
        file = self.file_row(row)
        return self.strings[file.repo], self.strings[file.path]

    def extent(self, row: int) -> tuple[int, int]:
        """Where a file begins and ends in the text."""
        begin, size = EXTENT.unpack_from(self._files, row * FILE.size + EXTENT_OFFSET)
        return begin, begin + size

    def facts(self, row: int) -> FileFacts:
        """What is known of a file without reading it."""
        file, strings = FILE.unpack_from(self._files, row * FILE.size), self.strings
        language, tags, size, chunks = FACTS(file)
        return FileFacts(strings[language], _words(strings[tags]), size, chunks)

    def symbol_name(self, row: int) -> SymbolName | None:
        """The symbol a chunk is of, without its text; None if it is of none."""
        here = CHUNK.unpack_from(self._chunks, row * CHUNK.size)
        symbol, part = here[SYMBOL_AT], here[PART_AT]
        if not symbol:
            return None
        found = SYMBOL.unpack_from(self._symbols, (symbol - 1) * SYMBOL.size)
        strings = self.strings
        return SymbolName(strings[found[0]], self._kinds[found[-1]], strings[found[1]], part)

    def files_of(self, repos: frozenset[str]) -> list[int]:
        """Rows of the files that are alive and of some repositories."""
        text, dead = self.strings.text, self.dead
        is_theirs: dict[int, bool] = {}
        rows = []
        for row, file in enumerate(FILE.iter_unpack(self._files)):
            owner = file[0]
            if owner not in is_theirs:
                is_theirs[owner] = text(owner) in repos
            if is_theirs[owner] and row not in dead:
                rows.append(row)
        return rows

    def totals(self, row: int) -> Totals:
        """What a file adds to the statistics."""
        file = self.file_row(row)
        return Totals(1, file.chunks, file.symbols, file.size)

    def content(self, row: int) -> memoryview:
        """A file's bytes."""
        file = self.file_row(row)
        return self.text[file.begin : file.begin + file.size]

    def chunk_text(self, row: int) -> bytes:
        """A chunk's bytes, checked against what was written."""
        chunk = self.chunk_row(row)
        return self._checked(self.file_row(chunk.file), chunk)

    def _checked(self, file: FileRow, chunk: ChunkRow) -> bytes:
        place = file.begin + chunk.begin
        text = bytes(self.text[place : place + chunk.size])
        if zlib.crc32(text) != chunk.check:
            raise IndexCorrupt(
                f"the stored text of {self.file_key(chunk.file)[1]} has changed "
                f"(layer {self.name}, line {chunk.first})",
                hint="plait index --rebuild repairs it",
            )
        return text

    def chunk(self, row: int, key: ChunkId) -> Chunk:
        """A chunk in full."""
        strings, here = self.strings, self.chunk_row(row)
        file = self.file_row(here.file)
        text = self._checked(file, here).decode()
        return Chunk(
            key,
            strings[file.language],
            Span(here.first, here.first + here.lines - 1),
            Excerpt(here.begin, here.begin + here.size, text),
            self._symbol(here.symbol - 1, file) if here.symbol else None,
            here.part,
            tuple(strings[file.tags].split()),
        )

    def links(self, row: int) -> list[Links]:
        """What each chunk of a file says about other code."""
        begin = self.file_row(row - 1).links if row else 0
        file = self.file_row(row)
        if begin == file.links:
            return [NO_LINKS] * file.chunks
        found = unpacked(self._links[begin : file.links])
        if len(found) != file.chunks:
            raise IndexCorrupt(f"the links of {self.file_key(row)[1]} are not those of its chunks")
        return found

    def _symbol(self, row: int, file: FileRow) -> Symbol:
        strings = self.strings
        symbol = SymbolRow._make(SYMBOL.unpack_from(self._symbols, row * SYMBOL.size))
        return Symbol(
            strings[symbol.name],
            self._kinds[symbol.kind],
            Span(symbol.first, symbol.first + symbol.lines - 1),
            strings[symbol.container],
            self._excerpt(file, symbol.signature, symbol.signature_size),
            self._excerpt(file, symbol.docstring, symbol.docstring_size),
            symbol.n,
        )

    def _excerpt(self, file: FileRow, begin: int, size: int) -> Excerpt:
        if size == 0:
            return NOTHING
        place = file.begin + begin
        return Excerpt(begin, begin + size, str(self.text[place : place + size], "utf-8"))

    def change(self, row: int) -> Change:
        """A file as it was committed, without terms."""
        file, strings = self.file_row(row), self.strings
        repo, path = self.file_key(row)
        source = SourceFile(
            repo=repo,
            path=path,
            language=strings[file.language],
            content=bytes(self.content(row)),
            digest=strings[file.digest],
            tags=tuple(strings[file.tags].split()),
        )
        shared: dict[Symbol, Symbol] = {}  # the parts of a symbol are one symbol again
        entries = []
        links = self.links(row)
        for ordinal, chunk_row in enumerate(self.chunk_rows(row)):
            chunk = self.chunk(chunk_row, ChunkId(repo, path, ordinal))
            if chunk.symbol:
                chunk = chunk._replace(symbol=shared.setdefault(chunk.symbol, chunk.symbol))
            entries.append(Entry(chunk, {}, links[ordinal]))
        return Change(repo, path, source, tuple(entries))
