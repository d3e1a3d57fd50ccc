"""Rows: where lines begin, and the row of a byte as the parser counts it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.symbols.grammars import grammar
from plait.symbols.rows import Rows

texts = st.text(st.sampled_from("ab(){} ;\r\n\té"), max_size=60).map(str.encode)


@pytest.mark.parametrize(
    ("content", "begins"),
    [
        pytest.param(b"", [0], id="an-empty-file-has-one-line"),
        pytest.param(b"a\nb", [0, 2], id="the-last-line-need-not-end"),
        pytest.param(b"a\nb\n", [0, 2], id="a-last-newline-begins-no-line"),
        pytest.param(b"\n\n", [0, 1], id="empty-lines-are-lines"),
        pytest.param(b"a\r\nb", [0, 3], id="only-newlines-count"),
    ],
)
def test_begins(content: bytes, begins: list[int]) -> None:
    assert Rows(content).begins == begins


@given(texts)
def test_the_row_of_a_byte_is_what_the_parser_says(content: bytes) -> None:
    rows = Rows(content)
    waiting = [grammar("c").parser.parse(content).root_node]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)

        assert rows.row(node.start_byte) == node.start_point.row
        assert rows.row(node.end_byte) == node.end_point.row
