"""The objective: a question must lie nearer to its own function than to any other's.

A text is a sparse row of token weights; its vector is the row times the table, normalised.
Of a batch every question is scored against every function (symmetric InfoNCE), at several
leading parts of the vector, so that a shortened vector still works. Gradients are written
out by hand: two sparse products and a softmax need no framework.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Matrix = NDArray[np.float32]
TINY = np.float32(1e-9)


class Step(NamedTuple):
    """What a batch says: how far off it is, and how the table should move."""

    loss: float
    accuracy: float  # questions whose own function came first
    gradient: Matrix  # of the rows of the table the batch uses
    columns: NDArray[np.int64]  # which rows those are


def step(
    table: Matrix,
    questions: csr_matrix,
    functions: csr_matrix,
    *,
    scale: float,
    depths: tuple[int, ...],
) -> Step:
    """One batch: row i of ``questions`` belongs to row i of ``functions``.

    Further rows of ``functions`` are wrong answers to all of them.
    """
    columns = np.union1d(questions.indices, functions.indices)
    asked, answers = _narrowed(questions, columns), _narrowed(functions, columns)
    rows = table[columns]
    q, d = asked @ rows, answers @ rows
    gq, gd = np.zeros_like(q), np.zeros_like(d)
    loss = accuracy = 0.0
    for depth in depths:
        value, right, dq, dd = _info_nce(q[:, :depth], d[:, :depth], scale)
        gq[:, :depth] += dq
        gd[:, :depth] += dd
        loss += value / len(depths)
        accuracy = right  # of the last, the whole vector
    gradient = (asked.T @ gq + answers.T @ gd) / np.float32(len(depths))
    return Step(loss, accuracy, np.asarray(gradient, dtype=np.float32), columns)


def _info_nce(q: Matrix, d: Matrix, scale: float) -> tuple[float, float, Matrix, Matrix]:
    count = len(q)
    nq, nd = _norms(q), _norms(d)
    uq, ud = q / nq, d / nd
    scores = np.float32(scale) * (uq @ ud.T)
    own = np.arange(count)
    by_row, by_column = _softmax(scores, 1), _softmax(scores[:, :count], 0)
    chosen = by_row[own, own], by_column[own, own]
    loss = -float(sum(np.log(part + TINY).mean() for part in chosen)) / 2
    gradient = by_row
    gradient[:, :count] += by_column
    gradient[own, own] -= 2
    gradient *= np.float32(scale / (2 * count))
    right = float((scores.argmax(1) == own).mean())
    return loss, right, _tangent(gradient @ ud, uq, nq), _tangent(gradient.T @ uq, ud, nd)


def _tangent(gradient: Matrix, unit: Matrix, norm: Matrix) -> Matrix:
    """A gradient on unit vectors, carried back to the vectors they came from."""
    return (gradient - (gradient * unit).sum(1, keepdims=True) * unit) / norm


def _norms(vectors: Matrix) -> Matrix:
    return np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), TINY)


def _softmax(scores: Matrix, axis: int) -> Matrix:
    shifted = np.exp(scores - scores.max(axis, keepdims=True))
    return shifted / shifted.sum(axis, keepdims=True)


def _narrowed(rows: csr_matrix, columns: NDArray[np.int64]) -> csr_matrix:
    indices = np.searchsorted(columns, rows.indices)
    return csr_matrix((rows.data, indices, rows.indptr), shape=(rows.shape[0], len(columns)))


class Adam:
    """Adam over the rows a batch used; the others keep their state."""

    def __init__(self, table: Matrix, first: float = 0.9, second: float = 0.99) -> None:
        self._table = table
        self._mean = np.zeros_like(table)
        self._square = np.zeros_like(table)
        self._steps = np.zeros(len(table), dtype=np.int64)
        self._first, self._second = np.float32(first), np.float32(second)

    def apply(self, made: Step, rate: float) -> None:
        """Move the rows of the table against their gradient."""
        at = made.columns
        self._steps[at] += 1
        mean = self._first * self._mean[at] + (1 - self._first) * made.gradient
        square = self._second * self._square[at] + (1 - self._second) * made.gradient**2
        self._mean[at], self._square[at] = mean, square
        count = self._steps[at, None].astype(np.float32)
        mean = mean / (1 - self._first**count)
        square = square / (1 - self._second**count)
        self._table[at] -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))
