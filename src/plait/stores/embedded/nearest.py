"""Nearest: the rows of mapped vectors that lie nearest to a question's.

First the signs, in two passes: they tell roughly how far a row is, at 32 bytes a row. Then
the codes of the best of those, exactly enough that what is returned is ordered as the
vectors themselves would be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.errors import IndexCorrupt
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.manifest import REBUILD, Manifest
from plait.stores.embedded.sign_scan import BARRED, Signs, lightest, lowest
from plait.stores.embedded.vectors import VectorFile
from plait.types import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How many rows to look at closer, so that 998 in a thousand of the best hundred are among
# them: measured at 15,000, 117,000 and 1,143,000 real vectors.
RESCORED_PER_RESULT = 20  # rows whose codes are looked at for each result wanted,
RESCORED_PER_DOUBLING = 300  # and for each doubling beyond a thousand rows
WEIGHED_PER_RESCORED = 3  # rows whose signs are weighed for each of those
CODES_BLOCK = 512  # rows whose codes are multiplied in one go


class Near(NamedTuple):
    """A row and how near it is: the cosine of the angle."""

    row: int
    score: float


class Question:
    """A question's vector, made ready to be compared with."""

    def __init__(self, vector: NDArray[Any]) -> None:
        self.vector = vector
        self.signs = Signs(vector)


def nearest(
    file: VectorFile,
    question: Question,
    limit: int,
    rows: NDArray[Any] | None = None,
    barred: NDArray[Any] | None = None,
) -> list[Near]:
    """The nearest rows of one file, best first, and all that tie with the last of them.

    Args:
        file: What is searched.
        question: What to lie near to.
        limit: How many rows, ties not counted.
        rows: The only ones to look at, rising; None for all.
        barred: ``BARRED`` for each row of the file that has to be passed over, 0 for others.
    """
    import numpy

    if rows is not None and barred is not None:
        rows, barred = rows[barred[rows] == 0], None
    likely = _likely(file, question.signs, limit, rows, barred)
    scores = _cosines(file, question.vector, likely)
    if len(scores) > limit:
        is_best = scores >= numpy.partition(scores, -limit)[-limit]
        likely, scores = likely[is_best], scores[is_best]
    order = numpy.lexsort((likely, -scores))
    found = zip(likely[order].tolist(), scores[order].tolist(), strict=True)
    return [Near(row, score) for row, score in found if score > 0]


def _likely(
    file: VectorFile,
    signs: Signs,
    limit: int,
    rows: NDArray[Any] | None,
    barred: NDArray[Any] | None,
) -> NDArray[Any]:
    """The rows whose codes are worth looking at, rising: by their signs the nearest."""
    import numpy

    count = file.rows if rows is None else len(rows)
    rescored, weighed = _depths(count, limit)
    if count > weighed:
        bits = file.signs if rows is None else numpy.take(file.signs, rows, axis=1)
        counts = signs.counts(bits)
        if barred is not None:
            counts |= barred
        low = lowest(counts, weighed)
        rows = low if rows is None else rows[low]
    elif rows is None:
        rows = numpy.arange(count) if barred is None else numpy.flatnonzero(barred == 0)
    if len(rows) > rescored:
        weights = signs.weights(numpy.take(file.signs, rows, axis=1))
        rows = rows[lightest(weights, rescored)]
    return rows


def _depths(count: int, limit: int) -> tuple[int, int]:
    """How many of so many rows to rescore, and to weigh before."""
    doublings = max(math.log2(max(count, 1) / 1000), 1.0)
    rescored = limit * RESCORED_PER_RESULT + round(doublings * RESCORED_PER_DOUBLING)
    return rescored, rescored * WEIGHED_PER_RESCORED


