"""Layer writer: the files of one commit, gathered and written as a layer."""

from __future__ import annotations

import zlib
from itertools import pairwise
from pathlib import Path

from plait.stores.embedded.packed_links import packed
from plait.stores.embedded.rows import (
    CHUNK,
    FILE,
    MAX_PART,
    NUMBER,
    SYMBOL,
)
from plait.stores.embedded.tables import StringsWriter, write_tables
from plait.types import Change, Chunk, Symbol


class LayerWriter:
    """Collects the files of one commit."""

    def __init__(self, folder: Path, name: str, next_number: int) -> None:
        self.name = name
        self.next_number = next_number
        self.source_size = 0  # of all files; equal ones are counted each
        self._text_size = 0
        self._tables_path = folder / f"{name}.tables"
        self._text = (folder / f"{name}.text").open("wb")
        self._texts: dict[str, int] = {}  # digest to place: equal files are stored once
        self._files = bytearray()
        self._chunks = bytearray()
        self._symbols = bytearray()
        self._links = bytearray()
        self._strings = StringsWriter()
        self._kinds = StringsWriter()
        self._numbers: list[range] = []

    def add(self, change: Change, numbers: range | None = None) -> range:
        """Append a file; the numbers of its chunks, new ones unless they are given."""
        file = change.file
        assert file is not None
        string = self._strings.add
        place = self._texts.get(file.digest)
        if place is None:
            place = self._texts[file.digest] = self._text_size
            # Every file ends a line here, so that patterns can run over many files at once.
            end = b"" if file.content.endswith(b"\n") else b"\n"
            self._text.write(file.content + end)
            self._text_size += len(file.content) + len(end)
        self.source_size += len(file.content)

        file_row = len(self._files) // FILE.size
        first_chunk = len(self._chunks) // CHUNK.size
        symbols: dict[int, int] = {}  # id of a symbol object to its row + 1
        if numbers is None:
            numbers = range(self.next_number, self.next_number + len(change.entries))
            self.next_number = numbers.stop
        self._numbers.append(numbers)
        for entry in change.entries:
            self._add_chunk(entry.chunk, file_row, symbols)
        self._links += packed(entry.links for entry in change.entries)
        self._files += FILE.pack(
            string(change.repo),
            string(change.path),
            string(file.digest),
            string(file.language),
            string(" ".join(file.tags)),
            place,
            len(file.content),
            first_chunk,
            len(numbers),
            len(self._links),
            len(symbols),
        )
        return numbers

    def _add_chunk(self, chunk: Chunk, file_row: int, symbols: dict[int, int]) -> None:
        symbol, symbol_row = chunk.symbol, 0
        if symbol is not None:
            symbol_row = symbols.get(id(symbol), 0)
            if symbol_row == 0:
                symbol_row = symbols[id(symbol)] = self._add_symbol(symbol)
        begin, end, text = chunk.body
        first, last = chunk.span
        self._chunks += CHUNK.pack(
            file_row,
            first,
            begin,
            end - begin,
            zlib.crc32(text.encode()),
            symbol_row,
            last - first + 1,
            min(chunk.part, MAX_PART),
        )

    def _add_symbol(self, symbol: Symbol) -> int:
        string = self._strings.add
        name, kind, (first, last), container, signature, docstring, n = symbol
        self._symbols += SYMBOL.pack(
            string(name),
            string(container),
            first,
            last - first + 1,
            signature.begin,
            docstring.begin,
            signature.end - signature.begin,
            docstring.end - docstring.begin,
            n,
            self._kinds.add(kind),
        )
        return len(self._symbols) // SYMBOL.size

    def close(self) -> list[Path]:
        """Write the tables; the files of the layer."""
        self._text.close()
        tables = {
            "files": self._files,
            "chunks": self._chunks,
            "symbols": self._symbols,
            "links": self._links,
            "string_ends": self._strings.ends,
            "strings": self._strings.blob,
            "kind_ends": self._kinds.ends,
            "kinds": self._kinds.blob,
            "numbers": self._packed_numbers(),
        }
        write_tables(self._tables_path, tables)
        return [self._tables_path, Path(self._text.name)]

    @property
    def file_count(self) -> int:
        return len(self._files) // FILE.size

    def abandon(self) -> None:
        """Let go of the files; whoever named them removes them."""
        self._text.close()

    def _packed_numbers(self) -> bytearray:
        """The first number alone if they rise without gaps, else all of them."""
        runs = [run for run in self._numbers if run]
        if all(left.stop == right.start for left, right in pairwise(runs)):
            return bytearray(NUMBER.pack(runs[0].start) if runs else b"")
        return bytearray(b"".join(NUMBER.pack(number) for run in runs for number in run))
