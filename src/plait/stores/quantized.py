"""Quantized: a vector as one signed byte a coordinate.

Every store keeps vectors this way: a quarter of the floats' size, and a cosine changes in its
third decimal at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plait.types import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

CODE_LIMIT = 127


def quantized(vectors: Vectors) -> tuple[NDArray[Any], NDArray[Any]]:
    """The codes of each row, and its scale: its largest coordinate over 127."""
    import numpy

    floats = numpy.frombuffer(vectors.data, "<f4").reshape(-1, vectors.dimension)
    largest = numpy.maximum(floats.max(axis=1, initial=0), -floats.min(axis=1, initial=0))
    scales = (largest / CODE_LIMIT).astype("<f4")
    scaled = floats / numpy.where(scales > 0, scales, 1)[:, None]
    return numpy.rint(scaled, out=scaled).astype("i1"), scales
