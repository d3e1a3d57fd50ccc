"""The parts of a result add up to its score, by Python and by the command alike."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tools.fuzz.drawn import MODES, PER_FILE, Asked, questions
from tools.fuzz.sums import FIXTURES, Row, Tally, check, compare

ASKED = Asked("retry", "hybrid", 1, 10)


@pytest.mark.slow
@pytest.mark.parametrize("count", [250, pytest.param(2_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("tree", FIXTURES, ids=lambda tree: tree.name)
def test_parts_of_random_results_add_up_and_both_ways_agree(tree: Path, count: int) -> None:
    tally = Tally()

    check(tree, count, 1, tally)

    assert tally.faults == []
    assert tally.summed >= count


def told(*rows: Row) -> Tally:
    tally = Tally()
    compare(ASKED, rows, tally)
    return tally


def test_a_difference_beyond_what_is_allowed_is_a_fault() -> None:
    assert told(Row(1, 1, 2, 3.0, 3.0, (1.0, 2.0 + 1e-8))).faults != []
    assert told(Row(1, 1, 2, 3.0, 3.0, (1.0, 2.0 + 1e-10))).faults == []


def test_a_score_that_rises_is_a_fault() -> None:
    low, high = Row(1, 1, 2, 1.0, 1.0, (1.0,)), Row(2, 1, 2, 2.0, 2.0, (2.0,))

    assert told(high, low).faults == []
    assert told(low, high).faults != []


def test_a_reason_without_parts_has_to_be_of_this_score() -> None:
    assert told(Row(1, 1, 2, 0.5, 0.5, ())).faults == []
    assert told(Row(1, 1, 2, 0.5, 0.4, ())).faults != []


def test_questions_are_the_same_for_a_seed_and_of_every_mode() -> None:
    drawn = list(islice(questions(FIXTURES[0], 7), 200))

    assert drawn == list(islice(questions(FIXTURES[0], 7), 200))
    assert {one.mode for one in drawn} == set(MODES)
    assert {one.per_file for one in drawn} == set(PER_FILE)
