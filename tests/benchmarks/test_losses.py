"""Losses are told as they are ranked, and the reading of them can be counted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from benchmarks.ranking.features import Row
from benchmarks.ranking.losses import losses, shares, told, verdicts
from benchmarks.ranking.trials import cases_of, coverage, first_words, initials

SIGNALS = ("file name", "depth")


def row(question: str, files: Mapping[str, tuple[float, ...]], right: str, targets: int = 1) -> Row:
    values = np.array(list(files.values()), dtype=np.float32)
    met: list[tuple[int, ...]] = [(0,) if path == right else () for path in files]
    return Row("set", "part", "go", "tuning", "", question, targets, list(files), values, met)


FOUND = {"a.go": (1.0, 0.0), "b.go": (0.5, 0.0), "c.go": (0.0, 1.0)}


def test_a_question_answered_in_full_is_no_loss() -> None:
    assert losses([row("ask", FOUND, "a.go")], SIGNALS) == []


def test_the_worst_question_comes_first_and_says_how_it_is_lost() -> None:
    rows = [row("near", FOUND, "b.go"), row("far", FOUND, "none.go"), row("two", FOUND, "a.go", 2)]
    given = [(loss.row.question, loss.how) for loss in losses(rows, SIGNALS)]
    assert given[:2] == [("far", "not found"), ("two", "first is right, others are late")]
    assert given[2] == ("near", "second is right")


def test_the_first_files_and_the_right_one_are_told_with_what_signals_gave() -> None:
    (loss,) = losses([row("ask", FOUND, "c.go", 2)], SIGNALS)
    lines = list(told(loss, SIGNALS))
    assert [line.split()[-2] for line in lines[1:3]] == ["a.go", "b.go"]
    assert lines[3].split()[:2] == ["right", "3"]
    assert lines[3].split()[-1].startswith("depth=-")
    assert lines[4].strip() == "not found: 1 of 2"


def test_every_verdict_is_of_another_question_and_has_a_class() -> None:
    given = verdicts()
    assert len({(one["set"], one["question"]) for one in given}) == len(given) >= 100
    assert all(one["class"] and one["note"] for one in given)


def test_shares_count_every_verdict_once() -> None:
    cells = [line.strip("|").split("|") for line in shares().splitlines()[2:]]
    assert sum(int(cell[-1]) for cell in cells) == len(verdicts())


def test_the_first_words_of_a_question_count_most() -> None:
    files = {"session.ex": (0.0, 0.0), "cookie.ex": (0.0, 0.0)}
    (case,) = cases_of([row("cookie store of a session", files, "cookie.ex")])
    late, early = first_words(case)
    assert early > late > 0
    assert len(set(coverage(case))) == 1


def test_initials_of_words_side_by_side_are_a_name() -> None:
    files = {"src/TH.hs": (0.0, 0.0), "src/HT.hs": (0.0, 0.0)}
    (case,) = cases_of([row("Template Haskell instances", files, "src/TH.hs")])
    assert initials(case) == [1.0, 0.0]
