"""Pool: what lanes found, folded to files."""

from __future__ import annotations

import pytest

from plait.ranking.pool import pooled
from plait.types import ChunkId, Hit, Ranking, Reason


def ranking(name: str, *scored: tuple[str, float]) -> Ranking:
    hits = [
        Hit(ChunkId("r", path, n), Reason(name, score)) for n, (path, score) in enumerate(scored)
    ]
    return Ranking(name, tuple(hits))


def test_a_file_has_the_shares_of_its_three_best_chunks() -> None:
    words = ranking(
        "words", ("a", 10.0), ("b", 8.0), ("a", 6.0), ("a", 4.0), ("a", 3.0), ("c", 0.0)
    )
    pool = pooled([words], words)

    found = pool.files["r", "a"].by_lane["words"]
    assert found.shares == pytest.approx(1.0 + 0.6 + 0.4)
    assert (found.best, found.chunks) == (1.0, 4)
    assert pool.files["r", "b"].by_lane["words"].best == pytest.approx(0.8)
    assert pool.most["words"] == pytest.approx(2.0)


def test_what_is_beyond_the_first_hundred_has_no_share() -> None:
    words = ranking("words", *[(f"f{n}", 200.0 - n) for n in range(150)])
    pool = pooled([words], words)

    assert pool.files["r", "f99"].by_lane
    assert not pool.files["r", "f100"].by_lane
    assert len(pool.files) == 150


def test_equal_scores_are_as_good_as_any() -> None:
    words = ranking("words", ("a", 2.0), ("b", 2.0))

    assert pooled([words], words).files["r", "b"].by_lane["words"].shares == 1.0


def test_a_lane_that_found_nothing_has_no_part_in_it() -> None:
    words, nothing = ranking("words", ("a", 1.0)), Ranking("meaning", ())
    pool = pooled([words, nothing], words)

    assert pool.most["meaning"] == 0.0
    assert "meaning" not in pool.files["r", "a"].by_lane
