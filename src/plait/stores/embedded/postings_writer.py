"""Postings writer: for each gram the blocks it occurs in, packed in the smallest way.

Few blocks are kept as two bytes each; more as the gaps between them, a byte each (255 means
255 further and no block yet); very many as a bitmap. Which way it is follows from the length,
so nothing more than an end is kept for each gram.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait.patterns.gram_codes import GRAMS
from plait.stores.embedded.gram_keys import BATCH_BITS, BLOCKS_PER_BATCH, Keys

BLOCKS_PER_PART = 1 << 16  # so that two bytes hold a block
FURTHER = 255
PACKED_AT_ONCE = 1 << 20

Table = NDArray[np.uint8] | NDArray[np.uint32]


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
