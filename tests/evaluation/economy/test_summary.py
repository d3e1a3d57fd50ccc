"""The summary: figures by hand over a few invented rows."""

from __future__ import annotations

import pytest

from plait.errors import EvaluationError
from plait.evaluation.economy.economy import Row
from plait.evaluation.economy.replay import Trail
from plait.evaluation.economy.summary import DEARER, MISSED, as_object, lost, summary


def trail(tokens: int, *, found: bool = True, sight: int | None = None, calls: int = 4) -> Trail:
    return Trail(tokens, found, 1, calls, sight)


def row(page: int, baseline: Trail, *, rank: int | None = 1, category: str = "") -> Row:
    first = 100 if rank else page
    thrifty, naive = trail(300, found=baseline.is_found), trail(9_000)
    return Row("t", category, f"q{page}", "pour tea", first, page, rank, baseline, thrifty, naive)


ROWS = [
    row(1_000, trail(2_000, sight=500), category="name"),
    row(1_100, trail(900)),  # found for less
    row(1_200, trail(4_000), rank=None),  # missed, ripgrep did not
    row(1_300, trail(5_000, found=False, calls=12)),
    row(1_400, trail(1_400), category="name"),
]


@pytest.mark.parametrize(
    ("page", "baseline", "rank", "reason"),
    [
        pytest.param(1_000, trail(999), 1, DEARER, id="dearer"),
        pytest.param(1_000, trail(1_000), 1, "", id="a-tie-is-no-loss"),
        pytest.param(1_000, trail(999, found=False), 1, "", id="ripgrep-found-nothing"),
        pytest.param(1_000, trail(9_999), None, MISSED, id="missed-is-lost-at-any-price"),
        pytest.param(1_000, trail(10, found=False), None, "", id="nobody-found-it"),
    ],
)
def test_what_is_lost(page: int, baseline: Trail, rank: int | None, reason: str) -> None:
    assert lost(row(page, baseline, rank=rank)) == reason


def test_figures_are_over_all_questions_and_misses_cost_what_was_paid() -> None:
    made = summary(ROWS)

    assert made["questions"] == 5
    assert (made["found"], made["baseline_found"], made["naive_found"]) == (0.8, 0.8, 1.0)
    assert (made["median_tokens"], made["mean_tokens"]) == (1_200, 1_200.0)
    assert made["median_first_hit_tokens"] == 100
    assert (made["baseline_median_tokens"], made["baseline_mean_tokens"]) == (2_000, 2_660.0)
    assert made["baseline_median_sight_tokens"] == 1_400
    assert made["baseline_mean_calls"] == 5.6
    assert (made["thrifty_median_tokens"], made["naive_median_tokens"]) == (300, 9_000)


def test_a_second_pair_of_medians_is_over_what_both_found() -> None:
    both = {"questions": 3, "median_tokens": 1_100, "baseline_median_tokens": 1_400}

    assert summary(ROWS)["both_found"] == both
    assert summary([ROWS[2]])["both_found"] == {
        "questions": 0,
        "median_tokens": None,
        "baseline_median_tokens": None,
    }


def test_wins_need_an_answer_and_losses_are_listed() -> None:
    made = summary(ROWS)

    assert made["cheaper_and_found"] == 0.4  # of 1,000 and of 1,300; 1,400 is a tie
    assert [(loss["question"], loss["reason"]) for loss in made["losses"]] == [
        ("q1100", DEARER),
        ("q1200", MISSED),
    ]
    assert (made["lost"], made["lost_to_thrifty"]) == (2, 4)


def test_categories_are_summed_up_too() -> None:
    made = summary(ROWS)["by_category"]

    assert list(made) == ["name"]
    assert (made["name"]["questions"], made["name"]["median_tokens"]) == (2, 1_200)


def test_a_row_says_what_each_way_paid_and_found() -> None:
    made = as_object(ROWS[0])

    assert (made["question"], made["tokens"], made["page_tokens"], made["rank"]) == (
        "q1000",
        100,
        1_000,
        1,
    )
    assert (made["baseline_tokens"], made["baseline_is_found"], made["baseline_reads"]) == (
        2_000,
        True,
        1,
    )
    assert (made["thrifty_tokens"], made["naive_tokens"]) == (300, 9_000)


def test_nothing_asked_is_nothing_to_compare() -> None:
    with pytest.raises(EvaluationError, match="no question was asked"):
        summary([])