def _cosines(file: VectorFile, vector: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """The scores of rows, a block at a time, so that their codes stay in the cache."""
    import numpy

    scores = numpy.empty(len(rows), "<f4")
    floats = numpy.empty((min(CODES_BLOCK, len(rows)), file.dimension), "<f4")
    for begin in range(0, len(rows), CODES_BLOCK):
        here = rows[begin : begin + CODES_BLOCK]
        block = floats[: len(here)]
        block[:] = numpy.take(file.codes, here, axis=0)
        numpy.vecdot(block, vector, out=scores[begin : begin + CODES_BLOCK])
    scores *= file.scales[rows]
    return scores


class LayerVectors:
    """The vectors of one model over all layers of a generation."""

    def __init__(
        self,
        root: Path,
        manifest: Manifest,
        layers: Sequence[Layer],
        model: str,
        mapped: Mapping[str, memoryview],
    ) -> None:
        records = {record.layer: record for record in manifest.vectors if record.model == model}
        self._layers = layers
        self._files: list[VectorFile | None] = []
        self.missing = 0  # living chunks without a vector
        for layer in layers:
            record = records.get(layer.name)
            if record is None:
                self._files.append(None)
                self.missing += sum(len(layer.chunk_rows(row)) for row in layer.file_rows())
            else:
                path, view = root / record.file, mapped[record.file]
                self._files.append(VectorFile(path, model, layer.chunk_count, view))
                self.missing += record.missing
        self._barred: dict[int, NDArray[Any] | None] = {}

    def nearest(
        self, vectors: Vectors, limit: int, numbers: Sequence[int] | None
    ) -> list[tuple[int, float]]:
        """Chunk numbers and cosines of the nearest of each layer, among ``numbers`` if given."""
        import numpy

        question = Question(numpy.frombuffer(vectors.data, "<f4"))
        chosen = numpy.sort(numpy.asarray(numbers, "<u8")) if numbers is not None else None
        found: list[tuple[int, float]] = []
        for at, (layer, file) in enumerate(zip(self._layers, self._files, strict=True)):
            if file is None:
                continue
            if file.dimension != vectors.dimension:
                raise IndexCorrupt(
                    f"{file.dimension} dimensions, not {vectors.dimension}", hint=REBUILD
                )
            rows = None if chosen is None else _rows_of(layer, chosen)
            near = nearest(file, question, limit, rows, self._barred_rows(at))
            found += [(layer.number(row), score) for row, score in near]
        return found

    def missing_of(self, files: Sequence[Sequence[int]]) -> int:
        """How many chunks of some files, by layer the rows of those that are alive, have no
        vector."""
        missing = 0
        for layer, file, rows in zip(self._layers, self._files, files, strict=True):
            for chunks in map(layer.chunk_rows, rows):
                here = len(chunks)
                if file is not None:
                    here -= int(file.present[chunks.start : chunks.stop].sum())
                missing += here
        return missing

    def rows(self, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Vectors]:
        """The vectors of chunks by layer and row; those without one are left out."""
        import numpy

        found = {}
        for at, row in places:
            file = self._files[at]
            if file is not None and file.present[row]:
                vector = file.floats(numpy.array([row]))
                found[at, row] = Vectors(file.dimension, vector.tobytes())
        return found

    def kept(self, at: int, rows: Sequence[int]) -> tuple[list[int], Vectors]:
        """Those rows of a layer that have a vector, and their vectors in one go."""
        import numpy

        file = self._files[at]
        if file is None:
            return [], Vectors(1, b"")
        barred = self._barred_rows(at)
        chosen = numpy.asarray(rows, dtype=numpy.intp)
        if barred is not None:
            chosen = chosen[barred[chosen] == 0]
        return chosen.tolist(), Vectors(file.dimension, file.floats(chosen).tobytes())

    def _barred_rows(self, at: int) -> NDArray[Any] | None:
        """Which rows of a layer have no vector or are dead; None if none is so."""
        import numpy

        if at not in self._barred:
            layer, file = self._layers[at], self._files[at]
            assert file is not None
            mask = None
            if file.missing or layer.dead:  # a row that was dead when it was embedded still is
                mask = numpy.where(file.present, 0, BARRED).astype("u1")
                for row in layer.dead:
                    rows = layer.chunk_rows(row)
                    mask[rows.start : rows.stop] = BARRED
            self._barred[at] = mask
        return self._barred[at]


def _rows_of(layer: Layer, numbers: NDArray[Any]) -> NDArray[Any]:
    """The rows of a layer that hold some of these chunk numbers, both rising."""
    import numpy

    if not layer.chunk_count:
        return numpy.empty(0, numpy.intp)
    ends = numpy.array([layer.number(0), layer.number(layer.chunk_count - 1) + 1], "<u8")
    begin, end = numpy.searchsorted(numbers, ends)
    inside = numbers[begin:end]
    own = layer.all_numbers()
    if isinstance(own, range):
        return numpy.asarray(inside - ends[0], numpy.intp)
    held: NDArray[Any] = numpy.frombuffer(own, "<u8")
    at = numpy.searchsorted(held, inside)
    return numpy.asarray(at[held[at] == inside])
