"""Gram file: which blocks of a layer may hold what a pattern needs.

The rarest grams are read first; each further one is asked only about the blocks that are
left, and only while there are enough of them to make that cheaper than looking at the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.errors import IndexCorrupt
from plait.patterns.needs import Need
from plait.stores.embedded.gram_codes import code_of
from plait.stores.embedded.gram_writer import TEXT
from plait.stores.embedded.postings import Blocks, Postings
from plait.stores.embedded.tables import read_tables

FEW_BLOCKS = 6  # so many are read rather than asked about further
MAX_READ = 8  # grams of one need that are read
MAX_SHARE = 0.5  # a choice that lets through more of the blocks is not worth reading
NO_BLOCKS: Blocks = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True)
class CodedNeed:
    """A need as the postings know grams."""

    codes: NDArray[np.uint32]
    choices: tuple[tuple[CodedNeed, ...], ...]

    @classmethod
    def of(cls, need: Need) -> CodedNeed:
        """Code a need, once for all parts."""
        choices = tuple(tuple(cls.of(one) for one in group) for group in need.choices)
        return cls(code_of(sorted(need.grams)), choices)


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
            self.begins = np.frombuffer(self._tables["block_begins"], np.uint64)
            self.sizes = np.frombuffer(self._tables["block_sizes"], np.uint32)
            self.files = np.frombuffer(self._tables["block_files"], np.uint32)
            self.lines = np.frombuffer(self._tables["block_lines"], np.uint32)
            self.file_blocks = np.frombuffer(self._tables["file_blocks"], np.uint32).reshape(-1, 2)
            self.name_begins = self._tables["name_begins"].cast("Q")
            self.name_sizes = self._tables["name_sizes"].cast("H")
        except (KeyError, TypeError, ValueError) as error:
            raise IndexCorrupt(f"{path.name} lacks a table: {error}") from error
        self._postings: dict[tuple[int, str], Postings] = {}

    def candidates(self, part: Part, kind: str, need: CodedNeed) -> Blocks | None:
        """The blocks of a part that may hold what is needed, rising; None for all of them."""
        found = _matching(self._opened(part, kind), need)
        return None if found is None else found + part.first

    def candidate_files(self, part: Part, need: CodedNeed) -> NDArray[np.uint32]:
        """The files of a part that may hold what is needed, each gram in any block."""
        files = self.files[part.first : part.first + part.blocks]
        found = _matching_files(self._opened(part, TEXT), need, files)
        return _once(files) if found is None else found

    def blocks_of(self, row: int) -> range:
        """The blocks of a file."""
        first, last = self.file_blocks[row].tolist()
        return range(first, last)

    def _opened(self, part: Part, kind: str) -> Postings:
        key = (part.number, kind)
        if key not in self._postings:
            names = ("grams", "counts", "ends", "postings")
            tables = {name: self._tables[f"{part.number}.{kind}.{name}"] for name in names}
            self._postings[key] = Postings(tables, part.blocks)
        return self._postings[key]


def _matching(postings: Postings, need: CodedNeed) -> Blocks | None:
    found: Blocks | None = None
    if len(need.codes):
        places, counts = postings.find(need.codes)
        if 0 in counts:
            return NO_BLOCKS
        found = _all_of(postings, sorted(zip(counts, places, strict=True))[:MAX_READ])
    for group in need.choices:
        if found is not None and len(found) <= FEW_BLOCKS:
            break
        either = _one_of(postings, group)
        if either is not None:
            found = either if found is None else np.intersect1d(found, either, True)
    return found


def _all_of(postings: Postings, rarest: list[tuple[int, int]]) -> Blocks:
    """The blocks that hold every gram; those of the rarest are read out, the others tested."""
    found: Blocks | None = None
    common: NDArray[np.uint8] | None = None
    for _, place in rarest:
        numbers, bitmap = postings.read(place)
        if found is None and bitmap is not None:
            common = bitmap if common is None else common & bitmap
        elif found is None:
            assert numbers is not None
            found = numbers
        elif bitmap is not None:
            found = found[(bitmap[found >> 3] >> (found & 7)) & 1 == 1]
        else:
            assert numbers is not None
            at = np.searchsorted(numbers, found)
            at[at == len(numbers)] = 0
            found = found[numbers[at] == found]
        if found is not None and len(found) <= FEW_BLOCKS:
            break
    if found is None:
        assert common is not None
        found = np.flatnonzero(np.unpackbits(common, count=postings.blocks, bitorder="little"))
    return found


def _matching_files(
    postings: Postings, need: CodedNeed, files: NDArray[np.uint32]
) -> NDArray[np.uint32] | None:
    """The files that meet a need, whichever of their blocks do; None for all of them."""
    found: NDArray[np.uint32] | None = None
    places, counts = postings.find(need.codes) if len(need.codes) else ([], [])
    if 0 in counts:
        return files[:0]
    for place in [place for _, place in sorted(zip(counts, places, strict=True))[:MAX_READ]]:
        here = _once(files[_all_of(postings, [(0, place)])])
        found = here if found is None else found[np.isin(found, here)]
    for group in need.choices:
        parts = [_matching_files(postings, one, files) for one in group]
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            here = np.concatenate([files[:0], *known])
            found = _once(here) if found is None else found[np.isin(found, here)]
    return found


def _once(files: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Each file once, in the order of its blocks."""
    _, first = np.unique(files, return_index=True)
    return files[np.sort(first)]


def _one_of(postings: Postings, group: tuple[CodedNeed, ...]) -> Blocks | None:
    """The blocks that meet one of several needs; None if that is most of them."""
    is_found = np.zeros(postings.blocks, np.bool_)
    for need in group:
        found = _matching(postings, need)
        if found is None:
            return None
        is_found[found] = True
    numbers = np.flatnonzero(is_found)
    return None if len(numbers) > MAX_SHARE * postings.blocks else numbers
