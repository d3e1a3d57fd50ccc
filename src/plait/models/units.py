"""Units: what every model that is not a table needs at its two ends.

A name becomes the words it is made of, above its text; a matrix of numbers becomes unit vectors
of a width the store can keep.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from plait.errors import ModelError
from plait.types import Passage, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH = 64  # the store keeps whole words of bits
JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


def words_of(name: str) -> str:
    """A name as words: ``Http.getUserById`` is "Http get User By Id"."""
    return JOINT.sub(" ", name).strip()


def titled(passage: Passage) -> str:
    """A passage as one text: the words of its name, if it has one, above it."""
    words = words_of(passage.name)
    return f"{words}\n{passage.text}" if words else passage.text


def width_of(dimension: int) -> int:
    """The width vectors of a dimension are kept in: zeros fill the rest."""
    return -(-dimension // WIDTH) * WIDTH


def unit_vectors(rows: NDArray[Any], who: str) -> Vectors:
    """Rows of any length as unit vectors; a row of zeros stays one.

    Raises:
        ModelError: A number is none.
    """
    import numpy

    if not numpy.isfinite(rows).all():
        raise ModelError(f"{who} gave a vector with a number that is none (NaN or infinite)")
    lengths = numpy.linalg.norm(rows.astype("<f8"), axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    made = numpy.zeros((len(rows), width_of(rows.shape[1])), dtype="<f4")
    made[:, : rows.shape[1]] = rows / lengths
    return Vectors(made.shape[1], made.tobytes())
