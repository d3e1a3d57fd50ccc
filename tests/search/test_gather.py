"""Gather: lanes at the same time, each with the deadline, the late ones named."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import cast

import pytest

from plait.errors import ModelError, OutOfTime, QueryError
from plait.search.gather import Gathered, Gathering
from plait.search.plan import Planner
from plait.search.searcher import Searcher
from plait.types import (
    Asked,
    ChunkId,
    Hit,
    Lane,
    Phrase,
    Query,
    Ranking,
    Reason,
    Snapshot,
    Text,
)
from tests.search.test_searcher import Listed

QUERY = Query("tea", Text("tea"))
LONG_S = 30.0


@dataclass
class Doing:
    """A lane that does something before it ranks one chunk."""

    name: str
    do: Callable[[], object] = lambda: None
    roots: tuple[str, ...] = ()
    until: list[float] = field(default_factory=list)

    def waits(self, snapshot: Snapshot) -> bool:
        return True

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> Asked:
        del query, snapshot
        self.until.append(until)
        return self

    def ranking(self, limit: int) -> Ranking:
        del limit
        self.do()
        return Ranking(self.name, (Hit(ChunkId("r", self.name, 0), Reason("s", 1.0)),))

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        return {key: Reason("s", 1.0) for key in ids}


def gathering(*lanes: Doing, within_s: float = LONG_S) -> Gathering:
    by_name: dict[str, Lane] = {lane.name: lane for lane in lanes}
    return Gathering(by_name, cast("Snapshot", None), within_s)


def failing(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


def test_lanes_run_at_the_same_time() -> None:
    """Each waits for the other: one after the other they would wait for ever."""
    both = threading.Barrier(2)
    found = gathering(
        Doing("one", lambda: both.wait(LONG_S)), Doing("two", lambda: both.wait(LONG_S))
    ).ask(QUERY, 10)

    assert list(found) == ["one", "two"]


def test_the_order_is_that_of_the_lanes_whichever_is_first() -> None:
    second_is_done = threading.Event()
    found = gathering(
        Doing("one", lambda: second_is_done.wait(LONG_S)), Doing("two", second_is_done.set)
    ).ask(QUERY, 10)

    assert list(found) == ["one", "two"]


def test_a_late_lane_is_named_and_the_others_are_served_in_time() -> None:
    over = threading.Event()
    asked = gathering(Doing("slow", lambda: over.wait(LONG_S)), Doing("quick"), within_s=0.2)
    began = time.monotonic()
    found = asked.ask(QUERY, 10)
    took_s = time.monotonic() - began
    over.set()

    assert list(found) == ["quick"]
    assert [(one.lane, one.code) for one in asked.absent] == [("slow", "late")]
    assert asked.absent[0].words == "no answer within 0.2 s"
    assert 0.2 <= took_s < LONG_S / 2


def test_a_lane_that_was_late_is_not_asked_again() -> None:
    over = threading.Event()
    slow = Doing("slow", lambda: over.wait(LONG_S))
    asked = gathering(slow, Doing("quick"), within_s=0.1)
    asked.ask(QUERY, 10)
    again = asked.ask(QUERY, 10)
    over.set()

    assert list(again) == ["quick"]
    assert len(slow.until) == 1


def test_the_deadline_reaches_every_lane() -> None:
    lanes = Doing("one"), Doing("two")
    asked = gathering(*lanes, within_s=7.0)
    asked.ask(QUERY, 10)

    assert lanes[0].until == lanes[1].until == [asked.until]
    assert asked.until <= time.monotonic() + 7.0


def test_if_all_are_late_that_is_the_error() -> None:
    over = threading.Event()
    lanes = [Doing(name, lambda: over.wait(LONG_S)) for name in ("one", "two")]
    with pytest.raises(OutOfTime, match=r"no answer within 0\.1 s"):
        gathering(*lanes, within_s=0.1).ask(QUERY, 10)
    over.set()


def test_a_failure_is_kept_from_the_others_and_one_that_concerns_all_is_not() -> None:
    asked = gathering(Doing("bad", failing(ModelError("down", hint="start it"))), Doing("good"))

    assert list(asked.ask(QUERY, 10)) == ["good"]
    assert [(one.code, one.words, one.hint) for one in asked.absent] == [
        ("failed", "down", "start it")
    ]
    with pytest.raises(QueryError):
        gathering(Doing("bad", failing(QueryError("what?"))), Doing("good")).ask(QUERY, 10)


def test_what_nobody_foresaw_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        gathering(Doing("bad", failing(ZeroDivisionError())), Doing("good")).ask(QUERY, 10)


def test_every_lane_is_timed_over_all_its_askings() -> None:
    asked = gathering(Doing("one", lambda: time.sleep(0.02)), Doing("two"))
    found = asked.ask(QUERY, 10)
    asked.deepen(found, 40)
    seconds = {one.name: one.seconds for one in asked.timings}

    assert seconds["one"] >= 0.04
    assert seconds.keys() == {"one", "two"}


def test_one_lane_is_asked_without_a_thread() -> None:
    seen: list[threading.Thread] = []
    gathering(Doing("one", lambda: seen.append(threading.current_thread()))).ask(QUERY, 10)

    assert seen == [threading.current_thread()]


def test_an_answer_names_the_late_lane_the_plan_and_the_time() -> None:
    over = threading.Event()
    listed, slow = Listed("abc"), Doing("slow", lambda: over.wait(LONG_S))
    searcher = Searcher(
        cast("Snapshot", listed),
        [cast("Lane", listed), slow],
        Planner(("listed", "slow"), within_s=0.2),
    )
    answer = searcher.search(QUERY)
    over.set()

    assert [one.chunk.path for one in answer.results] == ["a", "b", "c"]
    assert [one.lane for one in answer.absent] == ["slow"]
    assert answer.lanes == ("listed", "slow")
    assert [one.name for one in answer.timings.stages] == ["plan", "gather", "fuse", "load"]
    assert [one.name for one in answer.timings.lanes] == ["listed"]
    assert answer.timings.total >= 0.2


def test_a_value_is_what_was_asked_and_ranked() -> None:
    lane = Doing("one")
    found = gathering(lane).ask(QUERY, 10)["one"]

    assert isinstance(found, Gathered)
    assert found.asked is lane
    assert len(found.ranking.hits) == 1


# ---------------------------------------------------------------- what was found stands


@dataclass
class Once(Doing):
    """A lane that answers the first time and hangs after that."""

    hang: Callable[[], object] = lambda: None
    paths: str = "aab"

    def ranking(self, limit: int) -> Ranking:
        if limit > 100:  # what a plan of two lanes asks for first
            self.hang()
        hits = [
            Hit(ChunkId("repo", path, n), Reason("s", 1.0 - n / 1000))
            for n, path in enumerate((self.paths * 200)[:limit])
        ]
        return Ranking(self.name, tuple(hits))


def test_a_lane_that_hangs_when_it_is_asked_for_more_costs_no_result() -> None:
    over = threading.Event()
    listed = Listed("ab")
    lane = Once("deep", hang=lambda: over.wait(LONG_S), paths="aa")
    lanes: list[Lane] = [cast("Lane", listed), lane]
    planner = Planner(("deep", "listed"), within_s=0.2)
    query = Query("tea", Text("tea"), limit=5)
    answer = Searcher(cast("Snapshot", listed), lanes, planner).search(query)
    over.set()

    assert {one.chunk.path for one in answer.results} == {"a", "b"}
    assert answer.is_partial
    assert [note.code for note in answer.notes] == ["cut-short"]


def test_looser_readings_are_answered_by_who_is_left_after_a_late_lane() -> None:
    over = threading.Event()
    words = Listed("abc", only=Text)
    slow = Doing("slow", lambda: over.wait(LONG_S))
    searcher = Searcher(
        cast("Snapshot", words),
        [cast("Lane", words), slow],
        Planner(("listed", "slow"), within_s=0.2),
    )
    answer = searcher.search(Query('"x y"', Phrase("x y")))
    over.set()

    assert [one.chunk.path for one in answer.results] == ["a", "b", "c"]
    assert [one.lane for one in answer.absent] == ["slow"]
    assert [note.code for note in answer.notes] == ["relaxed"]


def test_what_concerns_all_is_raised_while_another_lane_still_hangs() -> None:
    over = threading.Event()
    began = time.monotonic()
    with pytest.raises(QueryError):
        gathering(
            Doing("slow", lambda: over.wait(LONG_S)), Doing("bad", failing(QueryError("what?")))
        ).ask(QUERY, 10)
    over.set()

    assert time.monotonic() - began < LONG_S / 2


def test_lanes_that_only_compute_take_turns_in_the_calling_thread() -> None:
    seen: list[threading.Thread] = []
    lanes = [Computing(name, lambda: seen.append(threading.current_thread())) for name in "ab"]
    found = gathering(*lanes).ask(QUERY, 10)

    assert list(found) == ["a", "b"]
    assert seen == [threading.current_thread()] * 2


class Computing(Doing):
    """A lane that waits for nobody."""

    def waits(self, snapshot: Snapshot) -> bool:
        del snapshot
        return False
