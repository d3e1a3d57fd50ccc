"""Nesting: what is too deep to be parsed is told, and nothing else is."""

from __future__ import annotations

import time

import pytest

from plait.symbols.nesting import MAX_DEPTH, STEP, is_too_deep

BEYOND = MAX_DEPTH + 2 * STEP


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"(" * BEYOND, id="open"),
        pytest.param(b"(" * BEYOND + b")" * BEYOND, id="closed"),
        pytest.param(b"([{" * BEYOND, id="kinds"),
        pytest.param(b"if (a) {\n" * BEYOND, id="blocks"),
        pytest.param(b")" * 100_000 + b"(" * BEYOND, id="closed-before"),
        pytest.param(b"()" * 100_000 + b"f(x, \n" * BEYOND + b")" * 100_000, id="in-the-middle"),
    ],
)
def test_more_brackets_than_any_code_has_are_too_deep(content: bytes) -> None:
    assert is_too_deep(content)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"(" * MAX_DEPTH, id="open"),
        pytest.param((b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) * 20, id="again-and-again"),
        pytest.param(b"f(x[1], {})\n" * 80_000, id="calls"),
        pytest.param(b")" * 1_000_000, id="closing"),
        pytest.param(b"<" * 1_000_000, id="no-brackets"),
    ],
)
def test_many_brackets_are_not_deep_ones(content: bytes) -> None:
    assert not is_too_deep(content)


def test_a_megabyte_is_judged_in_no_time() -> None:
    content = b"(()" * 3_000 + b"(" * (1 << 20)
    began = time.process_time()
    assert is_too_deep(content)

    assert time.process_time() - began < 0.2
