"""Folding a ranking by file, by example and by law."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.search.fold import fold
from plait.types import ChunkId, Hit, Reason


def hits(files: str) -> list[Hit]:
    """``hits("aab")`` are two chunks of file a and one of b, best first."""
    return [Hit(ChunkId("repo", path, n), Reason("", 1.0)) for n, path in enumerate(files)]


def shown(files: str, per_file: int, limit: int) -> str:
    kept, _ = fold(hits(files), per_file, limit)
    return " ".join(f"{hit.chunk.path}{hit.chunk.ordinal}" for hit in kept)


@pytest.mark.parametrize(
    ("per_file", "limit", "expected"),
    [
        (0, 10, "a0 a1 b2 a3 c4"),
        (1, 10, "a0 b2 c4"),
        (2, 10, "a0 a1 b2 c4"),
        (1, 2, "a0 b2"),
        (0, 2, "a0 a1"),
        (3, 10, "a0 a1 b2 a3 c4"),
    ],
)
def test_fold(per_file: int, limit: int, expected: str) -> None:
    assert shown("aabac", per_file, limit) == expected


def test_every_hit_of_a_file_is_counted_shown_or_not() -> None:
    _, seen = fold(hits("aabac"), 1, 1)

    assert seen == {("repo", "a"): 3, ("repo", "b"): 1, ("repo", "c"): 1}


def test_two_repositories_may_have_a_file_of_one_name() -> None:
    twins = [Hit(ChunkId(repo, "a", 0), Reason("", 1.0)) for repo in ("one", "two")]

    assert fold(twins, 1, 10)[0] == twins


@given(st.text("abcd", max_size=30), st.integers(0, 4), st.integers(1, 40))
def test_what_is_kept_is_the_best_in_order_and_no_more_of_a_file_than_allowed(
    files: str, per_file: int, limit: int
) -> None:
    ranked = hits(files)
    kept, seen = fold(ranked, per_file, limit)
    paths = Counter(hit.chunk.path for hit in kept)

    assert kept == [hit for hit in ranked if hit in kept]
    assert len(kept) <= limit
    assert per_file == 0 or all(count <= per_file for count in paths.values())
    assert sum(seen.values()) == len(files)
    allowed = sum(min(n, per_file or n) for n in Counter(files).values())
    assert len(kept) == min(limit, allowed)
