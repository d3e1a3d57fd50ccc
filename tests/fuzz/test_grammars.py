"""No input, however odd, ends the process that indexes or loses a line of a file."""

from __future__ import annotations

import os

import pytest

from plait.symbols.grammars import GRAMMARS
from tools.fuzz.grammars import fuzz, replay
from tools.fuzz.inputs import KINDS, Inputs

SEED = int(os.environ.get("PLAIT_FUZZ_SEED", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("language", sorted(GRAMMARS))
def test_odd_files_come_back_whole(language: str, count: int) -> None:
    tally = fuzz(language, count, seed=SEED, largest=2_000)

    assert tally.faults == []
    assert tally.inputs == count
    assert tally.sound + tally.with_errors + tally.too_deep + tally.lost == count


def test_an_input_can_be_made_again_from_its_number() -> None:
    once, again, other = Inputs("go", 1), Inputs("go", 1), Inputs("go", 2)

    assert [once.make(n) for n in range(50)] == [again.make(n) for n in range(50)]
    assert [once.make(n) for n in range(50)] != [other.make(n) for n in range(50)]


def test_inputs_are_text_of_every_kind_and_mostly_small() -> None:
    made = [Inputs("python", 1).make(n) for n in range(400)]

    assert {kind for kind, _ in made} == set(KINDS)
    assert all(content.decode() is not None for _, content in made)
    assert sorted(len(content) for _, content in made)[300] < 2_500


def test_a_replay_tells_a_sound_file_from_a_crash() -> None:
    assert replay("python", b"x = 1\n") == "sound"
    assert replay("python", b"x", code="import os; os.kill(os.getpid(), 11)") == "SIGSEGV"
    assert "KeyError" in replay("python", b"x", code="raise KeyError(1)")
