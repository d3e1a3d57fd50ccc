"""Question: what a query says to the signals that compare names."""

from __future__ import annotations

import pytest

from plait.ranking.question import Question, question_of
from plait.search.parse import parse
from plait.types import Query


def read(text: str) -> Question:
    return question_of(Query(text, parse(text).wanted))


def test_words_that_say_nothing_are_left_out_unless_there_are_no_others() -> None:
    assert set(read("how does the session work").words.values()) == {"session"}
    assert set(read("how does it work").words.values())


def test_filters_and_what_is_excluded_say_nothing() -> None:
    assert set(read("retry lang:go -timeout").words.values()) == {"retry"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ConnectionPool", ("ConnectionPool",)),
        ("urllib3.ConnectionPool", ("ConnectionPool",)),
        ("Foo::bar", ("bar",)),
        ("where is ConnectionPool closed", ("ConnectionPool",)),
        ("how is the Session closed", ("Session",)),
        ("what does read_timeout do", ("read_timeout",)),
        ("How are retries counted", ()),
        ("the MAX limit", ("MAX",)),
    ],
)
def test_names_are_told_from_words(text: str, names: tuple[str, ...]) -> None:
    assert read(text).names == names


def test_words_side_by_side_may_be_one_name() -> None:
    question = read("how does the connection pool close")

    assert "connectionpool" in question.joined
    assert {"connectionpool", "connection_pool"} <= question.spelled
    assert not question.is_name


def test_a_pasted_page_is_not_compared_to_its_end() -> None:
    assert len(read(" ".join(f"word{n}x" for n in range(900))).joined) < 200
