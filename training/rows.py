"""Rows: texts as sparse rows of token weights, the way the model pools them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

MAX_PIECES = 220


class Ragged(NamedTuple):
    """Many lists of ids: one array, and where each list ends in it (the first starts at 0)."""

    ids: NDArray[np.int32]
    ends: NDArray[np.int64]


def packed(lists: Iterable[Sequence[int]], *, most: int = MAX_PIECES) -> Ragged:
    """Many lists of ids as one, each cut after so many."""
    flat: list[int] = []
    ends = [0]
    for ids in lists:
        flat.extend(ids[:most])
        ends.append(len(flat))
    return Ragged(np.array(flat, dtype=np.int32), np.array(ends, dtype=np.int64))


def weighed(lists: Ragged, width: int, root: bool = True) -> csr_matrix:
    """A row for each list: how often each token occurs, or the square root of that."""
    count = len(lists.ends) - 1
    owners = np.repeat(np.arange(count, dtype=np.int64), np.diff(lists.ends))
    keys, times = np.unique(owners * width + lists.ids, return_counts=True)
    ends = np.searchsorted(keys, np.arange(count + 1, dtype=np.int64) * width)
    data = times.astype(np.float32)
    if root:
        data = np.sqrt(data)
    return csr_matrix(
        (data, (keys % width).astype(np.int32), ends.astype(np.int32)), shape=(count, width)
    )


def chained(parts: Sequence[Ragged]) -> Ragged:
    """Several collections of lists as one."""
    before = np.cumsum([0, *(part.ends[-1] for part in parts)])
    ends = [part.ends[1:] + start for part, start in zip(parts, before[:-1], strict=True)]
    return Ragged(np.concatenate([part.ids for part in parts]), np.concatenate([[0], *ends]))


def beginnings(lists: Ragged, most: int) -> Ragged:
    """The first ids of each list."""
    lengths = np.minimum(np.diff(lists.ends), most)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(ends[-1]) + np.repeat(lists.ends[:-1] - ends[:-1], lengths)
    return Ragged(lists.ids[places], ends)
