"""Packed links: what the chunks of one file say about other code, compressed together.

Few searches ask for it, so it lies apart from what every search reads, and is unpacked a file at
a time: names recur within a file, which makes it a quarter of its size.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from plait.types import Links

LEVEL = 3  # every build pays for writing them, few searches read them


def packed(links: Iterable[Links]) -> bytes:
    """The links of a file's chunks, in order; nothing if there are none."""
    text = "\n".join(one.text for one in links)
    return zlib.compress(text.encode(), LEVEL) if text.strip("\n") else b""


def unpacked(raw: bytes | memoryview) -> list[Links]:
    """The links of every chunk again.

    Raises:
        ValueError: They are damaged.
    """
    try:
        text = zlib.decompress(raw).decode()
    except zlib.error as error:
        raise ValueError(f"links cannot be unpacked: {error}") from error
    return [Links(line) for line in text.split("\n")]
