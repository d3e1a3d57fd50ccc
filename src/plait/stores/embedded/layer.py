"""Layers: what one commit added, in two immutable files.

``NAME.text`` is the store's own copy of the files, raw, one after another, so that an answer
never depends on a file that has changed since and patterns can be matched where the bytes
lie. ``NAME.columns`` says where each file, chunk, symbol and reference is. A chunk has a
number, unique over the life of the store, by which the word index points at it; files that
were replaced or removed later are listed as dead in the manifest, not in the layer.
"""

from __future__ import annotations

import mmap
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from plait.errors import IndexCorrupt
from plait.stores.embedded.columns import (
    ColumnFile,
    Strings,
    StringsWriter,
    bisect_column,
    write_columns,
)
from plait.types import (
    NOTHING,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    Reference,
    Relation,
    SourceFile,
    Span,
    Symbol,
)

RELATIONS = tuple(Relation)
RELATION_BITS = 3

FILE_COLUMNS = {
    "file_repo": "I",  # string
    "file_path": "I",  # string
    "file_digest": "I",  # string
    "file_language": "I",  # string
    "file_tags": "I",  # string, space-separated
    "file_begin": "Q",  # in the text
    "file_size": "I",
    "file_chunk": "I",  # row of its first chunk
    "file_chunks": "I",
    "file_symbols": "I",
}
CHUNK_COLUMNS = {
    "chunk_number": "Q",
    "chunk_file": "I",
    "chunk_first": "I",
    "chunk_last": "I",
    "chunk_begin": "I",  # in the file
    "chunk_end": "I",
    "chunk_check": "I",  # CRC-32 of its text
    "chunk_symbol": "I",  # row + 1; 0 for none
    "chunk_part": "H",
    "chunk_references": "I",  # where its references end
}
SYMBOL_COLUMNS = {
    "symbol_name": "I",  # string
    "symbol_container": "I",  # string
    "symbol_kind": "I",  # string
    "symbol_first": "I",
    "symbol_last": "I",
    "symbol_signature_begin": "I",
    "symbol_signature_end": "I",
    "symbol_docstring_begin": "I",
    "symbol_docstring_end": "I",
}
COLUMNS = {**FILE_COLUMNS, **CHUNK_COLUMNS, **SYMBOL_COLUMNS, "references": "I"}


class Totals(NamedTuple):
    """What a file, or a set of files, amounts to."""

    files: int
    chunks: int
    symbols: int
    source_bytes: int


