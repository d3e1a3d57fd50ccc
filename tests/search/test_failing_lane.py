"""A lane that fails is named with the reason; the others answer without it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import cast

import pytest

from plait.errors import IndexCorrupt, ModelError, PlaitError, QueryError, SnapshotLost, StoreBusy
from plait.search.searcher import Searcher
from plait.types import Absent, Asked, Lane, Query, Snapshot, Text
from plait.types.notes import Note
from tests.search.test_searcher import Listed


@dataclass
class Failing:
    """A lane that raises, when it is put a query or when it is to rank."""

    error: PlaitError
    late: bool = True
    name: str = "failing"
    asked: list[str] = field(default_factory=list)
    roots: tuple[str, ...] = ()

    def waits(self, snapshot: Snapshot) -> bool:
        return True

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> Asked:
        del snapshot, until
        self.asked.append(query.text)
        if not self.late:
            raise self.error
        return cast("Asked", self)

    def ranking(self, limit: int) -> object:
        del limit
        self.asked.append("ranking")
        raise self.error


def searcher(*lanes: object) -> Searcher:
    snapshot = next(lane for lane in lanes if isinstance(lane, Listed))
    return Searcher(cast("Snapshot", snapshot), [cast("Lane", lane) for lane in lanes])


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("error", [ModelError("the model is down"), StoreBusy("too much")])
def test_the_rest_answers_and_the_reason_is_told(error: PlaitError, late: bool) -> None:
    answer = searcher(Listed("abc"), Failing(error, late)).search(Query("tea", Text("tea")))

    assert [one.chunk.path for one in answer.results] == ["a", "b", "c"]
    assert answer.absent == (Absent("failing", "failed", str(error)),)
    assert answer.notes == ()
    assert answer.lanes == ("listed", "failing")


def test_what_could_be_done_about_it_is_told_too() -> None:
    lane = Failing(ModelError("the model is down", hint="start it"))
    answer = searcher(Listed("abc"), lane).search(
        Query("tea", Text("tea")), [Note("syntax", "spell it so")]
    )

    assert answer.hints == ("spell it so", "start it")


def test_the_order_is_that_of_the_lane_that_answers() -> None:
    alone = searcher(Listed("abc")).search(Query("tea", Text("tea")))
    beside = searcher(Failing(ModelError("down")), Listed("abc")).search(Query("tea", Text("tea")))

    assert [one.chunk.id for one in beside.results] == [one.chunk.id for one in alone.results]
    assert [one.score for one in beside.results] == [one.score for one in alone.results]


def test_a_lane_that_failed_is_not_asked_again_by_looser_readings() -> None:
    lane = Failing(ModelError("down"))
    answer = searcher(Listed(""), lane).search(Query('"a b" c d', Text("a b c d")))

    assert answer.results == ()
    assert [one.lane for one in answer.absent] == ["failing"]
    assert lane.asked.count("ranking") == 1


def test_if_all_fail_the_first_failure_is_raised() -> None:
    lanes = [cast("Lane", Failing(ModelError(name), name=name)) for name in ("one", "two")]
    with pytest.raises(ModelError, match="one"):
        Searcher(cast("Snapshot", Listed("a")), lanes).search(Query("tea", Text("tea")))


@pytest.mark.parametrize(
    "error", [IndexCorrupt("damaged"), QueryError("what?"), SnapshotLost("gone")]
)
def test_what_concerns_every_lane_is_raised(error: PlaitError) -> None:
    with pytest.raises(type(error)):
        searcher(Listed("a"), Failing(error)).search(Query("tea", Text("tea")))
