"""The shape of a question, and what kinds of file it is about, by the cases in a folder.

A case is a line of ``tests/fixtures/shapes``: a query, a tab, the shape, and behind another tab
the kinds of file, if any. Adding one needs no Python.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.search.parse import MAX_CHARACTERS, parse
from plait.search.shape import SHAPES, kinds_of, shape_hints, shape_of
from plait.types import And, Query, Tag, Text

CASES = Path(__file__).parent.parent / "fixtures" / "shapes"


def cases() -> Iterator[tuple[str, str, str, str]]:
    """Where each case is, what is typed, the shape and the kinds of file."""
    for file in sorted(CASES.glob("*.tsv")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if line and not line.startswith("# "):
                typed, shape, *kinds = line.split("\t")
                unescaped = (
                    typed.replace("\\n", "\n").replace("\\t", "\t") if "\\n" in typed else typed
                )
                yield f"{file.name}:{number}", unescaped, shape, " ".join(kinds)


def query(typed: str) -> Query:
    return Query(typed, parse(typed).wanted)


def test_every_case_has_its_shape() -> None:
    found = [(at, typed, shape, shape_of(query(typed)).name) for at, typed, shape, _ in cases()]
    wrong = [
        f"{at}: {typed!r} is {got}, not {shape}" for at, typed, shape, got in found if got != shape
    ]

    assert not wrong, "\n".join(["", *wrong])


def test_every_case_is_about_the_kinds_of_file_it_says() -> None:
    found = [
        (at, typed, kinds, " ".join(sorted(kinds_of(query(typed), shape_of(query(typed))))))
        for at, typed, _, kinds in cases()
    ]
    wrong = [
        f"{at}: {typed!r} is about {got!r}, not {kinds!r}"
        for at, typed, kinds, got in found
        if got != kinds
    ]

    assert not wrong, "\n".join(["", *wrong])


def test_there_are_cases_enough_of_every_shape() -> None:
    counted = Counter(shape for _, _, shape, _ in cases())

    assert set(counted) == {shape.name for shape in SHAPES}
    assert sum(counted.values()) >= 200
    assert min(counted.values()) >= 15


@given(st.text(max_size=60))
def test_whatever_is_typed_has_a_shape(typed: str) -> None:
    asked = query(typed)

    assert shape_of(asked) in SHAPES
    assert kinds_of(asked, shape_of(asked)) <= {"test", "documentation", "example"}


@given(st.text(alphabet="ab_.:-> ()[]<>/\\*?|test", max_size=40))
def test_a_filter_beside_words_does_not_change_their_shape(typed: str) -> None:
    words = " ".join(typed.split())
    plain = Query(words, Text(words))

    if words:
        assert shape_of(replace(plain, wanted=And((Text(words), Tag("lang", "go"))))) is shape_of(
            plain
        )


@pytest.mark.parametrize(
    "piece", ["a", "a.", "<", "(a", "a|", "a?", "..*", "tests ", "a-", "\\", "is tested "]
)
def test_no_question_takes_long_to_read(piece: str) -> None:
    """The rules see whatever is typed before anything bounds it."""
    text = (piece * MAX_CHARACTERS)[:MAX_CHARACTERS]
    asked = Query(text, Text(text))
    began = time.process_time()
    kinds_of(asked, shape_of(asked))

    assert time.process_time() - began < 0.5


def test_a_lane_that_no_row_names_is_asked_by_every_shape() -> None:
    assert all(shape.asks("graph") for shape in SHAPES)
    assert [shape.name for shape in SHAPES if not shape.asks("dense")] == ["structural"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (r"foo.*bar\(", r"plait grep 'foo.*bar\('"),
        ("TODO|FIXME", "plait grep 'TODO|FIXME'"),
        (r"def \w+_handler lang:python", r"plait grep 'def \w+_handler'"),
        ("*.go", "path:*.go"),
    ],
)
def test_a_pattern_typed_as_words_is_told_how_to_look_for_it(typed: str, told: str) -> None:
    (hint,) = shape_hints(query(typed))

    assert hint.code == "pattern"
    assert hint.endswith(told)


@pytest.mark.parametrize("typed", ["/foo.*bar/", '"self._send(url"', "retry", "map[string]int"])
def test_what_is_a_pattern_or_looks_like_none_has_no_such_hint(typed: str) -> None:
    assert list(shape_hints(query(typed))) == []


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'x' in test_retry_backoff",
        "the parser fails " * 12 + "and so do the tests for it",
    ],
)
def test_what_a_message_or_a_long_report_names_is_not_what_it_is_about(text: str) -> None:
    asked = Query(text, Text(text))

    assert kinds_of(asked, shape_of(asked)) == frozenset()
