"""An encoder small enough to reason about: a text is the sum of its words' directions."""

from __future__ import annotations

import hashlib
import math
import random
import re
import struct
from collections.abc import Sequence
from functools import cache

from plait.types import Chunk, Passage, Vectors

DIMENSION = 64


@cache
def direction(word: str) -> tuple[float, ...]:
    """Where a word points: as good as at right angles to every other word."""
    generator = random.Random(hashlib.sha256(word.encode()).digest())
    raw = [generator.gauss(0, 1) for _ in range(DIMENSION)]
    length = math.sqrt(sum(x * x for x in raw))
    return tuple(x / length for x in raw)


class Bag:
    """A model that knows every word; the order of words means nothing to it."""

    name = "bag"
    dimension = DIMENSION
    waits = False
    digest = "b" * 32

    def questions(self, texts: Sequence[str]) -> Vectors:
        return Vectors(DIMENSION, b"".join(self._vector(text) for text in texts))

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        return self.questions([f"{passage.name} {passage.text}" for passage in passages])

    def _vector(self, text: str) -> bytes:
        words = re.findall(r"[a-z]+", text.lower())
        total = [sum(column) for column in zip(*map(direction, words), strict=True)]
        length = math.sqrt(sum(x * x for x in total)) or 1.0
        return struct.pack(f"<{DIMENSION}f", *(x / length for x in total or [0.0] * DIMENSION))


def passage_of(chunk: Chunk) -> Passage:
    return Passage(chunk.symbol.name if chunk.symbol else "", chunk.text)
