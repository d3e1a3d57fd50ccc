"""Embedding: give the chunks of a layer the vectors they lack, at the cost of what is new.

A text that any layer holds a vector for is copied, not encoded: a rename, a branch or a
second repository costs nothing but the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from plait.stores.embedded.layer import Layer
from plait.stores.embedded.vectors import ABSENT, KEY_BYTES, VectorFile, VectorWriter, key_of
from plait.types import Chunk, ChunkId, Encoder, Passage

BATCH = 512  # chunks encoded in one go

PassageOf = Callable[[Chunk], Passage]
Watch = Callable[[int], None]  # chunks done


class Place(NamedTuple):
    """Where a vector lies already."""

    file: VectorFile
    row: int


def known_vectors(files: Iterable[VectorFile]) -> dict[bytes, Place]:
    """Every text that has a vector, by its key."""
    found: dict[bytes, Place] = {}
    for file in files:
        keys = file.keys
        for row in range(file.rows):
            found[keys[row * KEY_BYTES : (row + 1) * KEY_BYTES]] = Place(file, row)
    found.pop(ABSENT, None)
    return found


def embed_layer(
    layer: Layer,
    encoder: Encoder,
    passage_of: PassageOf,
    known: Mapping[bytes, Place],
    watch: Watch = lambda _: None,
) -> VectorWriter:
    """The vectors of a layer's living chunks; those of dead ones stay absent."""
    writer = VectorWriter(encoder.digest, encoder.dimension)
    batch = _Batch(encoder, writer, known)
    for file_row in range(layer.file_count):
        rows = layer.chunk_rows(file_row)
        if file_row in layer.dead:
            batch.leave_out(len(rows))
            continue
        key = layer.file_key(file_row)
        for ordinal, row in enumerate(rows):
            batch.add(passage_of(layer.chunk(row, ChunkId(*key, ordinal))))
        watch(len(rows))
    batch.flush()
    return writer


class _Batch:
    """Passages gathered in the order of their rows, encoded together, each text once."""

    def __init__(
        self, encoder: Encoder, writer: VectorWriter, known: Mapping[bytes, Place]
    ) -> None:
        self._encoder = encoder
        self._writer = writer
        self._known = known
        self._keys: list[bytes] = []
        self._fresh: dict[bytes, Passage] = {}

    def add(self, passage: Passage) -> None:
        key = key_of(passage)
        self._keys.append(key)
        if key not in self._known:
            self._fresh[key] = passage
        if len(self._fresh) >= BATCH:
            self.flush()

    def leave_out(self, rows: int) -> None:
        self.flush()
        for _ in range(rows):
            self._writer.leave_out(is_dead=True)

    def flush(self) -> None:
        """Write the rows gathered so far, those that are new in runs."""
        if not self._keys:
            return
        vectors = self._encoder.passages(list(self._fresh.values()))
        at = {key: number for number, key in enumerate(self._fresh)}
        for is_new, run in groupby(self._keys, lambda key: key in at):
            keys = list(run)
            if is_new:
                self._writer.add(keys, vectors.rows([at[key] for key in keys]))
            else:
                for key in keys:
                    self._writer.copy(*self._known[key])
        self._keys, self._fresh = [], {}
