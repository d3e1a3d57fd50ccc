"""Plan: which lanes, which weights, how deep, for how long, and why."""

from __future__ import annotations

import pytest

from plait.errors import ModelError, SettingError
from plait.search.fusion import Fusion
from plait.search.plan import MODES, Plan, Planner, lanes_of
from plait.types import (
    Absent,
    And,
    ChunkId,
    Expression,
    Hit,
    Not,
    Phrase,
    Query,
    Ranking,
    Reason,
    Tag,
    Text,
)

USUAL = Fusion("minmax", {"lexical": 1.0, "dense": 2.0})
BY_WORDS = Fusion("minmax", {"lexical": 1.0, "dense": 0.5})
PLANNER = Planner(("lexical", "dense"), USUAL, BY_WORDS, within_s=5.0)
PROSE = "where are timeouts configured"
NO_MODEL = Absent("dense", "unavailable", "there is no model", "fetch one")


def plan(text: str, planner: Planner = PLANNER, **asked: int) -> Plan:
    return planner.plan(Query(text, Text(text), **asked))  # type: ignore[arg-type]  # short


def ranking(lane: str, first: float, last: float, count: int = 100) -> Ranking:
    step = (first - last) / max(count - 1, 1)
    hits = [Hit(ChunkId("r", f"f{n:03d}", 0), Reason("s", first - n * step)) for n in range(count)]
    return Ranking(lane, tuple(hits))


def chosen(text: str, words: Ranking, meaning: Ranking) -> Fusion:
    return plan(text).settled([words, meaning]).fusion


def test_every_lane_has_its_weight_its_depth_its_time_and_a_reason() -> None:
    lexical, dense = plan(PROSE, limit=50).lanes

    assert (lexical.name, lexical.weight, dense.name, dense.weight) == ("lexical", 1, "dense", 2)
    assert lexical.depth == dense.depth == 150
    assert lexical.within_s == dense.within_s == 5.0
    assert "a question" in lexical.why


@pytest.mark.parametrize(
    ("limit", "per_file", "lanes", "depth"),
    [
        (10, 1, ("lexical", "dense"), 100),  # enough for fusion
        (10, 1, ("lexical",), 30),
        (20, 1, ("lexical",), 60),
        (20, 0, ("lexical",), 20),  # nothing is folded away
        (1, 0, ("lexical",), 3),  # as many as expansion reads
    ],
)
def test_the_depth_follows_from_the_page(
    limit: int, per_file: int, lanes: tuple[str, ...], depth: int
) -> None:
    planned = plan(PROSE, Planner(lanes), limit=limit, per_file=per_file)

    assert planned.depth == depth


def test_a_name_is_weighed_by_words_before_anything_is_found() -> None:
    planned = plan("findUser")

    assert planned.fusion is BY_WORDS
    assert [lane.weight for lane in planned.lanes] == [1.0, 0.5]
    assert planned.lanes[0].why == "a name: the words decide"


@pytest.mark.parametrize(
    ("wanted", "lanes"),
    [
        (Tag("lang", "go"), ["lexical"]),
        (And((Tag("lang", "go"), Not(Text("retry")))), ["lexical"]),
        (And((Tag("lang", "go"), Text("retry"))), ["lexical", "dense"]),
        (Phrase("with backoff"), ["lexical", "dense"]),
    ],
)
def test_conditions_alone_are_not_compared_by_meaning(wanted: Expression, lanes: list[str]) -> None:
    planned = PLANNER.plan(Query("typed", wanted))

    assert [lane.name for lane in planned.lanes] == lanes
    assert ("conditions alone" in planned.lanes[0].why) == (lanes == ["lexical"])
    assert planned.absent == ()


def test_a_lane_that_is_unavailable_is_absent_with_the_reason() -> None:
    planned = plan(PROSE, Planner(("lexical", "dense"), USUAL, BY_WORDS, unavailable=(NO_MODEL,)))

    assert [lane.name for lane in planned.lanes] == ["lexical"]
    assert planned.absent == (NO_MODEL,)
    assert planned.lanes[0].why == "the only lane"


def test_a_lane_that_nobody_wants_is_not_absent() -> None:
    assert plan(PROSE, Planner(("lexical",), unavailable=(NO_MODEL,))).absent == ()


def test_without_any_lane_the_reason_is_raised() -> None:
    with pytest.raises(ModelError, match="there is no model"):
        plan(PROSE, Planner(("dense",), unavailable=(NO_MODEL,)))


def test_a_mode_says_which_lanes_it_asks() -> None:
    assert {mode: lanes_of(mode) for mode in MODES} == {
        "lexical": ("lexical", "message"),
        "dense": ("dense",),
        "hybrid": ("lexical", "dense", "message"),
    }
    with pytest.raises(SettingError, match="no mode 'magic'"):
        lanes_of("magic")


# ---------------------------------------------------------------- what the lanes show


def test_meaning_counts_more_where_words_are_all_alike() -> None:
    assert chosen(PROSE, ranking("lexical", 9, 8), ranking("dense", 0.6, 0.5)) is USUAL


def test_words_decide_where_they_stand_out_and_meaning_does_not() -> None:
    settled = plan(PROSE).settled([ranking("lexical", 9, 1), ranking("dense", 0.6, 0.5)])

    assert settled.fusion is BY_WORDS
    assert [lane.weight for lane in settled.lanes] == [1.0, 0.5]
    assert settled.lanes[0].why.endswith("score alike: the words decide")


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
