"""Embedding: give the chunks of a layer the vectors they lack, at the cost of what is new.

What a layer has already stays without being read. A text that any other layer holds a vector
for is copied, not encoded: a rename, a branch or a second repository costs nothing but the
copy.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from plait.errors import ModelError
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.vectors import VectorFile, VectorWriter
from plait.stores.quantized import passage_key
from plait.types import Chunk, ChunkId, Encoder, Passage

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 64  # a vector's signs are kept as whole words of bits
BATCH = 512  # chunks looked up, and encoded, in one go
MAX_KEPT = 32_768  # rows copied in one go, or a few more
FRESH = -1  # instead of a file's number: the text is known nowhere

PassageOf = Callable[[Chunk], Passage]
Watch = Callable[[int, int], None]  # chunks done, of how many


class Known:
    """Every text that has a vector.

    Args:
        files: By layer, the attic's among them.
    """

    def __init__(self, files: Mapping[str, VectorFile]) -> None:
        self.by_layer = files
        self.files = list(files.values())

    def find(self, keys: list[bytes]) -> tuple[list[int], NDArray[Any]]:
        """For each key the number of a file, or ``FRESH``, and its row there."""
        import numpy

        wanted = numpy.frombuffer(b"".join(keys), "<u8").reshape(-1, 2)
        numbers, rows = numpy.full((2, len(keys)), FRESH)
        for number, file in enumerate(self.files):
            found = file.find(wanted)
            is_new = (found >= 0) & (numbers == FRESH)
            numbers[is_new] = number
            rows[is_new] = found[is_new]
        return numbers.tolist(), rows


def known_vectors(files: Mapping[str, VectorFile]) -> Known:
    """Every text that has a vector, looked up in the files of layers that have any."""
    return Known({layer: file for layer, file in files.items() if file.rows})


class Allowance:
    """How long encoding may take, and how far it has come."""

    def __init__(self, of_chunks: int, watch: Watch, within_s: float) -> None:
        self._end = time.monotonic() + within_s
        self._of_chunks = of_chunks
        self._watch = watch
        self._done = 0

    @property
    def is_spent(self) -> bool:
        return time.monotonic() >= self._end

    def done(self, chunks: int) -> None:
        """So many chunks more have their vectors, or must do without for now."""
        self._done += chunks
        self._watch(self._done, self._of_chunks)


def embed_layer(
    layer: Layer,
    encoder: Encoder,
    passage_of: PassageOf,
    known: Known,
    allowance: Allowance,
) -> VectorWriter:
    """The vectors of a layer's living chunks; those of dead ones stay absent.

    Once the allowance is spent, so do those of chunks the layer had none for.

    Raises:
        ModelError: The encoder's vectors are of a width that cannot be kept.
    """
    if encoder.dimension % WIDTH:
        raise ModelError(
            f"{encoder.name} gives vectors of {encoder.dimension} numbers; "
            f"only multiples of {WIDTH} can be kept"
        )
    writer = VectorWriter(encoder.digest, encoder.dimension)
    batch = _Batch(encoder, writer, known, allowance)
    own = known.by_layer.get(layer.name)
    for file_row in range(layer.file_count):
        rows = layer.chunk_rows(file_row)
        if own is not None and own.present[rows.start : rows.stop].all():
            batch.keep(own, rows)  # dead ones too: what was moved may not have its turn yet
        elif file_row in layer.dead:
            batch.leave_out(len(rows), is_dead=True)
            continue
        elif batch.is_over:
            batch.leave_out(len(rows))
        else:
            key = layer.file_key(file_row)
            for ordinal, row in enumerate(rows):
                batch.add(passage_of(layer.chunk(row, ChunkId(*key, ordinal))))
        allowance.done(len(rows))
    batch.flush()
    return writer


class _Batch:
    """Passages gathered in the order of their rows, encoded together, each text once."""

    def __init__(
        self, encoder: Encoder, writer: VectorWriter, known: Known, allowance: Allowance
    ) -> None:
        self._encoder = encoder
        self._writer = writer
        self._known = known
        self._allowance = allowance
        self._passages: dict[bytes, Passage] = {}
        self._keys: list[bytes] = []
        self._kept: tuple[VectorFile, range] | None = None
        self.is_over = False

    def add(self, passage: Passage) -> None:
        self._flush_kept()
        key = passage_key(passage)
        self._keys.append(key)
        self._passages[key] = passage
        if len(self._passages) >= BATCH:
            self.flush()

    def keep(self, own: VectorFile, rows: range) -> None:
        """Rows that a file has vectors of; those that follow one another are copied as one."""
        if self._kept is None or self._kept[1].stop != rows.start or len(self._kept[1]) > MAX_KEPT:
            self.flush()
            self._kept = (own, rows)
        else:
            self._kept = (own, range(self._kept[1].start, rows.stop))

    def leave_out(self, rows: int, *, is_dead: bool = False) -> None:
        self.flush()
        self._writer.leave_out(rows, is_dead=is_dead)

    def flush(self) -> None:
        """Write the rows gathered so far: runs of new ones, runs of what a file has."""
        self._flush_kept()
        if not self._keys:
            return
        numbers, places = self._known.find(self._keys)
        fresh = [key for key, number in zip(self._keys, numbers, strict=True) if number == FRESH]
        at = {key: row for row, key in enumerate(dict.fromkeys(fresh))}
        vectors = self._encoder.passages([self._passages[key] for key in at])
        begin = 0
        for number, run in groupby(numbers):
            end = begin + len(list(run))
            if number == FRESH:
                keys = self._keys[begin:end]
                self._writer.add(keys, vectors.rows([at[key] for key in keys]))
            else:
                self._writer.copy(self._known.files[number], places[begin:end])
            begin = end
        self._keys, self._passages = [], {}
        self.is_over = self._allowance.is_spent

    def _flush_kept(self) -> None:
        if self._kept is not None:
            file, rows = self._kept
            self._writer.copy(file, slice(rows.start, rows.stop))
            self._kept = None
