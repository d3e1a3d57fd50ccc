"""The shape of a question: a name, a few words, prose."""

from __future__ import annotations

import pytest

from plait.search.shape import NAME, PROSE, WORDS, shape_of


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("findUserByEmail", NAME),
        ("find_user_by_email", NAME),
        ("Session.request", NAME),
        ("std::vector", NAME),
        ("retry()", NAME),
        ("timeout", NAME),
        ("  timeout ", NAME),
        ("HttpClient send", NAME),
        ("class HttpClient", NAME),
        ("parse config", WORDS),
        ("connection pool size", WORDS),
        ("where are timeouts configured", PROSE),
        ("how does HttpClient send a request", PROSE),
        ("什么", NAME),
        ("", WORDS),
    ],
)
def test_a_question_has_a_shape(question: str, shape: str) -> None:
    assert shape_of(question) == shape
