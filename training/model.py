"""Model: a table of token vectors, and what is learned beside it, as training holds it.

The formula is that of ``plait.models.static``; here whole sets are pooled at once, as sparse
rows times a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Matrix = NDArray[np.float32]
TINY = np.float32(1e-9)


class Fields(NamedTuple):
    """Functions as rows of token weights, field by field."""

    text: csr_matrix
    name: csr_matrix
    lead: csr_matrix  # the beginning of the text
    container: csr_matrix | None = None  # the names of what encloses it


class Weights(NamedTuple):
    """What the fields of a function weigh beside its text, each of length one."""

    name: float
    lead: float
    container: float


@dataclass(frozen=True)
class Model:
    """What pools rows into unit vectors."""

    table: Matrix
    asking: Matrix  # what each token weighs in a question, one column
    weights: Weights

    def questions(self, rows: csr_matrix) -> Matrix:
        """The vectors of questions."""
        return unit(rows @ (self.table * self.asking))

    def functions(self, fields: Fields) -> Matrix:
        """The vectors of functions."""
        made = unit(fields.text @ self.table)
        for weight, field in zip(self.weights, fields[1:], strict=True):
            if field is not None:
                made += np.float32(weight) * unit(field @ self.table)
        return unit(made)


def unit(vectors: Matrix) -> Matrix:
    """Vectors of length one; what has no direction stays nothing."""
    made: Matrix = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), TINY)
    return made
