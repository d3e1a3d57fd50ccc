"""What a program filled into a message, and what is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.messages.values import fixed_parts, parts


@pytest.mark.parametrize(
    ("message", "fixed"),
    [
        ("no such thing: 'abc'", ["no such thing"]),
        ("expected 3 items, got 4.5", ["items, got", "expected"]),
        ("cannot open /etc/passwd for writing", ["cannot open", "for writing"]),
        ("cannot open src/a/b.c for writing", ["cannot open", "for writing"]),
        ("both read/write modes", ["both read/write modes"]),
        ("job 123e4567-e89b-12d3-a456-426614174000 is gone", ["is gone", "job"]),
        ("at 0x7f3a2b gone", ["gone", "at"]),
        ("commit deadbeef12 is missing", ["is missing", "commit"]),
        ("the facade decade stays", ["the facade decade stays"]),
        ("get https://a.b/c?d=1 failed", ["failed", "get"]),
        ("no route to 10.0.0.1:80 now", ["no route to", "now"]),
        ("since 2026-01-02T03:04:05Z nothing", ["nothing", "since"]),
        ("mail to a.b@c.de bounced", ["bounced", "mail to"]),
        ("it doesn't matter, can't it", ["it doesn't matter, can't it"]),
        ("keys [1, 2] and {'a': 3} differ", ["differ", "keys", "and"]),
        ("in `foo` there", ["there", "in"]),
        ("took 35ms too long", ["too long", "took"]),
    ],
)
def test_values_are_cut_out(message: str, fixed: list[str]) -> None:
    assert list(fixed_parts(message)) == fixed


@given(st.text(alphabet="ab 1'\"/.:[]{}<>-`", max_size=40))
def test_the_parts_of_a_message_are_all_of_it(message: str) -> None:
    assert "".join(message[part.begin : part.end] for part in parts(message)) == message