class LayerWriter:
    """Collects the files of one commit."""

    def __init__(self, folder: Path, name: str, next_number: int) -> None:
        self.name = name
        self.next_number = next_number
        self._columns_path = folder / f"{name}.columns"
        self._text = (folder / f"{name}.text").open("wb")
        self._text_size = 0
        self._texts: dict[str, int] = {}  # digest to place: equal files are stored once
        self._columns: dict[str, array[int]] = {key: array(kind) for key, kind in COLUMNS.items()}
        self._strings = StringsWriter()

    def add(self, change: Change, numbers: Sequence[int] | None = None) -> Sequence[int]:
        """Append a file; the numbers of its chunks, new ones unless they are given."""
        file = change.file
        assert file is not None
        columns, string = self._columns, self._strings.add
        place = self._texts.get(file.digest)
        if place is None:
            place = self._texts[file.digest] = self._text_size
            self._text.write(file.content)
            self._text_size += len(file.content)

        file_row = len(columns["file_path"])
        first_chunk = len(columns["chunk_number"])
        symbols: dict[int, int] = {}  # id of a symbol object to its row
        if numbers is None:
            numbers = range(self.next_number, self.next_number + len(change.entries))
            self.next_number = numbers.stop
        for number, entry in zip(numbers, change.entries, strict=True):
            self._add_chunk(number, entry.chunk, file_row, symbols)
        row = (
            string(change.repo),
            string(change.path),
            string(file.digest),
            string(file.language),
            string(" ".join(file.tags)),
            place,
            len(file.content),
            first_chunk,
            len(numbers),
            len(symbols),
        )
        for key, value in zip(FILE_COLUMNS, row, strict=True):
            columns[key].append(value)
        return numbers

    def _add_chunk(self, number: int, chunk: Chunk, file_row: int, symbols: dict[int, int]) -> None:
        columns = self._columns
        symbol_row = 0
        if chunk.symbol is not None:
            known = symbols.get(id(chunk.symbol))
            symbol_row = self._add_symbol(chunk.symbol) if known is None else known
            symbols[id(chunk.symbol)] = symbol_row
        references = columns["references"]
        for relation, target in chunk.references:
            code = RELATIONS.index(relation)
            references.append(self._strings.add(target) << RELATION_BITS | code)
        row = (
            number,
            file_row,
            chunk.span.first,
            chunk.span.last,
            chunk.body.begin,
            chunk.body.end,
            zlib.crc32(chunk.body.text.encode()),
            symbol_row,
            min(chunk.part, 0xFFFF),
            len(references),
        )
        for key, value in zip(CHUNK_COLUMNS, row, strict=True):
            columns[key].append(value)

    def _add_symbol(self, symbol: Symbol) -> int:
        string = self._strings.add
        row = (
            string(symbol.name),
            string(symbol.container),
            string(symbol.kind),
            symbol.span.first,
            symbol.span.last,
            symbol.signature.begin,
            symbol.signature.end,
            symbol.docstring.begin,
            symbol.docstring.end,
        )
        for key, value in zip(SYMBOL_COLUMNS, row, strict=True):
            self._columns[key].append(value)
        return len(self._columns["symbol_name"])  # row + 1

    def close(self) -> list[Path]:
        """Write the columns; the files of the layer."""
        self._text.close()
        columns: dict[str, array[int] | bytearray] = {
            **self._columns,
            "string_ends": self._strings.ends,
            "strings": self._strings.blob,
        }
        write_columns(self._columns_path, columns, {})
        return [self._columns_path, Path(self._text.name)]


