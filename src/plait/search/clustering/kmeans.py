"""Spherical k-means: unit vectors into groups around their mean directions.

The start is greedy k-means++ (centres are drawn with a chance that grows with the distance
from those before, several each time, and the best is taken), then Lloyd's steps until hardly
anything moves. Random numbers come from a fixed seed, so the same vectors in the same order
always give the same groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 20
MAX_STEPS = 25
SETTLED = 0.001  # of the vectors still moving: what follows changes no name
PER_CENTRE = 2.28  # sqrt(13,000) / 2.28 = 50
MIN_CENTRES, MAX_CENTRES = 2, 200


def centre_count(vectors: int) -> int:
    """How many groups so many vectors make: about the root of their number, 50 for 13,000."""
    wanted = round(math.sqrt(vectors) / PER_CENTRE)
    return min(max(wanted, MIN_CENTRES), MAX_CENTRES, vectors)


def fit(vectors: NDArray[Any], count: int) -> NDArray[Any]:
    """The centres of ``count`` groups of unit vectors, of which there are at least as many."""
    centres = _spread(vectors, count)
    labels, cosines = assign(vectors, centres)
    for _ in range(MAX_STEPS):
        centres = _means(vectors, labels, cosines, centres)
        before = labels
        labels, cosines = assign(vectors, centres)
        if (labels != before).mean() <= SETTLED:
            break
    return centres


def assign(vectors: NDArray[Any], centres: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each vector the number of its nearest centre, and the cosine to it."""
    import numpy

    near = vectors @ centres.T
    labels = near.argmax(axis=1)
    return labels, near[numpy.arange(len(near)), labels]


def _spread(vectors: NDArray[Any], count: int) -> NDArray[Any]:
    """Vectors that lie far apart, to start from.

    Of several drawn each time the one is taken that brings all vectors nearest to a centre.
    """
    import numpy

    random = numpy.random.default_rng(SEED)
    draws = 2 + int(math.log(count))
    chosen = [int(random.integers(len(vectors)))]
    away = _distances(vectors, chosen)[:, 0]
    while len(chosen) < count:
        chances = numpy.cumsum(away, dtype="f8")
        places = numpy.searchsorted(chances, random.random(draws) * chances[-1], side="right")
        drawn = numpy.minimum(places, len(vectors) - 1)
        nearer = numpy.minimum(_distances(vectors, drawn), away[:, None])
        best = int(nearer.sum(axis=0, dtype="f8").argmin())
        chosen.append(int(drawn[best]))
        away = nearer[:, best]
    return vectors[chosen].copy()


def _distances(vectors: NDArray[Any], rows: Sequence[int] | NDArray[Any]) -> NDArray[Any]:
    """How far each vector is from some of them, a column each: 0 where it is one of them."""
    import numpy

    found: NDArray[Any] = numpy.maximum(1 - vectors @ vectors[rows].T, 0)
    found[rows, numpy.arange(len(rows))] = 0  # a stored vector is of unit length but for rounding
    return found


def _means(
    vectors: NDArray[Any], labels: NDArray[Any], cosines: NDArray[Any], centres: NDArray[Any]
) -> NDArray[Any]:
    """The mean direction of each group; a group left empty begins anew with an outlier."""
    import numpy

    order = labels.argsort(kind="stable")
    numbers, starts = numpy.unique(labels[order], return_index=True)
    means = centres.copy()
    means[numbers] = numpy.add.reduceat(vectors[order], starts, axis=0)
    empty = numpy.setdiff1d(numpy.arange(len(centres)), numbers)
    means[empty] = vectors[cosines.argsort(kind="stable")[: len(empty)]]
    lengths = numpy.linalg.norm(means, axis=1, keepdims=True)
    found: NDArray[Any] = means / numpy.where(lengths > 0, lengths, 1)
    return found
