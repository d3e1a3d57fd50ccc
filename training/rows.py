"""Rows: texts as sparse rows of token weights, the way the model pools them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from plait.models.wordpiece import WordPieces

MAX_PIECES = 220


def packed(pieces: Iterable[Sequence[int]], *, most: int = MAX_PIECES) -> tuple[np.ndarray, np.ndarray]:
    """Many lists of ids as one array and where each ends."""
    flat: list[int] = []
    ends = [0]
    for ids in pieces:
        flat.extend(ids[:most])
        ends.append(len(flat))
    return np.array(flat, dtype=np.int32), np.array(ends, dtype=np.int64)


def counted(lists: Sequence[Counter[int]], width: int) -> csr_matrix:
    """Weights by token, one row each."""
    indices = [token for counts in lists for token in counts]
    data = [weight for counts in lists for weight in counts.values()]
    ends = np.cumsum([0, *map(len, lists)])
    made = csr_matrix(
        (np.array(data, dtype=np.float32), np.array(indices, dtype=np.int64), ends),
        shape=(len(lists), width),
    )
    made.sort_indices()
    return made


def text_row(ids: Sequence[int]) -> Counter[int]:
    """A text: the square root of how often each token occurs."""
    return Counter({token: count**0.5 for token, count in Counter(ids).items()})


def function_row(body: Sequence[int], name: Sequence[int], weight: float) -> Counter[int]:
    """A function: its text, and its name by itself."""
    row = text_row(body)
    for token in name:
        row[token] += weight
    return row
