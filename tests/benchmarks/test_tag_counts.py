"""Tags are counted against verdicts, and samples are drawn in turns."""

from __future__ import annotations

from benchmarks.tags.drawing import UNTAGGED, draw
from benchmarks.tags.trees import Found
from benchmarks.tags.verdicts import Count, Verdict, count, load
from plait.types.tags import TAG_NAMES


def test_precision_and_recall_are_shares_of_what_was_read() -> None:
    verdicts = [
        Verdict(1, "test", "t", "a", frozenset({"test"})),
        Verdict(1, "test", "t", "b", frozenset()),
        Verdict(1, "-", "t", "c", frozenset({"test", "fixture"})),
    ]
    given = {("t", "a"): {"test"}, ("t", "b"): {"test"}, ("t", "c"): {"fixture"}}

    counts = {
        one.tag: one
        for one in count(verdicts, {key: frozenset(tags) for key, tags in given.items()})
    }

    assert counts["test"] == Count("test", 1, ("t b",), ("t c",))
    assert (counts["test"].precision, counts["test"].recall) == (0.5, 0.5)
    assert (counts["fixture"].precision, counts["fixture"].recall) == (1.0, 1.0)


def test_a_small_tree_is_drawn_from_as_often_as_a_large_one() -> None:
    large = [Found("large", f"src/{number}.py", "python", b"x\n") for number in range(500)]
    small = [Found("small", f"src/{number}.py", "python", b"x\n") for number in range(40)]

    drawn = draw([*large, *small], seed=1)

    assert [one.wanted for one in drawn] == [UNTAGGED] * 64
    assert sum(one.tree == "small" for one in drawn) == 32
    assert drawn == draw([*small, *large], seed=1)
    assert drawn != draw([*large, *small], seed=2)


def test_verdicts_name_tags_that_exist() -> None:
    verdicts = load()

    assert [sum(one.seed == seed for one in verdicts) for seed in (17, 29)] == [300, 300]
    assert all(one.right <= set(TAG_NAMES) for one in verdicts)
