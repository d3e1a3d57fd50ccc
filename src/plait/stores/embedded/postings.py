"""Postings: which blocks may hold what a pattern needs.

The rarest grams are read first; each further one is asked only about the blocks that are
left, and only while there are enough of them to make that cheaper than looking at the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plait.patterns.gram_codes import code_of
from plait.patterns.needs import Need
from plait.stores.embedded.postings_writer import FURTHER

# What it costs, in microseconds, to look at a block, to read a gram's postings (and for each
# block of them), and to put bitmaps together.
LOOK_COST, READ_COST, COUNT_COST, BITMAP_COST = 3.0, 6.0, 0.005, 15.0
CHOICE_COST = 40.0  # the same for each alternative of a choice
FIRST_SLICE = 128  # blocks of which it is known how many match before more are looked at
SLICE_GROWTH = 4
LAST_SLICE = 8_192  # after each it is asked whether time is up
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


class Test(NamedTuple):
    """A gram that blocks have to hold, which they are asked about when they are looked at."""

    cost: float
    ruled_out: float  # the share of all blocks that does not hold it
    place: int


class BlockSet:
    """Blocks that may match: some that are known, as far as they pass tests.

    Tests are made when the blocks are taken out, so a search that stops early saves most.

    Args:
        postings: Where the tests are looked up.
        numbers: The blocks; None for those of the bitmaps.
        bitmaps: The places of grams with bitmaps, which each of them has to hold.
        tests: The other grams they have to hold.
        masks: Each of them has to be in all of these.
    """

    def __init__(
        self,
        postings: Postings,
        numbers: Blocks | None,
        bitmaps: Sequence[int] = (),
        tests: Sequence[Test] = (),
        masks: Sequence[NDArray[np.bool_]] = (),
    ) -> None:
        self._postings = postings
        self._numbers = numbers
        self._bitmaps = bitmaps
        self._tests = tests
        self._masks = masks
        self._read: dict[int, Blocks] = {}
        self._common: NDArray[np.uint8] | None = None  # of all bitmaps, a byte a block

    @property
    def most(self) -> int:
        """How many they are at most."""
        return self._postings.blocks if self._numbers is None else len(self._numbers)

    def within(self, mask: NDArray[np.bool_]) -> BlockSet:
        """Those that are also in a mask, a byte for each block of the part."""
        masks = (*self._masks, mask)
        return BlockSet(self._postings, self._numbers, self._bitmaps, self._tests, masks)

    def all(self) -> Blocks:
        """All of them, rising."""
        return self._passing(self._known(0, self._postings.blocks))

    def between(self, first: int, last: int) -> list[int]:
        """Those from one number to before another."""
        found: list[int] = self._passing(self._known(first, last)).tolist()
        return found

    def slices(self) -> Iterator[Blocks]:
        """All of them, few at first and more later."""
        begin, size = 0, FIRST_SLICE
        end = self._postings.blocks if self._numbers is None else len(self._numbers)
        while begin < end:
            some = (
                self._known(begin, min(begin + size, end))
                if self._numbers is None
                else self._numbers[begin : begin + size]
            )
            yield self._passing(some)
            begin, size = begin + size, min(size * SLICE_GROWTH, LAST_SLICE)

    def _known(self, first: int, last: int) -> Blocks:
        if self._numbers is not None:
            search = self._numbers.searchsorted
            return self._numbers[search(first) : search(last)]
        return self._holds_all()[first:last].nonzero()[0] + first

    def _holds_all(self) -> NDArray[np.uint8]:
        """Which blocks are in all bitmaps."""
        if self._common is None:
            first, *others = [self._postings.bitmap(place) for place in self._bitmaps]
            common = first.copy()
            for other in others:
                common &= other
            self._common = np.unpackbits(common, bitorder="little")
        return self._common

    def _passing(self, some: Blocks) -> Blocks:
        """Those that pass the tests that cost less than looking at what they would rule out."""
        if self._numbers is not None and self._bitmaps:
            cost = READ_COST if self._common is not None else BITMAP_COST
            if len(some) * LOOK_COST > cost + len(self._bitmaps):
                some = some[self._holds_all()[some] == 1]
        for mask in self._masks:
            some = some[mask[some]]
        for cost, ruled_out, place in self._tests:
            if len(some) * LOOK_COST * ruled_out < cost:
                continue
            if place not in self._read:
                self._read[place] = self._postings.numbers(place)
            numbers = self._read[place]
            at = numbers.searchsorted(some)
            at[at == len(numbers)] = 0
            some = some[numbers[at] == some]
        return some


class Postings:
    """The postings of one part, where they lie."""

    TABLES = ("grams", "counts", "ends", "postings")

    def __init__(self, tables: Mapping[str, memoryview], blocks: int) -> None:
        self.blocks = blocks
        self._grams = np.frombuffer(tables["grams"], np.uint32)
        self._counts = np.frombuffer(tables["counts"], np.uint32)
        self._ends = tables["ends"].cast("I")
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

    def is_bitmap(self, at: int) -> bool:
        """Whether the blocks of a gram are kept as a bitmap."""
        return self._ends[at] - (self._ends[at - 1] if at else 0) == self._bitmap_size

    def bitmap(self, at: int) -> NDArray[np.uint8]:
        """The blocks of a gram that is kept as a bitmap."""
        return self._raw(at)

    def numbers(self, at: int) -> Blocks:
        """The blocks of a gram that is kept otherwise."""
        raw = self._raw(at)
        if len(raw) == 2 * int(self._counts[at]):
            pairs: NDArray[np.uint16] = raw.view("<u2")
            return pairs.astype(np.intp)
        steps = np.cumsum(raw, dtype=np.intp)
        blocks: Blocks = steps[raw != FURTHER]
        blocks += np.arange(len(blocks))
        return blocks

    def _raw(self, at: int) -> NDArray[np.uint8]:
        return self._blob[self._ends[at - 1] if at else 0 : self._ends[at]]

    def matching(self, need: CodedNeed) -> BlockSet | None:
        """The blocks that may meet a need; None for all of them."""
        found: BlockSet | None = None
        if len(need.codes):
            places, counts = self.find(need.codes)
            if 0 in counts:
                return BlockSet(self, NO_BLOCKS)
            found = self._all_of(sorted(zip(counts, places, strict=True))[:MAX_READ])
        for group in need.choices:
            if found is not None and found.most * LOOK_COST < len(group) * CHOICE_COST:
                continue
            mask = self._one_of(group)
            if mask is not None:
                found = BlockSet(self, mask.nonzero()[0]) if found is None else found.within(mask)
        return found

    def _all_of(self, rarest: list[tuple[int, int]]) -> BlockSet:
        """The blocks of the rarest gram, to be tested for the others."""
        bitmaps = [place for _, place in rarest if self.is_bitmap(place)]
        listed = [(count, place) for count, place in rarest if not self.is_bitmap(place)]
        if not listed:
            return BlockSet(self, None, bitmaps)
        tests = [
            Test(READ_COST + count * COUNT_COST, 1 - count / self.blocks, place)
            for count, place in listed[1:]
        ]
        return BlockSet(self, self.numbers(listed[0][1]), bitmaps, tests)

    def _one_of(self, group: tuple[CodedNeed, ...]) -> NDArray[np.bool_] | None:
        """The blocks that meet one of several needs; None if that is most of them."""
        is_found = np.zeros(self.blocks, np.bool_)
        for need in group:
            found = self.matching(need)
            if found is None:
                return None
            is_found[found.all()] = True
        return None if np.count_nonzero(is_found) > MAX_SHARE * self.blocks else is_found

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
