"""Postings: which blocks may hold what a pattern needs.

The rarest grams are read first; each further one is asked only about the blocks that are
left, and only while there are enough of them to make that cheaper than looking at the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait.patterns.needs import Need
from plait.stores.embedded.gram_codes import code_of
from plait.stores.embedded.postings_writer import FURTHER

# What it costs, in microseconds, to look at a block and to read a gram's postings.
LOOK_COST, READ_COST, COUNT_COST = 3.0, 9.0, 0.004
FEW_BLOCKS = 4  # so many are read rather than asked about further
FIRST_SLICE = 64  # blocks of which it is known how many match before more are looked at
SLICE_GROWTH = 4
MAX_READ = 16  # grams of one need that are read
MAX_SHARE = 0.5  # a choice that lets through more of the blocks is not worth reading

Blocks = NDArray[np.intp]  # numbers of blocks within a part, rising
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


@dataclass(frozen=True, slots=True)
class BlockSet:
    """Blocks that may match, as numbers or, if they are very many, as a bitmap."""

    numbers: Blocks | None
    bitmap: NDArray[np.uint8] | None = None
    blocks: int = 0  # of the part

    def all(self) -> Blocks:
        """All of them, rising."""
        if self.numbers is not None:
            return self.numbers
        assert self.bitmap is not None
        return np.flatnonzero(np.unpackbits(self.bitmap, count=self.blocks, bitorder="little"))

    def between(self, first: int, last: int) -> list[int]:
        """Those from one number to before another."""
        if self.numbers is not None:
            begin, end = self.numbers.searchsorted((first, last)).tolist()
            inside = self.numbers[begin:end]
        else:
            assert self.bitmap is not None
            begin = first >> 3
            bits = np.unpackbits(self.bitmap[begin : (last + 7) >> 3], bitorder="little")
            inside = np.flatnonzero(bits[first - 8 * begin : last - 8 * begin]) + first
        found: list[int] = inside.tolist()
        return found

    def slices(self) -> Iterator[Blocks]:
        """All of them, few at first and more later."""
        begin, size = 0, FIRST_SLICE
        while begin < (self.blocks if self.numbers is None else len(self.numbers)):
            if self.numbers is None:
                some = np.array(self.between(begin, min(begin + size, self.blocks)), np.intp)
            else:
                some = self.numbers[begin : begin + size]
            yield some
            begin, size = begin + size, size * SLICE_GROWTH


class Postings:
    """The postings of one part, where they lie."""

    TABLES = ("grams", "counts", "ends", "postings")

    def __init__(self, tables: Mapping[str, memoryview], blocks: int) -> None:
        self.blocks = blocks
        self._grams = np.frombuffer(tables["grams"], np.uint32)
        self._counts = np.frombuffer(tables["counts"], np.uint32)
        self._ends = np.frombuffer(tables["ends"], np.uint32)
        self._blob = np.frombuffer(tables["postings"], np.uint8)
        self._bitmap_size = -(-blocks // 8)

    def find(self, codes: NDArray[np.uint32]) -> tuple[list[int], list[int]]:
        """Where each gram is, and in how many blocks; nowhere in none."""
        at = np.searchsorted(self._grams, codes)
        at[at == len(self._grams)] = 0
        if not len(self._grams):
            return at.tolist(), [0] * len(codes)
        counts = np.where(self._grams[at] == codes, self._counts[at], 0)
        return at.tolist(), counts.tolist()

    def read(self, at: int) -> tuple[Blocks | None, NDArray[np.uint8] | None]:
        """The blocks of a gram, as numbers or, if they are very many, as a bitmap."""
        begin = int(self._ends[at - 1]) if at else 0
        raw = self._blob[begin : int(self._ends[at])]
        if len(raw) == self._bitmap_size:
            return None, raw
        if len(raw) == 2 * int(self._counts[at]):
            return raw.view("<u2").astype(np.intp), None
        steps = np.cumsum(raw, dtype=np.intp)
        is_block = raw != FURTHER
        blocks = steps[is_block]
        blocks += np.arange(len(blocks))
        return blocks, None

    def matching(self, need: CodedNeed) -> BlockSet | None:
        """The blocks that may meet a need; None for all of them."""
        found: BlockSet | None = None
        if len(need.codes):
            places, counts = self.find(need.codes)
            if 0 in counts:
                return BlockSet(NO_BLOCKS)
            found = self._all_of(sorted(zip(counts, places, strict=True))[:MAX_READ])
        for group in need.choices:
            if found is not None and found.numbers is not None and len(found.numbers) <= FEW_BLOCKS:
                break
            either = self._one_of(group)
            if either is not None:
                both = either if found is None else np.intersect1d(found.all(), either, True)
                found = BlockSet(both)
        return found

    def _all_of(self, rarest: list[tuple[int, int]]) -> BlockSet:
        """The blocks that hold every gram; those of the rarest are read out, the others tested."""
        found: Blocks | None = None
        common: NDArray[np.uint8] | None = None
        for count, place in rarest:
            if found is not None and len(found) * LOOK_COST < READ_COST + count * COUNT_COST:
                break
            numbers, bitmap = self.read(place)
            if found is None and bitmap is not None:
                common = bitmap if common is None else common & bitmap
            elif found is None:
                found = numbers
            elif bitmap is not None:
                found = found[(bitmap[found >> 3] >> (found & 7)) & 1 == 1]
            elif numbers is not None:
                at = numbers.searchsorted(found)
                at[at == len(numbers)] = 0
                found = found[numbers[at] == found]
        return BlockSet(found, common, self.blocks)

    def _one_of(self, group: tuple[CodedNeed, ...]) -> Blocks | None:
        """The blocks that meet one of several needs; None if that is most of them."""
        is_found = np.zeros(self.blocks, np.bool_)
        for need in group:
            found = self.matching(need)
            if found is None:
                return None
            is_found[found.all()] = True
        numbers = np.flatnonzero(is_found)
        return None if len(numbers) > MAX_SHARE * self.blocks else numbers

    def matching_groups(
        self, need: CodedNeed, groups: NDArray[np.uint32]
    ) -> NDArray[np.uint32] | None:
        """The groups of blocks that may meet a need together; None for all of them.

        Args:
            groups: Which group each block is of.
        """
        found: NDArray[np.uint32] | None = None
        places, counts = self.find(need.codes) if len(need.codes) else ([], [])
        if 0 in counts:
            return groups[:0]
        for rarest in sorted(zip(counts, places, strict=True))[:MAX_READ]:
            here = np.unique(groups[self._all_of([rarest]).all()])
            found = here if found is None else np.intersect1d(found, here, True)
        for choice in need.choices:
            parts = [self.matching_groups(one, groups) for one in choice]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                here = np.unique(np.concatenate([groups[:0], *known]))
                found = here if found is None else np.intersect1d(found, here, True)
        return found
