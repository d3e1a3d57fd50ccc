"""Gram keys: the grams of a batch of blocks as sorted numbers, a gram and its block in each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from plait.patterns.gram_codes import FOLDED, codes

BATCH_BITS = np.uint32(10)  # a batch holds so many blocks that gram and block fit into 32 bits
BLOCKS_PER_BATCH = 1 << int(BATCH_BITS)

Keys = NDArray[np.uint32]  # gram << BATCH_BITS | block, rising, each once


def keys_of(texts: Sequence[bytes]) -> Keys:
    """Every gram of every block of a batch."""
    joined = b"\n".join(texts) + b"\n\n\n"
    sizes = np.fromiter((len(text) + 1 for text in texts), np.intp, len(texts))
    made, is_gram = codes(joined)
    sizes[-1] += len(made) - int(sizes.sum())
    numbers = np.repeat(np.arange(len(texts), dtype=np.uint32), sizes)
    keys = ((made << BATCH_BITS) | numbers)[is_gram]
    if any(letter in joined for letter, _ in FOLDED):
        keys = np.concatenate([keys, *_folded_keys(texts)])
    return _distinct(keys)


def _folded_keys(texts: Sequence[bytes]) -> list[Keys]:
    """What letters that match k and s without regard to case add."""
    found = []
    for number, text in enumerate(texts):
        if not any(letter in text for letter, _ in FOLDED):
            continue
        for letter, plain in FOLDED:
            text = text.replace(letter, plain)
        made, is_gram = codes(text + b"\n\n")
        found.append((made[is_gram] << BATCH_BITS) | np.uint32(number))
    return found


def _distinct(keys: Keys) -> Keys:
    """Keys sorted, each once; what was given is sorted in place."""
    if not len(keys):
        return keys
    keys.sort()
    is_new = np.empty(len(keys), np.bool_)
    is_new[0] = True
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return keys[is_new]
