"""Statistics: by hand where that can be done, by planted differences where it cannot."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import EvaluationError
from plait.evaluation.statistics import RESAMPLES, holm, kendall_tau, paired, tau_interval


def noise(seed: int, count: int, shift: float = 0.0) -> list[float]:
    """Differences as measures have them: half of them 0, the others up or down."""
    rng = random.Random(seed)
    return [rng.gauss(shift, 0.3) if rng.random() < 0.5 else 0.0 for _ in range(count)]


# ---------------------------------------------------------------- paired differences


def test_few_differences_are_tested_exactly() -> None:
    # Of the eight ways to sign 1, 2 and 3, only +++ and --- reach a sum of 6.
    assert paired([1, 2, 3]).p == 2 / 8
    # +1 and -2 sum to -1: all of ++, +-, -+ and -- are as far from 0 or farther.
    assert paired([1, -2]).p == 1.0
    # Sums of at least 4: ++++, +++- of the smallest, and their opposites.
    assert paired([1, 1, 1, 3]).p == 2 / 16
    assert paired([-1, 1, 1, 3]).p == 8 / 16


def test_equal_differences_are_equally_extreme_in_any_order() -> None:
    assert paired([0.1, 0.2, 0.3, -0.6, 0.7]).p == paired([0.7, -0.6, 0.3, 0.2, 0.1]).p
    # No sum is nearer to 0 than 0.2, but in floating point it depends on who adds.
    assert paired([0.1, 0.3, -0.6]).p == 1.0


def test_zeros_do_not_change_the_p_value() -> None:
    assert paired([1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).p == 2 / 8


def test_many_differences_are_tested_nearly_as_exactly() -> None:
    few, more = noise(5, 24)[:24], [0.31, -0.2, 0.15] * 5
    tossed = paired(more).p
    exact = _exact(more)

    assert tossed == pytest.approx(exact, abs=0.02)
    assert paired(few).p == pytest.approx(_exact([d for d in few if d]), abs=0.02)


def _exact(differences: list[float]) -> float:
    """Every combination of signs, by adding one difference after the other."""
    sums = [0.0]
    for difference in differences:
        sums = [total + way for total in sums for way in (difference, -difference)]
    least = abs(sum(differences)) - 1e-9
    return sum(1 for total in sums if abs(total) >= least) / len(sums)


def test_no_difference_is_no_evidence() -> None:
    found = paired([0.0] * 30)

    assert (found.mean, found.low, found.high, found.p) == (0, 0, 0, 1)
    assert (found.wins, found.losses, found.ties, found.n) == (0, 0, 30, 30)


def test_rounding_is_no_difference() -> None:
    assert paired([0.3 - 0.1 * 3, 1e-16]).ties == 2


def test_wins_losses_and_ties_are_counted() -> None:
    found = paired([0.5, -0.1, 0, 0.2])

    assert (found.wins, found.losses, found.ties, found.n) == (2, 1, 1, 4)
    assert found.mean == pytest.approx(0.15)


def test_a_p_value_is_never_zero() -> None:
    assert paired([1.0] * 100).p == 1 / 10_001


def test_the_interval_is_that_of_the_bootstrap() -> None:
    # The mean of n differences of 0 or 1 is binomial: 95 % of it lies between 0.4 and 0.6.
    found = paired([0.0, 1.0] * 50)

    assert [found.low, found.high] == pytest.approx([0.4, 0.6], abs=0.011)


def test_a_planted_difference_is_found() -> None:
    found = paired(noise(1, 400, shift=0.1))

    assert found.p < 0.01
    assert 0 < found.low < found.mean < found.high
    assert paired([-value for value in noise(1, 400, shift=0.1)]).high < 0


@pytest.mark.slow
def test_noise_is_called_a_difference_as_often_as_alpha_says() -> None:
    repetitions, alpha = 300, 0.05
    found = [paired(noise(seed, 60)) for seed in range(repetitions)]
    false_alarms = sum(1 for each in found if each.p < alpha) / repetitions
    missed = sum(1 for each in found if not each.low <= 0 <= each.high) / repetitions

    assert 0.02 <= false_alarms <= 0.085  # 0.05 within 2.5 standard errors of 0.0126
    assert 0.02 <= missed <= 0.1


def test_the_same_differences_and_seed_give_the_same_answer() -> None:
    differences = noise(3, 200, shift=0.02)

    assert paired(differences) == paired(differences)
    assert paired(differences, seed=1).p != paired(differences, seed=2).p


def test_a_batch_need_not_divide_the_number_of_drawings() -> None:
    assert RESAMPLES % (250_000 // 777) != 0
    assert paired(noise(2, 777)).n == 777


def test_nothing_cannot_be_tested() -> None:
    with pytest.raises(EvaluationError, match="no differences"):
        paired([])


def test_a_missing_package_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    with pytest.raises(EvaluationError, match="numpy is not installed") as caught:
        paired([1.0])
    assert caught.value.hint == 'pip install "plait[eval]"'


# ---------------------------------------------------------------- Holm


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1)))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(pvalues: list[float]) -> None:
    corrected = holm(pvalues)

    assert all(before <= after <= 1 for before, after in zip(pvalues, corrected, strict=True))
    ordered = [after for _, after in sorted(zip(pvalues, corrected, strict=True))]
    assert ordered == sorted(ordered)


# ---------------------------------------------------------------- Kendall


@pytest.mark.parametrize(
    ("a", "b", "tau"),
    [
        pytest.param("1234", "1234", 1.0, id="same"),
        pytest.param("1234", "4321", -1.0, id="reversed"),
        pytest.param("1234", "1243", 4 / 6, id="one-pair-swapped"),
        pytest.param("1123", "1234", 5 / (5 * 6) ** 0.5, id="a-tie"),
        pytest.param("1111", "1234", 0.0, id="no-order"),
    ],
)
def test_tau_by_hand(a: str, b: str, tau: float) -> None:
    assert kendall_tau([*map(float, a)], [*map(float, b)]) == pytest.approx(tau)


@pytest.mark.parametrize(("a", "b"), [([1.0], [1.0]), ([1.0, 2.0], [1.0])])
def test_tau_needs_two_items_in_both(a: list[float], b: list[float]) -> None:
    with pytest.raises(EvaluationError, match="two or more items"):
        kendall_tau(a, b)


def systems(seed: int, qualities: list[float], questions: int) -> list[list[float]]:
    """A row for each system, whose scores scatter about its quality."""
    rng = random.Random(seed)
    return [[rng.gauss(quality, 0.3) for _ in range(questions)] for quality in qualities]


def test_questions_that_tell_systems_apart_agree_and_are_sure_of_it() -> None:
    ladder = [0.1, 0.3, 0.5, 0.7]
    tau, low, high = tau_interval(systems(1, ladder, 200), systems(2, ladder, 90))

    assert (tau, low, high) == (1.0, 1.0, 1.0)


def test_questions_that_cannot_tell_systems_apart_are_not_sure_of_anything() -> None:
    flat = [0.5, 0.5, 0.5, 0.5]
    tau, low, high = tau_interval(systems(1, flat, 20), systems(2, flat, 20))

    assert low <= tau <= high
    assert high - low > 0.8
    assert (tau, low, high) == tau_interval(systems(1, flat, 20), systems(2, flat, 20))


def test_a_table_with_holes_is_refused() -> None:
    with pytest.raises(EvaluationError, match="one score for every system and question"):
        tau_interval([[1.0, 2.0], [1.0]], [[1.0], [2.0]])
    with pytest.raises(EvaluationError, match="one score for every system and question"):
        tau_interval([], [])
