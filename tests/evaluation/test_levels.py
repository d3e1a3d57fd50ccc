"""What results are called at each level."""

from __future__ import annotations

import pytest

from plait.evaluation.levels import is_met, met, symbol_names
from plait.types import Chunk, ChunkId, Excerpt, Span, Symbol


def chunk(
    ordinal: int, name: str = "", container: str = "", first: int = 1, part: int = 0
) -> Chunk:
    symbol = Symbol(name, "function", Span(first, first + 1), container) if name else None
    return Chunk(
        ChunkId("r", "a.py", ordinal),
        "python",
        Span(first, first + 1),
        Excerpt(0, 1, "x"),
        symbol,
        part,
    )


def test_symbols_are_named_by_their_place_and_repeats_are_numbered() -> None:
    chunks = [
        chunk(0),
        chunk(1, "f", first=3),
        chunk(2, "f", first=3, part=1),  # the rest of a long one
        chunk(3, "f", first=9),
        chunk(4, "f", "C", first=12),
    ]

    assert symbol_names("a.py", chunks) == {
        1: "a.py::f",
        2: "a.py::f",
        3: "a.py::f#2",
        4: "a.py::C.f",
    }


@pytest.mark.parametrize(
    ("target", "path", "span", "expected"),
    [
        ("src/a.py", "src/a.py", Span(1, 2), True),
        ("a.py", "src/a.py", Span(1, 2), True),
        ("repo/src/a.py", "src/a.py", Span(1, 2), True),
        ("a.py", "src/aa.py", Span(1, 2), False),
        ("src/a.py:10-20", "src/a.py", Span(1, 9), False),
        ("src/a.py:10-20", "src/a.py", Span(1, 10), True),
        ("src/a.py:10-20", "src/a.py", Span(20, 30), True),
        ("src/a.py:10-20", "src/a.py", Span(21, 30), False),
    ],
)
def test_a_target_is_met_by_path_and_lines(
    target: str, path: str, span: Span, expected: bool
) -> None:
    assert is_met(target, path, span) is expected


def test_one_result_may_meet_two_targets_and_a_file_twice_takes_two_places() -> None:
    found = met(
        [("b.py", Span(1, 5)), ("b.py", Span(6, 9)), ("a.py", Span(1, 50))],
        {"a.py:1-10": 1, "a.py:20-30": 1, "c.py": 1},
    )

    assert found.ranks == {"a.py:1-10": 3, "a.py:20-30": 3}
    assert found.ranking == ["b.py:1-5", "b.py:6-9", "a.py:1-10"]
