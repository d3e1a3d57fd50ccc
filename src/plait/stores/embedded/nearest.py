"""Nearest: the rows of mapped vectors that lie nearest to a question's.

First the bits: the number of signs that differ tells roughly how far a row is, at 32 bytes
a row. Then the codes of the best of those, exactly enough that what is returned is ordered
as the vectors themselves would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.errors import IndexCorrupt
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.manifest import REBUILD, Manifest
from plait.stores.embedded.vectors import ABSENT, VectorFile
from plait.types import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESCORED_PER_RESULT = 40  # rows whose codes are looked at for each one wanted
MIN_RESCORED = 4_000


class Near(NamedTuple):
    """A row and how near it is: the cosine of the angle."""

    row: int
    score: float


def nearest(
    file: VectorFile, question: NDArray[Any], limit: int, allowed: NDArray[Any] | None = None
) -> list[Near]:
    """The nearest rows of one file, best first; only those ``allowed`` marks, if it is given."""
    import numpy

    signs = numpy.packbits(question > 0).view("<u8")
    rows = numpy.flatnonzero(allowed) if allowed is not None else None
    bits = file.bits if rows is None else file.bits[rows]
    wanted = max(limit * RESCORED_PER_RESULT, MIN_RESCORED)
    if len(bits) > wanted:
        apart = numpy.bitwise_count(bits ^ signs).sum(axis=1, dtype="<u2")
        best = numpy.argpartition(apart, wanted)[:wanted]
        best.sort()  # in the order of the file, which is how it is read fastest
        rows = best if rows is None else rows[best]
    elif rows is None:
        rows = numpy.arange(len(bits))
    scores = (file.codes[rows].astype("<f4") @ question) * file.scales[rows]
    order = numpy.lexsort((rows, -scores))[:limit]
    return [Near(int(rows[at]), float(scores[at])) for at in order if scores[at] > 0]


class LayerVectors:
    """The vectors of one model over all layers of a generation."""

    def __init__(self, root: Path, manifest: Manifest, layers: Sequence[Layer], model: str) -> None:
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
                self._files.append(VectorFile(root / record.file, model, layer.chunk_count))
                self.missing += record.missing
        self._alive: dict[int, NDArray[Any] | None] = {}

    def nearest(
        self, question: Vectors, limit: int, numbers: Sequence[int] | None
    ) -> list[tuple[int, float]]:
        """Chunk numbers and cosines of the nearest of each layer, among ``numbers`` if given."""
        import numpy

        asked = numpy.frombuffer(question.data, "<f4")
        chosen = numpy.sort(numpy.asarray(numbers, "<u8")) if numbers is not None else None
        found: list[tuple[int, float]] = []
        for at, (layer, file) in enumerate(zip(self._layers, self._files, strict=True)):
            if file is None:
                continue
            if file.dimension != len(asked):
                raise IndexCorrupt(f"{file.dimension} dimensions, not {len(asked)}", hint=REBUILD)
            allowed = self._alive_rows(at)
            if chosen is not None:
                inside = numpy.isin(layer.all_numbers(), chosen, assume_unique=True)
                allowed = inside if allowed is None else inside & allowed
            found += [
                (layer.number(row), score) for row, score in nearest(file, asked, limit, allowed)
            ]
        return found

    def rows(self, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Vectors]:
        """The vectors of chunks by layer and row; those without one are left out."""
        import numpy

        found = {}
        for at, row in places:
            file = self._files[at]
            if file is not None and file.key(row) != ABSENT:
                vector = file.floats(numpy.array([row])).astype("<f4")
                found[at, row] = Vectors(file.dimension, vector.tobytes())
        return found

    def _alive_rows(self, at: int) -> NDArray[Any] | None:
        """Which rows of a layer have a vector and are alive; None for all of them."""
        import numpy

        if at not in self._alive:
            layer, file = self._layers[at], self._files[at]
            assert file is not None
            keys: NDArray[Any] = numpy.frombuffer(file.keys, "<u8").reshape(-1, 2)
            mask: NDArray[Any] = numpy.asarray(keys.any(axis=1))
            for row in layer.dead:
                rows = layer.chunk_rows(row)
                mask[rows.start : rows.stop] = False
            self._alive[at] = None if mask.all() else mask
        return self._alive[at]
