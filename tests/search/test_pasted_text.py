"""A pasted message in a query: text as it stands, with filters around it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plait.search.parse import parse
from plait.search.plan import Planner
from plait.search.shape import shape_of
from plait.types import And, Expression, Not, Phrase, Query, Tag, Text


def shape(text: str) -> str:
    return shape_of(Query(text, parse(text).wanted)).name


PLANNER = Planner(("lexical", "dense", "message"), file_ranking=True)


@pytest.mark.parametrize(
    "message",
    [
        'ValueError: no "frob" in path:/tmp -x OR (y',
        "error: /a b/ must not be empty",
        'panic: cannot open "a.txt"\n\ngoroutine 1 [running]:',
    ],
)
def test_a_message_is_text_whatever_it_holds(message: str) -> None:
    assert parse(message).wanted == Text(" ".join(message.split()))


@pytest.mark.parametrize(
    ("typed", "condition"),
    [
        ("lang:go panic: it is gone", Tag("lang", "go")),
        ("panic: it is gone lang:go", Tag("lang", "go")),
        ("panic: it is gone -is:test", Not(Tag("is", "test"))),
    ],
)
def test_filters_around_a_message_hold(typed: str, condition: Expression) -> None:
    assert parse(typed).wanted == And((Text("panic: it is gone"), condition))


def test_what_begins_as_an_expression_is_one() -> None:
    assert parse('"must not be empty"').wanted == Phrase("must not be empty")


def test_the_shape_of_a_message_is_told_from_a_name_and_from_prose() -> None:
    assert shape("KeyError: 'x'") == "message"
    assert shape("KeyError") == "identifier"
    assert shape("where is the error of a missing key raised") == "question"


@pytest.mark.parametrize(
    ("text", "lanes"),
    [
        ("ValueError: no such thing", ["lexical", "dense", "message"]),
        ("empty sandbox controller mode", ["lexical", "dense", "message"]),
        ("where are timeouts configured", ["lexical", "dense"]),
        ("SandboxController", ["lexical", "dense"]),
    ],
)
def test_the_lane_of_messages_is_asked_for_what_may_be_one(text: str, lanes: list[str]) -> None:
    plan = PLANNER.plan(Query(text, Text(text)))
    assert [lane.name for lane in plan.lanes] == lanes


def test_what_only_may_be_a_message_is_looked_up_where_results_are_files() -> None:
    query = Query("empty sandbox controller mode", Text("empty sandbox controller mode"))
    of_chunks = PLANNER.plan(replace(query, per_file=0))

    assert [lane.name for lane in of_chunks.lanes] == ["lexical", "dense"]
