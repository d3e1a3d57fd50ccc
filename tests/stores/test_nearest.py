"""The scan of vectors: what exact multiplication would find, of what may be found."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from plait.stores.embedded.nearest import Question, nearest
from plait.stores.embedded.sign_scan import BARRED, SAMPLE, Signs, lowest
from plait.stores.embedded.vectors import VectorFile, VectorWriter
from plait.types import Vectors

Floats = NDArray[numpy.float32]
MODEL = "m" * 32
DIMENSION = 256
ROWS = 12_000


def unit(rows: NDArray[numpy.float64]) -> Floats:
    made: Floats = (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4")
    return made


def clustered(rows: int, dimension: int = DIMENSION) -> Floats:
    """Directions around some hundred centres, as texts about some hundred subjects are."""
    draw = numpy.random.default_rng(1)
    centres = draw.standard_normal((200, dimension))
    noise = draw.standard_normal((rows, dimension))
    return unit(centres[draw.integers(0, len(centres), rows)] + 0.8 * noise)


def asked(rows: Floats, count: int = 1) -> Floats:
    """Questions, each about something that a row is about."""
    draw = numpy.random.default_rng(2)
    return unit(rows[:count] + 0.05 * draw.standard_normal((count, rows.shape[1])))


def kept(place: Path, rows: Floats) -> VectorFile:
    writer = VectorWriter(MODEL, rows.shape[1])
    keys = [(row + 1).to_bytes(16, "little") for row in range(len(rows))]
    writer.add(keys, Vectors(rows.shape[1], rows.tobytes()))
    writer.write(place / "some.vectors")
    return VectorFile(place / "some.vectors", MODEL, len(rows))


@pytest.mark.parametrize("dimension", [64, 256, 768])
def test_the_scan_finds_what_exact_multiplication_finds(place: Path, dimension: int) -> None:
    file = kept(place, clustered(ROWS, dimension))
    rows = file.floats(slice(None))
    shares = []
    for question in asked(rows, 10):
        exact = numpy.argsort(-(rows @ question))[:100]
        found = [near.row for near in nearest(file, Question(question), 100)]
        shares.append(len({*exact.tolist()} & {*found}) / 100)

    assert sum(shares) / len(shares) > 0.99


def test_scores_are_cosines_best_first(place: Path) -> None:
    rows = clustered(ROWS)
    (question,) = asked(rows)
    found = nearest(kept(place, rows), Question(question), 50)
    scores = [near.score for near in found]

    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([float(rows[n.row] @ question) for n in found], abs=0.01)


def test_only_the_rows_asked_for_are_looked_at(place: Path) -> None:
    rows = clustered(ROWS)
    (question,) = asked(rows)
    file = kept(place, rows)
    scores = rows @ question
    worst = numpy.sort(numpy.argsort(scores)[:10_000])
    found = nearest(file, Question(question), 10, worst)
    few = nearest(file, Question(question), 10, numpy.array([5, 7, 9]))

    assert {near.row for near in found} <= {*worst.tolist()}
    assert max(scores[worst]) == pytest.approx(found[0].score, abs=0.01)
    assert {near.row for near in few} == {row for row in (5, 7, 9) if scores[row] > 0}


@pytest.mark.parametrize("count", [300, ROWS])
def test_barred_rows_are_never_found(place: Path, count: int) -> None:
    rows = clustered(count)
    (question,) = asked(rows)
    file = kept(place, rows)
    order = numpy.argsort(-(rows @ question))
    barred = numpy.zeros(count, "u1")
    barred[order[:100]] = BARRED
    found = nearest(file, Question(question), 50, barred=barred)
    among = nearest(file, Question(question), 50, numpy.sort(order[:120]), barred)

    assert {near.row for near in found}.isdisjoint(order[:100].tolist())
    assert found[0].score == pytest.approx(float(rows[order[100]] @ question), abs=0.01)
    assert {near.row for near in among} == {*order[100:120].tolist()}


def test_rows_that_tie_with_the_last_are_found_too_the_first_before_others(place: Path) -> None:
    rows = numpy.repeat(clustered(1), ROWS, axis=0)
    found = [near.row for near in nearest(kept(place, rows), Question(rows[0]), 30)]

    assert 30 < len(found) < ROWS  # not all: a million copies of a text would take too long
    assert found == list(range(len(found)))


def test_what_points_away_is_not_found(place: Path) -> None:
    rows = clustered(100)
    question = rows[3]
    opposite = kept(place, -rows)

    assert all(near.score > 0 for near in nearest(opposite, Question(question), 100))
    assert 3 not in [near.row for near in nearest(opposite, Question(question), 100)]
    assert nearest(opposite, Question(numpy.zeros(DIMENSION, "<f4")), 100) == []


def test_weights_count_every_coordinate_by_its_size() -> None:
    question = numpy.zeros(64, "<f4")
    question[:4] = (4.0, 2.0, 1.0, -4.0)
    question[4:] = 0.01
    away = numpy.zeros((3, 64), numpy.bool_)
    away[:, 4:] = True
    away[0, :3] = True  # agrees in all that counts
    away[1, :2] = True  # not in the third
    away[2, 1:4] = True  # not in the first and the fourth
    bits = numpy.packbits(away, axis=1).view("<u8").T

    # The mean coordinate is 0.76, so 1.0 weighs round(1 / 0.23) = 4 and 4.0 the most there is.
    assert Signs(question).weights(bits).tolist() == [0, 4, 7 + 7]


@given(st.lists(st.integers(0, BARRED), max_size=300), st.integers(1, 400))
def test_the_lowest_are_taken_and_none_that_is_barred(values: list[int], wanted: int) -> None:
    counts = numpy.array(values, "u1")
    rows = lowest(counts, wanted)
    left = numpy.delete(counts, rows)

    assert (counts[rows] < BARRED).all()
    assert len(rows) >= min(wanted, (counts < BARRED).sum())
    assert not len(rows) or (left[left < BARRED] >= counts[rows].max()).all()
    assert rows.tolist() == sorted(rows.tolist())


def test_a_sample_that_misleads_is_mended() -> None:
    counts = numpy.full(4 * SAMPLE, 50, "u1")
    counts[1::4] = 10  # none of which a sample of every fourth row sees
    low = lowest(counts, 1_000)
    counts[1::4], counts[::4] = 90, 10  # all of which it sees
    high = lowest(counts, 3 * SAMPLE)

    assert low.tolist() == list(range(1, 4_000, 4))
    assert len(high) == 3 * SAMPLE
    assert (counts[high] == 10).sum() == SAMPLE
