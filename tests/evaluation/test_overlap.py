"""How much of a question stands literally in its answer, computed by hand."""

from __future__ import annotations

import time

import pytest

from plait.evaluation.overlap import overlap


def test_an_answer_that_holds_the_question_overlaps_in_full() -> None:
    found = overlap([("sort the list", 'def f():\n    """Sort the list."""')])

    assert found == {"1": 1.0, "2": 1.0, "3": 1.0}


def test_nothing_in_common_is_nothing() -> None:
    assert overlap([("sort the list", "x = 1")]) == {"1": 0.0, "2": 0.0, "3": 0.0}


def test_the_order_of_words_counts_only_in_longer_grams() -> None:
    # alpha beta gamma delta: pairs ab, bc, cd; triples abc, bcd
    found = overlap([("alpha beta gamma delta", "gamma delta alpha beta")])

    assert found == {"1": 1.0, "2": pytest.approx(2 / 3), "3": 0.0}


def test_words_are_the_terms_plait_indexes() -> None:
    assert overlap([("Parsing Users", "parse_user(x)")])["1"] == 1.0


def test_a_repeated_gram_counts_once() -> None:
    # alpha, beta; alpha-alpha, alpha-beta; alpha-alpha-beta
    found = overlap([("alpha alpha beta", "alpha")])

    assert found == {"1": 0.5, "2": 0.0, "3": 0.0}


def test_the_average_is_over_questions_not_over_grams() -> None:
    found = overlap([("alpha", "alpha"), ("beta gamma delta", "beta")])

    assert found["1"] == pytest.approx((1 + 1 / 3) / 2)


def test_a_question_too_short_for_a_length_is_left_out_of_it() -> None:
    found = overlap([("alpha", "alpha"), ("beta gamma", "beta gamma")])

    assert found == {"1": 1.0, "2": 1.0, "3": 0.0}


def test_a_word_that_begins_or_ends_another_is_not_in_it() -> None:
    assert overlap([("art", "start article")])["1"] == 0.0


def test_without_questions_the_share_is_nothing() -> None:
    assert overlap([]) == {"1": 0.0, "2": 0.0, "3": 0.0}
    assert overlap([("", "alpha"), ("alpha", "alpha"), ("?!", "alpha")])["1"] == 1.0


@pytest.mark.slow
def test_ten_thousand_pairs_take_less_than_five_seconds() -> None:
    words = [f"word{number} otherName{number % 97} return" for number in range(500)]
    pairs = [
        (" ".join(words[at % 490 : at % 490 + 5]), " ".join(words[at % 450 : at % 450 + 40]))
        for at in range(10_000)
    ]
    before = time.process_time()

    overlap(pairs)

    assert time.process_time() - before < 5