class Layer:
    """One layer, mapped: rows in, values out."""

    def __init__(self, folder: Path, name: str, dead: Iterable[int] = ()) -> None:
        self.name = name
        self.dead = frozenset(dead)  # file rows
        self._columns = columns = ColumnFile(folder / f"{name}.columns").columns
        try:
            self.numbers = columns["chunk_number"]
            self.chunk_file = columns["chunk_file"]
            self.file_chunk = columns["file_chunk"]
            self.file_chunks = columns["file_chunks"]
            self.strings = Strings(columns["string_ends"], columns["strings"])
        except KeyError as error:
            raise IndexCorrupt(f"layer {name} lacks column {error}") from error
        self.is_dense = len(self.numbers) == 0 or (
            self.numbers[-1] - self.numbers[0] == len(self.numbers) - 1
        )
        with (folder / f"{name}.text").open("rb") as file:
            empty = file.seek(0, 2) == 0  # an empty file cannot be mapped
            self._text_map = None if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.text = memoryview(b"" if self._text_map is None else self._text_map)

    def row_of(self, number: int) -> int:
        """The row of a chunk number, or -1."""
        if not self.is_dense:
            return bisect_column(self.numbers, number)
        row = number - self.numbers[0] if len(self.numbers) else -1
        return row if 0 <= row < len(self.numbers) else -1

    def file_rows(self) -> Iterator[int]:
        """Rows of the files that are alive."""
        dead = self.dead
        return (row for row in range(len(self.file_chunk)) if row not in dead)

    def file_key(self, file_row: int) -> tuple[str, str]:
        """Repository and path of a file."""
        columns, strings = self._columns, self.strings
        return strings[columns["file_repo"][file_row]], strings[columns["file_path"][file_row]]

    def digest(self, file_row: int) -> str:
        return self.strings[self._columns["file_digest"][file_row]]

    def language(self, file_row: int) -> str:
        return self.strings[self._columns["file_language"][file_row]]

    def totals(self, file_row: int) -> Totals:
        columns = self._columns
        return Totals(
            1,
            columns["file_chunks"][file_row],
            columns["file_symbols"][file_row],
            columns["file_size"][file_row],
        )

    def chunk_rows(self, file_row: int) -> range:
        """Rows of a file's chunks, in order."""
        first = self.file_chunk[file_row]
        return range(first, first + self.file_chunks[file_row])

    def content(self, file_row: int) -> memoryview:
        """A file's bytes."""
        begin = self._columns["file_begin"][file_row]
        return self.text[begin : begin + self._columns["file_size"][file_row]]

    def text_place(self, file_row: int) -> int:
        """Where a file's bytes begin in the layer's text."""
        place: int = self._columns["file_begin"][file_row]
        return place

    def chunk_text(self, row: int) -> bytes:
        """A chunk's bytes, checked against what was written."""
        columns = self._columns
        place = columns["file_begin"][self.chunk_file[row]]
        begin, end = columns["chunk_begin"][row], columns["chunk_end"][row]
        text = bytes(self.text[place + begin : place + end])
        if zlib.crc32(text) != columns["chunk_check"][row]:
            raise IndexCorrupt(
                f"the stored text of chunk {self.numbers[row]} has changed (layer {self.name})",
                hint="plait check shows every fault; plait index --rebuild mends them",
            )
        return text

    def chunk_at(self, file_row: int, offset: int) -> int:
        """The row of the chunk a byte of a file lies in."""
        rows = self.chunk_rows(file_row)
        begins, ends = self._columns["chunk_begin"], self._columns["chunk_end"]
        row = bisect_right(begins, offset, rows.start, rows.stop) - 1
        while row > rows.start and ends[row] <= offset:
            row -= 1  # a chunk nested in the one wanted
        return row

    def chunk_end(self, row: int) -> int:
        """Where a chunk ends in its file."""
        end: int = self._columns["chunk_end"][row]
        return end

    def chunk(self, row: int, key: ChunkId) -> Chunk:
        """A chunk in full."""
        columns, strings = self._columns, self.strings
        file_row = self.chunk_file[row]
        begin = columns["chunk_begin"][row]
        tags = strings[columns["file_tags"][file_row]]
        symbol_row = columns["chunk_symbol"][row]
        first = columns["chunk_references"][row - 1] if row else 0
        codes = columns["references"][first : columns["chunk_references"][row]]
        return Chunk(
            id=key,
            language=strings[columns["file_language"][file_row]],
            span=Span(columns["chunk_first"][row], columns["chunk_last"][row]),
            body=Excerpt(begin, columns["chunk_end"][row], self.chunk_text(row).decode()),
            symbol=self._symbol(symbol_row - 1, file_row) if symbol_row else None,
            part=columns["chunk_part"][row],
            references=tuple(
                Reference(RELATIONS[code & 7], strings[code >> RELATION_BITS]) for code in codes
            ),
            tags=tuple(tags.split()),
        )

    def change(self, file_row: int) -> Change:
        """A file as it was committed, without terms."""
        columns, strings = self._columns, self.strings
        repo, path = self.file_key(file_row)
        file = SourceFile(
            repo=repo,
            path=path,
            language=self.language(file_row),
            content=bytes(self.content(file_row)),
            digest=self.digest(file_row),
            tags=tuple(strings[columns["file_tags"][file_row]].split()),
        )
        shared: dict[Symbol, Symbol] = {}  # the parts of a symbol are one symbol again
        entries = []
        for ordinal, row in enumerate(self.chunk_rows(file_row)):
            chunk = self.chunk(row, ChunkId(repo, path, ordinal))
            if chunk.symbol:
                chunk = replace(chunk, symbol=shared.setdefault(chunk.symbol, chunk.symbol))
            entries.append(Entry(chunk, {}))
        return Change(repo, path, file, tuple(entries))

    def _symbol(self, row: int, file_row: int) -> Symbol:
        columns, strings = self._columns, self.strings
        return Symbol(
            name=strings[columns["symbol_name"][row]],
            kind=strings[columns["symbol_kind"][row]],
            span=Span(columns["symbol_first"][row], columns["symbol_last"][row]),
            container=strings[columns["symbol_container"][row]],
            signature=self._excerpt("symbol_signature", row, file_row),
            docstring=self._excerpt("symbol_docstring", row, file_row),
        )

    def _excerpt(self, column: str, row: int, file_row: int) -> Excerpt:
        begin, end = self._columns[f"{column}_begin"][row], self._columns[f"{column}_end"][row]
        if end == 0:
            return NOTHING
        return Excerpt(begin, end, str(self.content(file_row)[begin:end], "utf-8"))
