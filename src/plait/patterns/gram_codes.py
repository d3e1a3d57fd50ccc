"""Gram codes: three bytes as one small number.

A gram is three bytes that follow each other within a line, ASCII letters in lower case. Bytes
that are rare in code share symbols, so that every gram is below ``GRAMS`` and a gram and a
block fit into 32 bits together. That two grams share a code only costs a look at the text.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

SYMBOLS = 96
GRAMS = SYMBOLS**3
NEWLINE = 10
# Letters that match k and s when case is ignored. They are indexed as themselves and as these.
FOLDED = ((b"\xe2\x84\xaa", b"k"), (b"\xc5\xbf", b"s"))


def _symbols() -> NDArray[np.uint8]:
    """The symbol of every byte: printable ASCII has its own, the others share."""
    table = np.empty(256, np.uint8)
    own = [byte for byte in range(0x20, 0x7F) if not 0x41 <= byte <= 0x5A] + [9]
    for symbol, byte in enumerate(own):
        table[byte] = symbol
    table[0x41:0x5B] = table[0x61:0x7B]
    shared = SYMBOLS - len(own)
    others = [byte for byte in range(256) if byte not in own and not 0x41 <= byte <= 0x5A]
    for byte in others:
        table[byte] = len(own) + byte % shared
    return table


TABLE = _symbols()
WIDE = TABLE.astype(np.uint32)


def codes(text: bytes) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """The code of the gram that begins at each byte, and whether there is one: none goes over
    a newline."""
    raw = np.frombuffer(text, np.uint8)
    symbols = WIDE[raw]
    made = symbols[:-2] * SYMBOLS
    made += symbols[1:-1]
    made *= SYMBOLS
    made += symbols[2:]
    ends = raw == NEWLINE
    broken = ends[:-2] | ends[1:-1]
    broken |= ends[2:]
    return made, ~broken


def code_of(grams: Iterable[bytes]) -> NDArray[np.uint32]:
    """The codes of single grams."""
    raw = np.frombuffer(b"".join(grams), np.uint8).reshape(-1, 3)
    symbols = WIDE[raw]
    made: NDArray[np.uint32] = (symbols[:, 0] * SYMBOLS + symbols[:, 1]) * SYMBOLS + symbols[:, 2]
    return made
