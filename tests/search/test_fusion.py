"""Fusion: places and scores added up by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import SettingError
from plait.search.fusion import METHODS, Fusion
from plait.types import ChunkId, Hit, Ranking, Reason
from plait.types.notes import Note


def ranking(name: str, **scores: float) -> Ranking:
    hits = (Hit(ChunkId("r", path, 0), Reason("s", score)) for path, score in scores.items())
    return Ranking.best_first(name, hits)


def fused(fusion: Fusion, *rankings: Ranking) -> dict[str, float]:
    return {hit.chunk.path: hit.score for hit in fusion.fuse(rankings).hits}


WORDS = ranking("lexical", a=9.0, b=5.0, c=1.0)
MEANING = ranking("dense", b=0.9, d=0.5)


def test_reciprocal_ranks_are_added_up() -> None:
    found = fused(Fusion(), WORDS, MEANING)

    assert list(found) == ["b", "a", "d", "c"]
    assert found["b"] == 1 / 62 + 1 / 61
    assert found["a"] == 1 / 61
    assert found["d"] == 1 / 62
    assert found["c"] == 1 / 63


def test_weights_are_seen_in_the_sum_and_in_the_reason() -> None:
    fusion = Fusion("rrf", {"dense": 3.0})
    best = fusion.fuse([WORDS, MEANING]).hits[0]
    account = fusion.accounts([WORDS, MEANING], [best.chunk])[best.chunk]

    assert best.chunk.path == "b"
    assert best.score == account.value == 1 / 62 + 3 / 61
    assert [part.text for part in account.parts] == [
        "lexical: 1 / (60 + 2)",
        "dense: 3 / (60 + 1)",
    ]


def test_what_every_lane_found_comes_first_in_an_intersection() -> None:
    words = ranking("lexical", a=9.0, z=1.0)
    meaning = ranking("dense", b=0.9, c=0.8, z=0.1)
    weights = {"lexical": 900.0}  # a first place outweighs anything the other lane can give

    assert next(iter(fused(Fusion("rrf", weights), words, meaning))) == "a"
    assert next(iter(fused(Fusion("intersection", weights), words, meaning))) == "z"


def test_scores_are_brought_to_a_common_range() -> None:
    assert fused(Fusion("minmax"), WORDS, MEANING) == pytest.approx(
        {"b": 0.5 + 1.0, "a": 1.0, "c": 0.0, "d": 0.0}
    )
    assert fused(Fusion("max", {"dense": 0.5}), WORDS, MEANING) == pytest.approx(
        {"a": 1.0, "b": 5 / 9 + 0.5, "d": 0.5 * 5 / 9, "c": 1 / 9}
    )


def test_a_lane_that_found_nothing_changes_nothing() -> None:
    for way in METHODS:
        alone = fused(Fusion(way), WORDS)
        assert list(fused(Fusion(way), WORDS, ranking("dense"))) == list(alone)


def test_notes_of_every_lane_are_kept_once() -> None:
    words = WORDS._replace(notes=(Note("a", "one"), Note("a", "two")), is_partial=True)
    meaning = MEANING._replace(notes=(Note("a", "two"), Note("b", "three")))
    found = Fusion().fuse([words, meaning])

    assert found.notes == ("one", "two", "three")
    assert found.is_partial


@pytest.mark.parametrize("fusion", [("best", {}), ("rrf", {"dense": -1.0})])
def test_what_cannot_be_meant_is_refused(fusion: tuple[str, dict[str, float]]) -> None:
    with pytest.raises(SettingError):
        Fusion(*fusion)


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.01, 100), max_size=8)


@given(SCORES, SCORES, st.sampled_from(sorted(METHODS)), st.floats(0, 10))
def test_a_score_is_the_sum_of_its_parts_and_the_order_is_total(
    words: dict[str, float], meaning: dict[str, float], way: str, weight: float
) -> None:
    lanes = [ranking("lexical", **words), ranking("dense", **meaning)]
    fusion = Fusion(way, {"dense": weight})
    hits = fusion.fuse(lanes).hits
    accounts = fusion.accounts(lanes, [hit.chunk for hit in hits])
    keys = [(-hit.score, hit.chunk) for hit in hits]

    assert keys == sorted(keys)
    assert {hit.chunk.path for hit in hits} == {*words, *meaning}
    assert {hit.chunk: hit.score for hit in hits} == {
        chunk: Reason.total("", account.parts).value for chunk, account in accounts.items()
    }
    assert [h.chunk for h in fusion.fuse(lanes[::-1]).hits] == [h.chunk for h in hits]


def test_a_longer_list_does_not_change_what_the_first_hits_earn() -> None:
    """Otherwise the second page would contradict the first."""
    scores = {f"f{at:03d}": 500.0 - at for at in range(300)}
    short = ranking("lexical", **dict(list(scores.items())[:100]))
    fusion = Fusion("minmax")

    deep = fused(fusion, ranking("lexical", **scores), MEANING)

    assert fused(fusion, short, MEANING).items() <= deep.items()
