"""Gram file: the blocks of a layer, what may match in them, and the names it defines."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.errors import IndexCorrupt
from plait.stores.embedded.name_index import NameIndex
from plait.stores.embedded.postings import BlockSet, CodedNeed, Postings
from plait.stores.embedded.tables import read_tables


class Part(NamedTuple):
    """Consecutive blocks with postings of their own."""

    number: int
    first: int  # block
    blocks: int
    shelf: int  # 0 for what is shown first


class LayerGrams:
    """The grams of one layer, where they lie."""

    def __init__(self, path: Path, view: memoryview | None = None) -> None:
        self._tables = read_tables(path, view)
        try:
            rows = np.frombuffer(self._tables["parts"], np.uint32).reshape(-1, 3).tolist()
            self.parts = [Part(number, *row) for number, row in enumerate(rows)]
            self._first_blocks = [part.first for part in self.parts]
            self.begins = np.frombuffer(self._tables["block_begins"], np.uint64)
            self.sizes = np.frombuffer(self._tables["block_sizes"], np.uint32)
            self.files = np.frombuffer(self._tables["block_files"], np.uint32)
            self.lines = np.frombuffer(self._tables["block_lines"], np.uint32)
            self._file_blocks = self._tables["file_blocks"].cast("I")
            self.names = NameIndex(self._tables)
            self._postings = [self._opened(part) for part in self.parts]
        except (KeyError, TypeError, ValueError) as error:
            raise IndexCorrupt(f"{path.name} lacks a table: {error}") from error

    def _opened(self, part: Part) -> Postings:
        tables = {name: self._tables[f"{part.number}.{name}"] for name in Postings.TABLES}
        return Postings(tables, part.blocks)

    def candidates(self, part: Part, need: CodedNeed) -> BlockSet | None:
        """The blocks of a part, numbered within it, that may hold what is needed; None for all."""
        return self._postings[part.number].matching(need)

    def candidate_files(self, part: Part, need: CodedNeed) -> list[int]:
        """The rows of a part that may hold what is needed, each gram in any of their blocks."""
        files = self.files[part.first : part.first + part.blocks]
        found = self._postings[part.number].matching_groups(need, files)
        return _once(files if found is None else files[np.isin(files, found)])

    def rows(self, part: Part) -> list[int]:
        """The rows of the files of a part, in order."""
        return _once(self.files[part.first : part.first + part.blocks])

    def blocks_of(self, row: int) -> range:
        """The blocks of a file."""
        return range(self._file_blocks[2 * row], self._file_blocks[2 * row + 1])

    def part_of(self, block: int) -> Part:
        """The part a block is in."""
        return self.parts[bisect_right(self._first_blocks, block) - 1]


def _once(files: NDArray[np.uint32]) -> list[int]:
    """Each file once; the blocks of a file follow each other."""
    is_new = np.ones(len(files), np.bool_)
    np.not_equal(files[1:], files[:-1], out=is_new[1:])
    rows: list[int] = files[is_new].tolist()
    return rows
