"""Postings: for each gram the blocks it occurs in, packed by whichever way is smallest.

A part covers at most 65,536 blocks. Few blocks are kept as two bytes each; more as the gaps
between them, a byte each (255 means 255 further and no block yet); very many as a bitmap.
Which way it is follows from the length, so nothing more than an end is kept for each gram.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plait.stores.embedded.gram_codes import GRAMS

BLOCKS_PER_PART = 1 << 16
BATCH_BITS = np.uint32(12)  # a batch holds so many blocks that gram and block fit into 32 bits
BLOCKS_PER_BATCH = 1 << int(BATCH_BITS)
FURTHER = 255
PACKED_AT_ONCE = 1 << 20

Keys = NDArray[np.uint32]  # gram << BATCH_BITS | block, rising, each once
Blocks = NDArray[np.intp]  # numbers of blocks within a part, rising
Table = NDArray[np.uint8] | NDArray[np.uint32]


def distinct(keys: Keys) -> Keys:
    """Keys sorted, each once; what was given is sorted in place."""
    if not len(keys):
        return keys
    keys.sort()
    is_new = np.empty(len(keys), np.bool_)
    is_new[0] = True
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return keys[is_new]


def packed(batches: Sequence[Keys], blocks: int) -> dict[str, Table]:
    """The tables of a part from its batches, in order, each of ``BLOCKS_PER_BATCH`` blocks."""
    counts = np.zeros(GRAMS, np.int64)
    for keys in batches:
        counts += np.bincount(keys >> BATCH_BITS, minlength=GRAMS)
    postings = _by_gram(batches, counts)
    grams = np.flatnonzero(counts)
    counts = counts[grams]
    ends = np.cumsum(counts)
    sizes, blobs = [np.zeros(0, np.int64)], [np.zeros(0, np.uint8)]
    first = 0
    while first < len(grams):  # some at a time, to save memory
        begin = int(ends[first] - counts[first])
        last = max(int(np.searchsorted(ends, begin + PACKED_AT_ONCE)), first + 1)
        some = postings[begin : int(ends[last - 1])]
        size, blob = _packed(some, counts[first:last], blocks)
        sizes.append(size)
        blobs.append(blob)
        first = last
    return {
        "grams": grams.astype(np.uint32),
        "counts": counts.astype(np.uint32),
        "ends": np.cumsum(np.concatenate(sizes)).astype(np.uint32),
        "postings": np.concatenate(blobs),
    }


def _packed(
    postings: NDArray[np.uint16], counts: NDArray[np.int64], blocks: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The blocks of some grams, each packed in the smallest way, and the size of each."""
    begins = np.cumsum(counts) - counts
    gaps = postings.astype(np.int32)  # to the block before, less one
    gaps[1:] -= gaps[:-1].copy() + 1
    gaps[begins] = postings[begins]  # the first counts from the beginning
    skips = gaps // FURTHER
    sizes = counts + np.add.reduceat(skips, begins)
    bitmap_size = -(-blocks // 8)
    is_paired = sizes >= 2 * counts
    sizes[is_paired] = 2 * counts[is_paired]
    is_bitmap = sizes >= bitmap_size
    sizes[is_bitmap] = bitmap_size
    ends = np.cumsum(sizes)
    starts = ends - sizes
    blob = np.zeros(int(ends[-1]), np.uint8)

    for at in np.flatnonzero(is_bitmap):
        bits = np.zeros(bitmap_size * 8, np.bool_)
        bits[postings[begins[at] : begins[at] + counts[at]]] = True
        blob[starts[at] : ends[at]] = np.packbits(bits, bitorder="little")
    is_paired &= ~is_bitmap
    chosen = np.flatnonzero(np.repeat(is_paired, counts))
    place = 2 * chosen + np.repeat((starts - 2 * begins)[is_paired], counts[is_paired])
    blob[place] = postings[chosen] & 0xFF
    blob[place + 1] = postings[chosen] >> 8
    _pack_gaps(blob, gaps, skips, counts, starts, ~is_paired & ~is_bitmap)
    return sizes, blob


def _by_gram(batches: Sequence[Keys], counts: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The blocks of every gram, one gram after the other."""
    postings = np.empty(int(counts.sum()), np.uint16)
    filled = np.cumsum(counts) - counts  # where the next block of each gram goes
    for number, keys in enumerate(batches):
        grams = keys >> BATCH_BITS
        found = np.bincount(grams, minlength=GRAMS)
        begins = np.cumsum(found) - found
        shift = (filled - begins)[grams]
        blocks = (keys & (BLOCKS_PER_BATCH - 1)) + number * BLOCKS_PER_BATCH
        postings[shift + np.arange(len(keys))] = blocks
        filled += found
    return postings


def _pack_gaps(
    blob: NDArray[np.uint8],
    gaps: NDArray[np.int32],
    skips: NDArray[np.int32],
    counts: NDArray[np.int64],
    starts: NDArray[np.int64],
    chosen: NDArray[np.bool_],
) -> None:
    """Write the grams that are kept as gaps."""
    of_chosen = np.repeat(chosen, counts)
    taken = counts[chosen]
    if not len(taken):
        return
    sizes = skips[of_chosen] + 1
    ends = np.cumsum(sizes, dtype=np.int64)
    stream = np.full(int(ends[-1]), FURTHER, np.uint8)
    stream[ends - 1] = gaps[of_chosen] - skips[of_chosen] * FURTHER
    firsts = np.cumsum(taken) - taken
    before = (ends - sizes)[firsts]
    shift = np.repeat(starts[chosen] - before, np.add.reduceat(sizes, firsts))
    blob[np.arange(len(stream)) + shift] = stream


class Postings:
    """The postings of one part, where they lie."""

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
