"""What is shown of text that nobody should have to trust."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.interfaces.cli.output import as_json
from plait.interfaces.escaping import visible, visible_bytes, visible_lines
from plait.interfaces.fences import code_span, fence_of, fenced, plain_name
from tools.attack import hostile_text as hostile

anything = st.text(
    st.one_of(
        st.sampled_from([*hostile.HOSTILE, *hostile.JOINERS, "\ufe0f", "`", "~", "a", " ", "é"]),
        st.characters(),
        st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF, categories=["Cs"]),
    )
)


def test_every_control_and_format_character_is_shown() -> None:
    for char in hostile.control_or_format():
        shown = visible(f"a{char}b")

        assert char not in shown
        assert shown.startswith("a")
        assert shown.endswith("b")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb\x07", "a␛[31mb␇"),
        ("a\nb", "a␊b"),
        ("a\r\nb", "a␍␊b"),
        ("a\tb", "a    b"),
        ("a\x7fb", "a␡b"),
        ("a\x9bb", "a<U+009B>b"),
        ("a\udc9bb", "a<0x9B>b"),
        ("a\udce9b", "a\udce9b"),  # a name in Latin-1 can still be opened
        ("a\u202eb", "a<U+202E>b"),
        ("pass\u200dword", "pass<U+200D>word"),
        ("pass\u200bword", "pass<U+200B>word"),
        ("x\ufe0f\ufe0fy", "x\ufe0f<U+FE0F>y"),
        ("\U000e0041", "<U+E0041>"),
    ],
)
def test_what_is_shown_instead(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", hostile.READABLE)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert visible(text) == text
    assert visible_lines(text) == text
    assert visible_bytes(text.encode()) == text.encode()


def test_code_keeps_its_lines_and_tabs_and_nothing_else_that_moves_a_cursor() -> None:
    assert visible_lines("a\n\tb\r\nc\rd\x0c\u2028e\r") == "a\n\tb\nc␍d␌<U+2028>e"


@given(anything)
def test_escaping_twice_is_escaping_once(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert visible_lines(visible_lines(text)) == visible_lines(text)


@given(anything)
def test_a_line_is_one_line_and_can_be_written(text: str) -> None:
    shown = visible(text)

    assert len(shown.splitlines()) <= 1
    assert hostile.STEERS.isdisjoint(shown)
    shown.encode("utf-8", "surrogateescape")


@given(anything)
def test_json_means_the_same_and_is_harmless(text: str) -> None:
    written = as_json({"text": text}, is_line=True)

    assert json.loads(written) == {"text": text}
    assert hostile.STEERS.isdisjoint(written)
    written.encode("utf-8")


@given(anything)
def test_nothing_in_a_fence_ends_it(code: str) -> None:
    first, *rows, last = fenced(code, "python").split("\n")

    assert first == f"{last}python"
    assert set(last) == {"`"}
    assert not any(row.lstrip().startswith(last) for row in rows)
    assert fence_of([code]) not in code


@given(anything)
def test_nothing_in_a_code_span_ends_it(name: str) -> None:
    span = code_span(name)
    first, *within, last = re.findall("`+", span)

    assert span.startswith(first)
    assert span.endswith(last)
    assert first == last
    assert first not in within
    assert "\n" not in span


@given(anything)
def test_a_name_for_a_model_can_open_no_fence(name: str) -> None:
    shown = plain_name(name)

    assert not {"`", "~", "<", ">"} & set(shown)
    assert len(shown.splitlines()) <= 1


def test_a_plain_name_is_not_quoted() -> None:
    assert plain_name("src/plait/a-b_c.py") == "src/plait/a-b_c.py"
    assert plain_name("a\u202eb\n") == '"a\\u202eb\\n"'
    assert plain_name("```") == '"\\u0060\\u0060\\u0060"'
