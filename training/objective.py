"""The objective: a question must lie nearer to its own function than to any other's.

A text is a sparse row of token weights; its vector is the row times the table, normalised; a
function has several fields, and its vector is the weighted sum of theirs, normalised again.
Of a batch every question is scored against every function, and every function against every
question (symmetric InfoNCE). Gradients are written out by hand: sparse products and a softmax
need no framework.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Matrix = NDArray[np.float32]
TINY = np.float32(1e-9)


class Step(NamedTuple):
    """What a batch says: how far off it is, and how the weights should move."""

    loss: float
    accuracy: float  # questions whose own function came first
    columns: NDArray[np.int64]  # the tokens the batch uses
    table: Matrix  # gradient of their vectors
    asking: Matrix  # gradient of their weights in questions, one column


def step(
    table: Matrix,
    asking: Matrix,
    questions: csr_matrix,
    fields: Sequence[csr_matrix],
    *,
    weights: Sequence[float],
    scale: float,
) -> Step:
    """One batch: row i of ``questions`` belongs to row i of every field of the functions."""
    columns = np.unique(np.concatenate([questions.indices, *(each.indices for each in fields)]))
    asked = _narrowed(questions, columns)
    parts = [_narrowed(field, columns) for field in fields]
    rows, by_token = table[columns], asking[columns]
    q = _Unit(asked @ (rows * by_token))
    units = [_Unit(part @ rows) for part in parts]
    whole = np.zeros_like(q.vectors)
    for weight, each in zip(weights, units, strict=True):
        whole += np.float32(weight) * each.vectors
    d = _Unit(whole)
    loss, accuracy, gq, gd = _info_nce(q.vectors, d.vectors, scale)
    by_question = asked.T @ q.back(gq)
    gradient = by_question * by_token
    gd = d.back(gd)
    for part, each, weight in zip(parts, units, weights, strict=True):
        gradient += part.T @ each.back(np.float32(weight) * gd)
    by_weight = (by_question * rows).sum(1, keepdims=True)
    return Step(
        loss,
        accuracy,
        columns,
        np.asarray(gradient, dtype=np.float32),
        np.asarray(by_weight, dtype=np.float32),
    )


class _Unit:
    """Vectors made of length one; what has no direction stays nothing and learns nothing."""

    def __init__(self, vectors: Matrix) -> None:
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        self._by = np.where(norms > TINY, 1 / np.maximum(norms, TINY), 0).astype(np.float32)
        self.vectors: Matrix = vectors * self._by

    def back(self, gradient: Matrix) -> Matrix:
        """A gradient on the unit vectors, carried back to the vectors they came from."""
        along = np.einsum("ij,ij->i", gradient, self.vectors)[:, None]
        carried: Matrix = (gradient - along * self.vectors) * self._by
        return carried


def _info_nce(q: Matrix, d: Matrix, scale: float) -> tuple[float, float, Matrix, Matrix]:
    scores = q @ d.T
    own = np.arange(len(q))
    right = float((scores.argmax(1) == own).mean())
    scores -= 1  # no cosine is more, so nothing overflows
    scores *= np.float32(scale)
    likely = np.exp(scores, out=scores)
    by_column = likely / (likely.sum(0, keepdims=True) + TINY)
    by_row = likely / (likely.sum(1, keepdims=True) + TINY)
    chosen = by_row[own, own], by_column[own, own]
    loss = -float(sum(np.log(part + TINY).mean() for part in chosen)) / 2
    gradient = by_row
    gradient += by_column
    gradient[own, own] -= 2
    gradient *= np.float32(scale / (2 * len(q)))
    return loss, right, gradient @ d, gradient.T @ q


def _narrowed(rows: csr_matrix, columns: NDArray[np.int64]) -> csr_matrix:
    indices = np.searchsorted(columns, rows.indices)
    return csr_matrix((rows.data, indices, rows.indptr), shape=(rows.shape[0], len(columns)))


class Adam:
    """Adam over the rows a batch used; the others keep their state."""

    def __init__(self, weights: Matrix, first: float = 0.9, second: float = 0.99) -> None:
        self._weights = weights
        self._mean = np.zeros_like(weights)
        self._square = np.zeros_like(weights)
        self._steps = np.zeros(len(weights), dtype=np.int64)
        self._first, self._second = np.float32(first), np.float32(second)

    def apply(self, at: NDArray[np.int64], gradient: Matrix, rate: float) -> None:
        """Move rows of the weights against their gradient."""
        self._steps[at] += 1
        mean, square = self._mean[at], self._square[at]
        mean += (1 - self._first) * (gradient - mean)
        moved = np.square(gradient)
        moved -= square
        moved *= 1 - self._second
        square += moved
        self._mean[at], self._square[at] = mean, square
        count = self._steps[at, None].astype(np.float32)
        np.sqrt(square, out=square)
        square /= np.sqrt(1 - self._second**count)
        square += np.float32(1e-8)
        mean /= square
        mean *= np.float32(rate) / (1 - self._first**count)
        self._weights[at] -= mean
