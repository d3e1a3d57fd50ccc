"""Sign scan: which rows are likely to lie near a question, by the signs of their coordinates.

A row is one bit a coordinate, so a million rows are 32 megabytes. Counting the signs that
differ is a poor guide when every coordinate counts the same: those in which the question
is near zero say nothing. So the first pass, over all rows, counts only the half in which
the question is largest; the second, over what is left, weighs every coordinate by its size
in the question, rounded to a few binary digits, each digit a mask over the signs.

Bits are kept word by word, not row by row: word 0 of all rows, then word 1 of all rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_LOUD = 254  # coordinates the first pass counts, so that a count fits a byte
BARRED = 255  # the count of a row that may not be chosen
DIGITS = 3  # binary digits of a weight in the second pass
WEIGHT_STEP = 0.3  # one unit of weight, as a share of the question's mean coordinate
BLOCK = 16_384  # rows in one go: what is computed on the way stays in the cache
SAMPLE = 16_384  # rows whose counts tell where to cut
MOST_TIED = 4  # times as many rows as wanted are taken where they cannot be told apart


class Signs:
    """A question as the two passes ask it."""

    def __init__(self, question: NDArray[Any]) -> None:
        import numpy

        sizes = numpy.abs(question)
        count = min(len(question) // 2, MAX_LOUD)
        loud = numpy.zeros(len(question), "u1")
        loud[numpy.argpartition(sizes, -count)[-count:]] = 1
        mean = float(numpy.sqrt(numpy.mean(sizes * sizes))) or 1.0
        weights = numpy.rint(sizes / (WEIGHT_STEP * mean)).clip(0, 2**DIGITS - 1).astype("u1")
        self._signs = _packed(question > 0)
        self._loud = _packed(loud)
        self._digits = [_packed(weights >> digit & 1) for digit in range(DIGITS)]

    def counts(self, bits: NDArray[Any]) -> NDArray[Any]:
        """In how many of the loud coordinates each row differs."""
        import numpy

        total = numpy.empty(bits.shape[1], "u1")
        for rows, differ in self._differing(bits):
            differ &= self._loud
            ones = numpy.bitwise_count(differ)
            numpy.add.reduce(ones, axis=0, dtype="u1", out=total[rows])
        return total

    def weights(self, bits: NDArray[Any]) -> NDArray[Any]:
        """The summed weight of the coordinates in which each row differs."""
        import numpy

        total = numpy.zeros(bits.shape[1], "<u2")
        for rows, differ in self._differing(bits):
            for digit, mask in enumerate(self._digits):
                ones = numpy.bitwise_count(differ & mask)
                total[rows] += numpy.add.reduce(ones, axis=0, dtype="<u2") << digit
        return total

    def _differing(self, bits: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
        """The signs that differ, some rows at a time, in memory that is used again."""
        import numpy

        words, rows = bits.shape
        kept = numpy.empty((words, min(BLOCK, rows)), "<u8")
        for begin in range(0, rows, BLOCK):
            here = bits[:, begin : begin + BLOCK]
            differ = kept[:, : here.shape[1]]
            numpy.bitwise_xor(here, self._signs, out=differ)
            yield slice(begin, begin + BLOCK), differ


def lowest(counts: NDArray[Any], wanted: int) -> NDArray[Any]:
    """About so many rows, those of the lowest counts, rising; none that is barred.

    Rows of one count are taken or left together, so there may be some more. Where to cut is
    read off a sample; if that misled, all rows are sorted.
    """
    import numpy

    every = max(1, len(counts) // SAMPLE)
    below = numpy.cumsum(numpy.bincount(counts[::every], minlength=BARRED + 1)[:BARRED])
    cut = min(int(numpy.searchsorted(below, -(-wanted // every))), BARRED - 1)
    rows: NDArray[Any] = numpy.flatnonzero(counts <= cut)
    is_short = len(rows) < wanted / 2 and cut < BARRED - 1
    if is_short or len(rows) > MOST_TIED * wanted:
        rows = _first_of_all(counts, wanted)
        rows = rows[counts[rows] < BARRED]
    return rows


def lightest(weights: NDArray[Any], wanted: int) -> NDArray[Any]:
    """So many rows, those of the lowest weights, rising, and some that weigh as the last."""
    import numpy

    most = numpy.partition(weights, wanted - 1)[wanted - 1]
    rows: NDArray[Any] = numpy.flatnonzero(weights <= most)
    return rows if len(rows) <= MOST_TIED * wanted else _first_of_all(weights, wanted)


def _first_of_all(values: NDArray[Any], wanted: int) -> NDArray[Any]:
    """Exactly so many rows, rising; of equal ones the first."""
    import numpy

    return numpy.sort(numpy.argsort(values, kind="stable")[:wanted])


def _packed(flags: NDArray[Any]) -> NDArray[Any]:
    """One bit a coordinate, as a column of words."""
    import numpy

    words: NDArray[Any] = numpy.packbits(flags).view("<u8")[:, None]
    return words
