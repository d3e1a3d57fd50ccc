"""Weights of signals: fitted, measured and told."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.ranking.features import Row
from benchmarks.ranking.fit import fitted, mean, ndcg, scores_of
from benchmarks.ranking.page import PAGE, page

SIGNALS = ("file name", "depth")


def row(values: list[list[float]], *right: int, part: str = "p", targets: int = 1) -> Row:
    met: list[tuple[int, ...]] = [
        (right.index(at),) if at in right else () for at in range(len(values))
    ]
    paths = [f"f{at}" for at in range(len(values))]
    return Row("d", part, "go", "", "", "q", targets, paths, np.array(values, np.float32), met)


def test_the_page_has_the_signals_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert page(text) == text


def test_a_signal_that_tells_right_from_wrong_gets_a_weight_and_one_that_does_not_gets_none() -> (
    None
):
    rows = [row([[1.0, at % 2], [0.0, 1 - at % 2]], 0) for at in range(40)]
    weights = fitted(rows, SIGNALS, SIGNALS)

    assert weights["file name"] > 1
    assert abs(weights["depth"]) < 0.1


def test_signs_are_those_of_the_table() -> None:
    rows = [row([[0.0, 1.0], [1.0, 0.0]], 0) for _ in range(20)]
    weights = fitted(rows, SIGNALS, SIGNALS)

    assert weights["file name"] >= 0
    assert weights["depth"] <= 0


def test_a_target_counts_once_at_its_first_place() -> None:
    one = row([[3.0, 0], [2.0, 0], [1.0, 0]], 1)
    scores = scores_of(one, {"file name": 1.0}, SIGNALS)

    assert ndcg(one, scores) == pytest.approx(1 / np.log2(3))


def test_means_are_over_repositories_first() -> None:
    rows = [row([[1.0, 0]], 0), row([[1.0, 0]], 0), row([[1.0, 0]], 0, part="q")]

    assert mean(rows, [1.0, 1.0, 0.0]) == pytest.approx(0.5)


def test_rows_are_read_as_they_were_written() -> None:
    one = row([[0.25, 1.0], [0.5, 0.0]], 1)
    again = Row.from_json(one.to_json(), len(SIGNALS))

    assert again.met == one.met
    assert (again.values == one.values).all()
