"""Statistics: is a difference more than luck?

The same questions are put to both systems, so it is their differences that are tested. The
interval is a bootstrap percentile interval; the p-value is that of a randomisation test,
which asks how often a mean as far from 0 comes about when each difference's sign is tossed.
Neither supposes a distribution. Both are seeded: the same differences give the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from plait.errors import EvaluationError

if TYPE_CHECKING:
    from types import ModuleType

    import numpy
    from numpy.typing import NDArray

    Matrix = NDArray[numpy.float64]

RESAMPLES = PERMUTATIONS = 10_000
EXACT = 12  # so few differences are tried with every combination of signs
SEED = 20_260_120
SAME = 1e-12  # differences this small are the rounding of equal values
CELLS = 250_000  # of one matrix of resamples, to stay in the cache


class Paired(NamedTuple):
    """What paired differences come to."""

    mean: float
    low: float  # of the 95 % interval of the mean
    high: float
    p: float  # two-sided
    wins: int
    losses: int
    ties: int
    n: int


def paired(differences: Sequence[float], seed: int = SEED) -> Paired:
    """Mean, 95 % interval and p-value of differences, one for each question.

    Raises:
        EvaluationError: There are none.
    """
    if not differences:
        raise EvaluationError("there are no differences to test")
    numpy = _numpy()
    values = numpy.asarray(differences, dtype=float)
    values[abs(values) <= SAME] = 0.0
    means = _resampled_means(values[None, :], numpy.random.default_rng(seed))[:, 0]
    low, high = numpy.percentile(means, (2.5, 97.5))
    return Paired(
        mean=math.fsum(values) / len(values),
        low=float(low),
        high=float(high),
        p=_sign_test(values[values != 0], numpy.random.default_rng(seed)),
        wins=int((values > 0).sum()),
        losses=int((values < 0).sum()),
        ties=int((values == 0).sum()),
        n=len(values),
    )


def _sign_test(values: Matrix, rng: numpy.random.Generator) -> float:
    """How likely a sum as far from 0 is when the signs of values, none of them 0, are tossed."""
    numpy = _numpy()
    count = len(values)
    if not count:
        return 1.0
    # Equal sums must count as equal, whatever the order they were added in.
    least = abs(math.fsum(values)) - SAME * count
    if count <= EXACT:
        tosses = (numpy.arange(2**count)[:, None] >> numpy.arange(count)) & 1
        return float((abs((1 - 2 * tosses) @ values) >= least).mean())
    extreme = 0
    for rows in _batches(PERMUTATIONS, count):
        signs = 1.0 - 2.0 * rng.integers(0, 2, size=(rows, count), dtype=numpy.int8)
        extreme += int((abs(signs @ values) >= least).sum())
    return (extreme + 1) / (PERMUTATIONS + 1)


def _resampled_means(matrix: Matrix, rng: numpy.random.Generator) -> Matrix:
    """Means of the rows of a matrix over columns drawn with replacement: one row per drawing."""
    numpy = _numpy()
    columns = matrix.shape[1]
    batches = []
    for rows in _batches(RESAMPLES, columns):
        drawn = rng.integers(0, columns, size=(rows, columns), dtype=numpy.int32)
        batches.append(numpy.stack([row[drawn].mean(axis=1) for row in matrix], axis=1))
    means: Matrix = numpy.concatenate(batches)
    return means


def _batches(total: int, width: int) -> list[int]:
    size = max(1, CELLS // width)
    return [min(size, total - start) for start in range(0, total, size)]


def holm(pvalues: Sequence[float]) -> list[float]:
    """P-values corrected for their number, in the order given (Holm, 1979)."""
    corrected = [1.0] * len(pvalues)
    highest = 0.0
    for place, index in enumerate(sorted(range(len(pvalues)), key=lambda i: pvalues[i])):
        highest = max(highest, min(1.0, pvalues[index] * (len(pvalues) - place)))
        corrected[index] = highest
    return corrected


def kendall_tau(a: Sequence[float], b: Sequence[float]) -> float:
    """Kendall's tau-b: 1 if both order the items alike, -1 if one reverses the other.

    0 if either has no order at all.

    Raises:
        EvaluationError: They are not of the same length, or of fewer than two items.
    """
    if len(a) != len(b) or len(a) < 2:
        raise EvaluationError(
            f"tau needs two lists of the same two or more items, got {len(a)} and {len(b)}"
        )
    numpy = _numpy()
    return float(_taus(numpy.asarray(a, float)[None, :], numpy.asarray(b, float)[None, :])[0])


def tau_interval(
    scores_a: Sequence[Sequence[float]], scores_b: Sequence[Sequence[float]], seed: int = SEED
) -> tuple[float, float, float]:
    """Do two sets of questions order the same systems alike? Tau-b and its 95 % interval.

    A row holds one system's scores, question by question. Both sets of questions are drawn
    anew, each by itself, and the systems ordered by their new means.

    Raises:
        EvaluationError: A score is missing, or the systems are not the same two or more.
    """
    numpy = _numpy()
    for scores in (scores_a, scores_b):
        lengths = {len(row) for row in scores}
        if len(lengths) != 1 or 0 in lengths:
            raise EvaluationError("tau needs one score for every system and question")
    a, b = (numpy.asarray(scores, dtype=float) for scores in (scores_a, scores_b))
    tau = kendall_tau(a.mean(axis=1), b.mean(axis=1))
    rng = numpy.random.default_rng(seed)
    taus = _taus(_resampled_means(a, rng), _resampled_means(b, rng))
    low, high = numpy.percentile(taus, (2.5, 97.5))
    return tau, float(low), float(high)


def _taus(a: Matrix, b: Matrix) -> Matrix:
    """Tau-b of each row of one matrix with the same row of the other."""
    numpy = _numpy()
    first, second = numpy.triu_indices(a.shape[1], k=1)
    orders = []
    for values in (a, b):
        gaps = values[:, first] - values[:, second]
        orders.append(numpy.sign(gaps) * (abs(gaps) > SAME))
    agreement = (orders[0] * orders[1]).sum(axis=1)
    pairs = numpy.sqrt((orders[0] ** 2).sum(axis=1) * (orders[1] ** 2).sum(axis=1))
    taus: Matrix = numpy.divide(agreement, pairs, out=numpy.zeros_like(pairs), where=pairs > 0)
    return taus


def _numpy() -> ModuleType:
    try:
        import numpy
    except ImportError as error:
        raise EvaluationError("numpy is not installed", hint='pip install "plait[eval]"') from error
    return numpy
