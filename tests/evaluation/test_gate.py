"""The gate: planted losses are caught wherever they are, and noise is let through."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from plait.errors import SettingError
from plait.evaluation.compare import compare
from plait.evaluation.gate import Verdict, gate
from plait.evaluation.runs import Outcome, Run
from plait.interfaces.cli.evaluation.gate import gate as gate_verb

PARTS, QUESTIONS, DEPTH = 12, 25, 40
CONFIG = {"format": 1, "dataset": {"name": "planted", "digest": "1", "level": "file"}}

Ranking = list[str]
Change = Callable[[str, Ranking, random.Random], Ranking]


def run(name: str, change: Change = lambda part, ranking, rng: ranking, seed: int = 0) -> Run:
    """Twelve parts of 25 questions, answered at places near the top, then changed."""
    base, rng = random.Random(7), random.Random(seed)
    outcomes = []
    for number in range(PARTS):
        part = f"repo{number:02}"
        for question in range(QUESTIONS):
            ranking = [f"x{place}" for place in range(DEPTH)]
            ranking.insert(min(int(base.expovariate(0.4)), DEPTH), "r")
            name_of = f"{part}-{question}"
            made = Outcome("lexical", part, "go", "", "", name_of, "", {}, (), {}, (), 1.0, 1.0)
            changed = change(part, ranking, rng)
            outcomes.append(made._replace(relevant={"r": 1}, ranking=tuple(changed)))
    return Run(Path(name), CONFIG, outcomes)


def verdict(candidate: Run, **options: float) -> Verdict:
    return gate(compare(run("baseline"), candidate), **options)


def lowered(ranking: Ranking, places: int) -> Ranking:
    """The right answer some places further down."""
    at = ranking.index("r")
    rest = [name for name in ranking if name != "r"]
    return [*rest[: at + places], "r", *rest[at + places :]]


def test_the_same_run_passes() -> None:
    assert verdict(run("same")) == Verdict(True, ())


def test_a_better_run_passes() -> None:
    better = run("better", lambda part, ranking, rng: sorted(ranking))  # r comes before x

    assert verdict(better).passed


def test_a_planted_regression_fails_and_is_put_in_words() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        return lowered(ranking, 1) if rng.random() < 0.1 else ranking

    found = verdict(run("worse", change))

    assert not found.passed
    assert found.reasons[0].startswith("the mean over parts is worse: nDCG@10 falls by 0.0")
    assert found.reasons[0].endswith("; 0.002 is tolerated")


def test_one_bad_repository_among_many_good_ones_fails_by_name() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        return lowered(ranking, 2) if part == "repo03" else sorted(ranking)

    comparison = compare(run("baseline"), run("mixed", change))
    found = gate(comparison)

    assert comparison.macro.paired.mean > 0.1
    assert not found.passed
    assert len(found.reasons) == 1
    assert found.reasons[0].startswith("part repo03 is worse: nDCG@10 falls by 0.")
    assert "over 25 questions, p = 0.00" in found.reasons[0]


def test_noise_far_down_passes() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        at = rng.randrange(7, 20)
        return [*ranking[:at], ranking[at + 1], ranking[at], *ranking[at + 2 :]]

    for seed in range(3):
        comparison = compare(run("baseline"), run("noise", change, seed))
        assert comparison.overall["questions"].paired.ties < PARTS * QUESTIONS
        assert gate(comparison).passed


def test_as_many_wins_as_losses_pass() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        first, second = ranking[:2]
        return [second, first, *ranking[2:]] if rng.random() < 0.05 else ranking

    comparison = compare(run("baseline"), run("swapped", change, seed=4))

    assert comparison.overall["questions"].paired.losses > 0
    assert comparison.overall["questions"].paired.wins > 0
    assert gate(comparison, tolerance=0.01).passed


def test_the_tolerance_is_the_last_fall_that_passes() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        return lowered(ranking, 1) if rng.random() < 0.02 else ranking

    comparison = compare(run("baseline"), run("worse", change))
    fall = -comparison.macro.paired.mean

    assert fall > 0
    assert gate(comparison, tolerance=fall).passed
    assert not gate(comparison, tolerance=fall - 1e-6).passed


def test_alpha_decides_when_a_part_is_worse() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        return lowered(ranking, 1) if part == "repo05" and rng.random() < 0.5 else ranking

    comparison = compare(run("baseline"), run("worse", change))
    p = next(row.p_holm for row in comparison.parts if row.name == "repo05")

    assert 0 < p < 1
    assert gate(comparison, tolerance=1, alpha=p).passed
    assert not gate(comparison, tolerance=1, alpha=p + 1e-6).passed


def test_a_candidate_that_was_not_asked_everything_fails() -> None:
    whole = run("baseline")
    found = verdict(Run(Path("cut"), CONFIG, whole.outcomes[:-3]))

    assert found == Verdict(False, ("3 questions of the baseline were not asked",))


def test_the_verdict_is_the_same_every_time() -> None:
    def change(part: str, ranking: Ranking, rng: random.Random) -> Ranking:
        return lowered(ranking, 1) if rng.random() < 0.3 else ranking

    candidate = run("worse", change)

    assert verdict(candidate) == verdict(candidate)


# ---------------------------------------------------------------- the command


def saved(made: Run, base: Path) -> str:
    folder = base / made.name
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(made.config), encoding="utf-8")
    lines = "".join(f"{outcome.to_json()}\n" for outcome in made.outcomes)
    (folder / "outcomes.jsonl").write_text(lines, encoding="utf-8")
    return str(folder)


def called(*arguments: str) -> Any:
    app = typer.Typer()
    app.command()(gate_verb)
    return CliRunner().invoke(app, list(arguments))


def test_the_exit_status_says_the_verdict(tmp_path: Path) -> None:
    baseline = saved(run("baseline"), tmp_path)
    better = saved(run("better", lambda part, ranking, rng: sorted(ranking)), tmp_path)
    forward, backward = called(better, baseline), called(baseline, better)

    assert forward.exit_code == 0
    assert forward.output.startswith("passed: mean nDCG@10 over parts +0.")
    assert backward.exit_code == 1
    assert backward.output.startswith("failed: the mean over parts is worse: nDCG@10 falls by 0.")
    assert called(baseline, better, "--tolerance", "1", "--alpha", "1e-9").exit_code == 0


@pytest.mark.parametrize("option", [("--tolerance", "-1"), ("--alpha", "0"), ("--alpha", "nan")])
def test_impossible_limits_are_refused(option: tuple[str, str]) -> None:
    assert isinstance(called("a", "b", *option).exception, SettingError)
