"""The newcomer's questions: the file is sound, and what is counted is what a user sees."""

from __future__ import annotations

from benchmarks.newcomer.cases import KINDS, PACKAGES, tables
from benchmarks.newcomer.shares import Asked, asked_of, shares, summary_of
from plait.evaluation.runs import Outcome, Shown
from tools.corpora import catalog


def outcome(shown: list[str], relevant: list[str]) -> Outcome:
    return Outcome(
        mode="hybrid",
        part="made",
        language="python",
        split="",
        category="words",
        question="made-00",
        text="where is a | b",
        relevant=dict.fromkeys(relevant, 1),
        ranking=tuple(relevant),  # deeper than what is shown; it must not count
        ranks={},
        shown=tuple(Shown(path, f"{path}:1-2", 1.0, ()) for path in shown),
        cpu_ms=1.0,
        wall_ms=1.0,
    )


def test_sixty_questions_are_asked_of_pinned_packages() -> None:
    pinned = {package.name for package in catalog.load(PACKAGES)}
    cases = [case for table in tables() for case in table["cases"]]

    assert {table["name"] for table in tables()} == pinned
    assert len(cases) == 60
    assert {case["kind"] for case in cases} == set(KINDS)
    assert all(case["files"] and case["from"] for case in cases)
    assert len({case["ask"] for case in cases}) == 60


def test_the_place_is_that_of_the_first_right_file_a_user_sees() -> None:
    asked = asked_of(outcome(["t.py", "b.py", "a.py"], ["a.py", "b.py"]), lambda *_: ("test",))

    assert (asked.place, asked.first, asked.tags) == (2, "t.py:1-2", ("test",))
    assert asked_of(outcome(["t.py"], ["a.py"]), lambda *_: ()).place == 0
    assert asked_of(outcome([], ["a.py"]), lambda *_: ()).place == 0


def one(place: int, *tags: str) -> Asked:
    return Asked("made-00", "words", "where is a | b", place, "t.py:1-2", tags)


def test_right_first_is_also_right_in_the_first_three() -> None:
    counted = shares([one(1, "test"), one(3, "test"), one(4), one(0, "documentation")])

    assert (counted["questions"], counted["first"], counted["near"]) == (4, 1, 2)
    assert counted["instead"] == {"code": 1, "documentation": 1, "test": 1}


def test_every_miss_is_listed_with_what_stood_first() -> None:
    text = summary_of({"hybrid": [one(1), one(2, "test"), one(0)]})

    assert text.count("where is a \\| b") == 2
    assert "| 2 | t.py:1-2 | test |" in text
    assert "| - | t.py:1-2 |  |" in text
    assert "| hybrid | 3 | 1 (0.33) | 2 (0.67) | 1 code, 1 test |" in text
