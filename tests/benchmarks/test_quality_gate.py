"""The quality gate: a ranking bug is caught, noise is let through."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.quality.gate import (
    BASELINE,
    MODES,
    SETS,
    TOLERANCE,
    Set,
    candidate,
    read_baseline,
)
from plait.evaluation.compare import compare
from plait.evaluation.gate import Verdict, gate
from plait.evaluation.runs import Outcome, Run
from plait.lanes import tokens

SMALL = Set("csn99-go", "test")  # 800 functions: seconds, not minutes


def held_against_baseline(found: Run, name: str) -> Verdict:
    whole = read_baseline()
    own = [outcome for outcome in whole.outcomes if outcome.part.startswith(name)]
    return gate(compare(Run(whole.folder, found.config, own), found), tolerance=TOLERANCE)


def changed(run: Run, change: Callable[[Outcome], tuple[str, ...]]) -> Run:
    outcomes = [outcome._replace(ranking=change(outcome)) for outcome in run.outcomes]
    return Run(run.folder, run.config, outcomes)


@pytest.mark.slow
def test_this_checkout_passes(shared: Path) -> None:
    verdict = held_against_baseline(candidate(shared / "data", [SMALL]), "csn99-go/test")

    assert verdict.passed, verdict.reasons


@pytest.mark.slow
def test_a_planted_ranking_bug_fails(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_terms = tokens.Analyser.question_terms

    def only_the_first_word(self: tokens.Analyser, text: str) -> list[tuple[str, str]]:
        return all_terms(self, text)[:1]

    monkeypatch.setattr(tokens.Analyser, "question_terms", only_the_first_word)
    verdict = held_against_baseline(candidate(shared / "data", [SMALL]), "csn99-go/test")

    assert not verdict.passed
    assert "csn99-go/test, lexical is worse" in " ".join(verdict.reasons)


def test_noise_passes() -> None:
    baseline = read_baseline()
    generator = random.Random(7)

    def far_down(outcome: Outcome) -> tuple[str, ...]:
        """Two results below the first relevant ones change places, in one question of ten."""
        order = list(outcome.ranking)
        if len(order) > 9 and generator.random() < 0.1:
            order[8], order[9] = order[9], order[8]
        return tuple(order)

    verdict = gate(compare(baseline, changed(baseline, far_down)), tolerance=TOLERANCE)

    assert verdict.passed, verdict.reasons


def test_one_bad_set_among_good_ones_fails() -> None:
    baseline = read_baseline()

    def worse_in_ruby(outcome: Outcome) -> tuple[str, ...]:
        return outcome.ranking[1:] if outcome.part.startswith("csn-ruby") else outcome.ranking

    verdict = gate(compare(baseline, changed(baseline, worse_in_ruby)), tolerance=TOLERANCE)

    assert not verdict.passed
    assert any("csn-ruby" in reason for reason in verdict.reasons)


def test_the_baseline_covers_every_set_the_gate_asks() -> None:
    outcomes = read_baseline().outcomes
    parts = {outcome.part for outcome in outcomes}

    assert BASELINE.stat().st_size < 500_000
    assert len(parts) == len(SETS) * len(MODES)
    assert not any(outcome.text for outcome in outcomes)  # the data belongs to others
