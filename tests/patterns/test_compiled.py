"""Patterns as RE2 runs them: what is refused, and how soon."""

from __future__ import annotations

import time

import pytest

from plait.errors import PatternError
from plait.patterns.compiled import compiled
from plait.types import Pattern

SOON_MS = 100.0  # of CPU time
TRIES = 3


@pytest.mark.parametrize(
    "regex",
    [
        pytest.param(r"\pL{100}", id="one class of all letters"),
        pytest.param("a".join([r"\pL{100}"] * 16), id="many"),
        pytest.param(r"\PL" * 330, id="without a repeat"),
        pytest.param(r"((\pN{10}){10}){10}", id="repeats in repeats"),
    ],
)
def test_a_pattern_whose_program_is_huge_is_refused_soon(regex: str) -> None:
    best_ms = float("inf")
    for number in range(TRIES):  # each another pattern to the cache
        began = time.process_time()
        with pytest.raises(PatternError, match="pattern too large"):
            compiled((Pattern(f"{regex}{'b' * number}"),))
        best_ms = min(best_ms, (time.process_time() - began) * 1000)

    assert best_ms < SOON_MS


@pytest.mark.parametrize("regex", [r"\pL{20}", r"\w{1000}", r".{1000}", r"(?i)[^x]{1000}"])
def test_a_large_pattern_that_somebody_may_mean_is_taken(regex: str) -> None:
    assert not compiled((Pattern(regex),)).holds(b"short")
