"""Weighing: words decide where a name was typed or they alone stand out."""

from __future__ import annotations

from plait.search.fusion import Fusion
from plait.search.weighing import Weighing
from plait.types import ChunkId, Hit, Query, Ranking, Reason, Text

USUAL, BY_WORDS = Fusion("minmax", {"dense": 2.0}), Fusion("minmax", {"dense": 0.5})
WEIGHING = Weighing(USUAL, BY_WORDS)
PROSE = "where are timeouts configured"


def ranking(lane: str, first: float, last: float, count: int = 100) -> Ranking:
    step = (first - last) / max(count - 1, 1)
    hits = [Hit(ChunkId("r", f"f{n:03d}", 0), Reason("s", first - n * step)) for n in range(count)]
    return Ranking(lane, tuple(hits))


def chosen(text: str, words: Ranking, meaning: Ranking) -> Fusion:
    return WEIGHING(Query(text, Text(text)), [words, meaning])


def test_meaning_counts_more_where_words_are_all_alike() -> None:
    assert chosen(PROSE, ranking("lexical", 9, 8), ranking("dense", 0.6, 0.5)) is USUAL


def test_words_decide_where_they_stand_out_and_meaning_does_not() -> None:
    assert chosen(PROSE, ranking("lexical", 9, 1), ranking("dense", 0.6, 0.5)) is BY_WORDS


def test_they_do_not_where_meaning_stands_out_too() -> None:
    assert chosen(PROSE, ranking("lexical", 9, 1), ranking("dense", 0.9, 0.3, 10)) is USUAL


def test_words_decide_for_a_name_whatever_is_found() -> None:
    nothing = Ranking("lexical", ())

    assert chosen("findUser", ranking("lexical", 9, 8), ranking("dense", 0.9, 0.1)) is BY_WORDS
    assert chosen("findUser", nothing, nothing._replace(name="dense")) is BY_WORDS


def test_a_longer_list_does_not_change_the_choice() -> None:
    """Otherwise the second page would contradict the first."""
    short, deep = ranking("lexical", 9, 8), ranking("lexical", 9, 0.09, 900)

    assert chosen(PROSE, short, ranking("dense", 0.6, 0.5)) is USUAL
    assert chosen(PROSE, deep, ranking("dense", 0.6, 0.5)) is USUAL


def test_a_lane_that_is_silent_decides_nothing() -> None:
    assert chosen(PROSE, Ranking("lexical", ()), ranking("dense", 0.6, 0.5)) is USUAL
