"""Budgets: what has been shown when so many tokens are spent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.evaluation.economy.budgets import (
    BUDGETS,
    ShownLine,
    budgeted,
    called,
    packed,
)
from plait.evaluation.economy.economy import Row
from plait.evaluation.economy.replay import READS, Call, Trail, ranged_calls, thrifty_calls
from plait.evaluation.economy.right import NO_LINES, IsRight
from plait.evaluation.economy.ripgrep import Ripgrep
from plait.evaluation.economy.summary import as_object, summary
from plait.evaluation.economy.tokens import count
from plait.types import Answer, Query, Span, Text
from tests.sources.repositories import tree

TRAIL = Trail(1, True, 1, 1, None)


def of(path: str, line: int = 0) -> IsRight:
    """Right is any line of a file, or one; without a line its name will do."""
    return lambda shown, span: shown == path and (not line or span.first == line)


def words(number: int) -> str:
    """A line that costs so many tokens, its end included."""
    text = " tea" * (number - 1)
    assert count(f"{text}\n") == number
    return text


def test_a_line_counts_once_the_tokens_up_to_its_end_are_within_the_budget() -> None:
    lines = [ShownLine(words(290), "a.py", 1), ShownLine(words(210), "b.py", 1)]

    assert budgeted(10, lines, [of("a.py"), of("b.py")]).recalls == (0.5, 0.5, 1.0, 1.0, 1.0)
    assert budgeted(0, lines, [of("a.py"), of("b.py")]).recalls == (0.5, 1.0, 1.0, 1.0, 1.0)
    assert budgeted(11, lines, [of("a.py")]).recalls == (0.0, 1.0, 1.0, 1.0, 1.0)


def test_a_name_is_no_line_and_is_counted_apart() -> None:
    lines = [ShownLine("a.py", "a.py"), ShownLine(words(400), "a.py", 7)]
    shown = budgeted(0, lines, [of("a.py")])

    assert shown.recalls == (0.0, 1.0, 1.0, 1.0, 1.0)
    assert shown.named == (1.0,) * len(BUDGETS)


def test_the_right_lines_of_a_file_are_wanted_where_lines_are() -> None:
    lines = [ShownLine("x", "a.py", 1), ShownLine("y", "a.py", 2)]

    assert budgeted(0, lines, [of("a.py", 2)]).recalls[0] == 1.0
    assert budgeted(0, lines, [of("a.py", 3)]).recalls[-1] == 0.0


def test_a_question_without_answers_scores_nothing() -> None:
    assert budgeted(0, [ShownLine("x", "a.py", 1)], []).recalls == (0.0,) * len(BUDGETS)


def test_calls_are_what_is_put_in_and_each_line_that_comes_out() -> None:
    calls = [
        Call("tea cup", "tea 2\ncup 1", ()),
        Call("tea", "a.py:3:tea\nb.py:4:tea", (("a.py", Span(3, 3)), ("b.py", Span(4, 4)))),
        Call("tea", "a.py", (("a.py", NO_LINES),)),
        Call("a.py:3-4", "3 tea\n4 x", (("a.py", Span(3, 4)),)),
    ]

    assert [tuple(line) for line in called(calls)] == [
        ("tea cup", "", 0),
        ("tea 2", "", 0),
        ("cup 1", "", 0),
        ("tea", "", 0),
        ("a.py:3:tea", "a.py", 3),
        ("b.py:4:tea", "b.py", 4),
        ("tea", "", 0),
        ("a.py", "a.py", 0),
        ("a.py:3-4", "", 0),
        ("3 tea", "a.py", 3),
        ("4 x", "a.py", 4),
    ]


@pytest.mark.usefixtures("_ripgrep")
def test_calls_go_on_whatever_they_show(tmp_path: Path) -> None:
    files = {f"{number:02}.py": "tea = 1\n" for number in range(READS + 5)}
    rg = Ripgrep(tree(tmp_path, files))

    assert len(ranged_calls("tea", rg)) == 2 + READS  # count, look, and reads
    assert len(thrifty_calls("tea", rg)) == 2 + READS  # count, list, and reads


def test_each_budget_has_a_pack_of_its_own_and_the_question_is_paid_from_it() -> None:
    question = "tea cup"
    answer = Answer(Query(question, Text(question)), 1, ())
    rooms: list[int] = []

    def pack(_: Answer, tokens: int) -> Iterator[ShownLine]:
        rooms.append(tokens)
        yield ShownLine(words(tokens), "a.py" if tokens > 900 else "b.py", 1)

    shown = packed(question, lambda _: answer, pack, [of("a.py")])

    assert rooms == [budget - count(question) for budget in BUDGETS]
    assert shown.recalls == (0.0, 0.0, 1.0, 1.0, 1.0)
    assert shown.tokens == BUDGETS


def test_the_summary_has_means_and_how_many_packs_cost_too_much() -> None:
    lines = [ShownLine("x", "a.py", 1)]
    page, answer = budgeted(0, lines, [of("a.py")]), Answer(Query("q", Text("q")), 1, ())
    fit = packed("q", lambda _: answer, lambda *_: lines, [of("a.py")])
    over = packed("q", lambda _: answer, lambda *_: [ShownLine(words(450))], [of("a.py")])
    rows = [
        Row("t", "", "q", "q", 1, 1, 1, TRAIL, TRAIL, TRAIL, {"packed": pack, "page": page})
        for pack in (fit, over)
    ]
    made = summary(rows)["at_budgets"]

    assert made["packed"]["recall"] == made["packed"]["found"] == [0.5] * 5
    assert made["packed"]["over"] == [0.5, 0, 0, 0, 0]
    assert made["page"]["recall"] == [1.0] * 5
    assert as_object(rows[0])["page_at_budgets"]["recalls"] == [1.0] * 5
