"""Question by question: worst first, right answers marked, and never too much for a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plait.evaluation.report.markup import NOTHING
from plait.evaluation.report.page import as_page
from plait.evaluation.runs import Run, Shown
from tests.evaluation.report.reading import Element, read
from tests.evaluation.report.synthetic import outcome, run_of


def folded(run: Run) -> list[Element]:
    listed = read(as_page([run])).one(id="questions").children
    return [each for each in listed if isinstance(each, Element)]


def test_the_worst_question_comes_first_and_the_unjudged_last() -> None:
    run = run_of(
        Path("one"),
        [
            outcome(question="second place"),
            outcome(question="unjudged", relevant={"src/a.py": 0}),
            outcome(question="first place", ranking=("src/a.py",)),
            outcome(question="missed", ranking=("src/b.py",)),
        ],
    )

    found = folded(run)
    assert [each.one("code", class_="id").text for each in found] == [
        *("missed", "second place", "first place", "unjudged"),
    ]
    scores = [each.one("span", class_="scores").text for each in found]
    assert scores == ["0.000", "0.631", "1.000", NOTHING]
    assert "No right answer is known" in found[-1].text


def test_the_mean_of_the_modes_decides_which_question_is_worst() -> None:
    right, wrong = ("src/a.py",), ("src/b.py",)
    run = run_of(
        Path("one"),
        [
            outcome("lexical", "both", ranking=right),
            outcome("lexical", "none", ranking=wrong),
            outcome("lexical", "one", ranking=right),
            outcome("dense", "both", ranking=right),
            outcome("dense", "none", ranking=wrong),
            outcome("dense", "one", ranking=wrong),
        ],
    )

    found = folded(run)
    assert [each.one("code", class_="id").text for each in found] == ["none", "one", "both"]
    assert [each.attributes["data-gap"] for each in found] == ["0.0000", "1.0000", "0.0000"]
    assert [len(list(each.all("h3"))) for each in found] == [2, 2, 2]


def test_a_question_tells_its_answers_and_its_results() -> None:
    run = run_of(Path("one"), [outcome(relevant={"src/a.py": 2, "src/gone.py": 1, "src/b.py": 0})])
    (question,) = folded(run)
    wrong, right = question.all("li")

    assert question.one("span", class_="query").text == "retry with backoff"
    assert question.one("span", class_="about").text == "ledger · how to · Python · tuning"
    assert question.rows() == [
        ["Right answer", "Grade", "lexical"],
        ["src/a.py", "2", "2"],
        ["src/gone.py", "1", NOTHING],
    ]
    assert "first right answer at 2, 4.0 CPU ms" in question.text
    assert (wrong.attributes, right.attributes) == ({}, {"class": "is-right"})
    assert wrong.one("span", class_="place").text == "src/b.py:3-9"
    assert wrong.one("span", class_="points").text == "2.500"
    assert wrong.one("pre").text == "2.5000  sum of\n  2.5000  retry"
    assert "✓ right" in right.text


def test_a_symbol_is_named_beside_its_place() -> None:
    name = "src/a.py::Client.retry"
    shown = (Shown(name, "src/a.py:1-4", 1.0, ()), Shown("", "src/a.py:9-9", 0.5, ()))
    run = run_of(
        Path("one"), [outcome(relevant={name: 1}, ranking=(name,), shown=shown)], level="symbol"
    )
    (question,) = folded(run)
    first, second = question.all("span", class_="what")

    assert first.text == f"{name}src/a.py:1-4"
    assert second.text == "src/a.py:9-9"


def test_targets_are_scored_by_the_places_where_they_are_met() -> None:
    shown = (
        Shown("x.py:1-5", "x.py:1-5", 3.0, ()),
        Shown("a.py:10-20", "src/a.py:15-18", 2.0, ()),
        Shown("src/a.py:19-30", "src/a.py:19-30", 1.0, ()),
    )
    run = run_of(
        Path("one"),
        [
            outcome(
                relevant={"a.py:10-20": 1, "src/a.py": 1},
                ranking=("x.py:1-5", "a.py:10-20", "src/a.py:19-30"),
                ranks={"a.py:10-20": 2, "src/a.py": 2},
                shown=shown,
            )
        ],
        level="target",
    )
    (question,) = folded(run)

    assert question.one("span", class_="scores").text == "0.774"
    assert question.rows()[1:] == [["a.py:10-20", "2"], ["src/a.py", "2"]]
    assert [each.attributes.get("class") for each in question.all("li")] == [
        *(None, "is-right", "is-right"),
    ]


def test_a_question_without_results_says_so() -> None:
    (question,) = folded(run_of(Path("one"), [outcome(ranking=(), shown=())]))

    assert "none found" in question.text
    assert "No results." in question.text


def test_a_long_query_is_cut_and_says_how_much() -> None:
    (question,) = folded(run_of(Path("one"), [outcome(text="x" * 5_000)]))

    assert question.one("span", class_="query").text == "x" * 3_000 + "… (2,000 more characters)"


def test_controls_are_hidden_until_a_script_runs() -> None:
    page = read(as_page([run_of(Path("one"), [outcome()])]))

    assert "hidden" in page.one(id="controls").attributes


@pytest.mark.slow
def test_only_the_two_thousand_worst_are_on_the_page() -> None:
    found = [outcome(question=f"q{at}", shown=(), ranking=("src/a.py",)) for at in range(2_001)]
    worst = outcome(question="worst", shown=(), ranking=())
    page = as_page([run_of(Path("one"), [*found, worst])])

    ids = re.findall('<code class="id">(.*?)</code>', page)
    assert (len(ids), ids[0]) == (2_000, "worst")
    assert "The 2,000 worst of 2,002 questions" in page


@pytest.mark.parametrize("letter", ["x", "é", "<"])
def test_a_page_stays_below_fifteen_megabytes(letter: str) -> None:
    long = Shown("src/b.py", "src/b.py:1-2", 1.0, (letter * 500_000,))
    run = run_of(Path("one"), [outcome(question=f"q{at}", shown=(long,)) for at in range(40)])
    page = as_page([run])

    assert 10_000_000 < len(page.encode()) < 15_000_000
    assert 0 < page.count("<details data-at=") < 40
