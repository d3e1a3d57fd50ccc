"""Vectors: a scan as who needs nothing else would write it, and the truth to hold it to.

The bare scan has the arrays in memory and gives row numbers: no files, no layers, nothing
that is gone or may not be seen, no chunk to name. It compares the signs of all coordinates,
takes the nearest few thousand rows and multiplies their codes: what is usually done, in
plain numpy, block by block so that nothing leaves the cache. It finds less than plait's,
which weighs the signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy
from numpy.typing import NDArray

from benchmarks.speed.clock import cpu_seconds
from plait.index.embed import passage_key
from plait.stores.embedded.vectors import VectorFile
from plait.types import Encoder, Passage, Vectors

BLOCK = 16_384  # rows compared in one go; what is computed on the way stays in the cache
RESCORED = 4_000
RESCORED_BLOCK = 512
DEPTH = 100
TIED = 1e-6  # scores this close are equal: chunks of one text are


class BareScan:
    """Signs, codes and scales of all rows, in memory."""

    def __init__(self, files: Sequence[VectorFile]) -> None:
        self._signs = numpy.concatenate([file.signs for file in files], axis=1)
        self._codes = numpy.concatenate([file.codes for file in files])
        self._scales = numpy.concatenate([file.scales for file in files])

    def nearest(self, question: NDArray[numpy.float32]) -> NDArray[numpy.intp]:
        """The nearest rows, best first."""
        rows = self._few(question)
        blocks = [
            rows[begin : begin + RESCORED_BLOCK] for begin in range(0, len(rows), RESCORED_BLOCK)
        ]
        scores = numpy.concatenate(
            [self._codes[block].astype("<f4") @ question for block in blocks]
        )
        scores *= self._scales[rows]
        best = numpy.argpartition(-scores, min(DEPTH, len(rows) - 1))[:DEPTH]
        return rows[best[numpy.argsort(-scores[best])]]

    def _few(self, question: NDArray[numpy.float32]) -> NDArray[numpy.intp]:
        signs = numpy.packbits(question > 0).view("<u8")[:, None]
        words, count = self._signs.shape
        apart = numpy.empty(count, "u1")  # of 256 that differ it would tell 0; that one is far
        room = numpy.empty((words, BLOCK), "<u8")
        for begin in range(0, count, BLOCK):
            here = self._signs[:, begin : begin + BLOCK]
            differ = numpy.bitwise_xor(here, signs, out=room[:, : here.shape[1]])
            ones = numpy.bitwise_count(differ)
            numpy.add.reduce(ones, axis=0, dtype="u1", out=apart[begin : begin + BLOCK])
        below = numpy.cumsum(numpy.bincount(apart))
        cut = numpy.searchsorted(below, min(RESCORED, count))
        return numpy.flatnonzero(apart <= cut)


def exact(floats: NDArray[numpy.float32], question: NDArray[numpy.float32]) -> object:
    """The nearest rows by multiplying all of them: what needs no cleverness."""
    scores = floats @ question
    best = numpy.argpartition(-scores, DEPTH)[:DEPTH]
    return best[numpy.argsort(-scores[best])]


class Recording:
    """An encoder that keeps what it made, and counts what that cost."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name, self.dimension = encoder.name, encoder.dimension
        self.digest, self.waits = encoder.digest, encoder.waits
        self.cpu_s = 0.0
        self._keys: list[bytes] = []
        self._made: list[bytes] = []

    def questions(self, texts: Sequence[str]) -> Vectors:
        return self._encoder.questions(texts)

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        before = cpu_seconds()
        made = self._encoder.passages(passages)
        self.cpu_s += cpu_seconds() - before
        self._keys += [passage_key(passage) for passage in passages]
        self._made.append(made.data)
        return made

    def save(self, folder: Path) -> None:
        """Keep every text's key and vector, each text once."""
        keys = numpy.frombuffer(b"".join(self._keys), "<u8").reshape(-1, 2)[:, 0]
        floats = numpy.frombuffer(b"".join(self._made), "<f4").reshape(-1, self.dimension)
        distinct, first = numpy.unique(keys, return_index=True)
        numpy.save(folder / "keys.npy", distinct)
        numpy.save(folder / "floats.npy", floats[first])


def least_scores(
    folder: Path, files: Sequence[VectorFile], questions: NDArray[numpy.float32]
) -> NDArray[numpy.float32]:
    """The score of the hundredth chunk of each question, by exact multiplication of floats."""
    keys, floats = numpy.load(folder / "keys.npy"), numpy.load(folder / "floats.npy", "r")
    held = numpy.concatenate([file.keys[:, 0] for file in files])
    at = numpy.searchsorted(keys, held[held > 0])
    chunks = numpy.bincount(at, minlength=len(keys))  # of each text
    scores = numpy.concatenate(
        [floats[begin : begin + BLOCK] @ questions.T for begin in range(0, len(keys), BLOCK)]
    )
    least = []
    for column in scores.T:
        texts = numpy.argpartition(-column, min(DEPTH, len(column) - 1))[:DEPTH]
        texts = texts[numpy.argsort(-column[texts])]
        last = int(numpy.searchsorted(numpy.cumsum(chunks[texts]), DEPTH))
        least.append(column[texts[min(last, len(texts) - 1)]])
    return numpy.array(least, "<f4")
