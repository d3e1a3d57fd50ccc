"""The quality gate: a ranking bug is caught, noise is let through."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.quality import baseline
from benchmarks.quality.gate import MODES, candidate, judged
from benchmarks.quality.packages import HALVES, cases, load_packages
from benchmarks.quality.sets import AGENT63, FUNCTIONS, PACKAGES, SETS, Group, Places, Set
from plait.errors import EvaluationError
from plait.evaluation.compare import compare
from plait.evaluation.gate import Verdict, gate
from plait.evaluation.runs import Outcome, Run
from plait.lanes import tokens
from tools.corpora import catalog
from tools.corpora.fetch import FETCHED

SMALL = Set("csn99-go", "test")  # 800 functions: seconds, not minutes


def read_baseline(group: Group = FUNCTIONS) -> Run:
    return baseline.read_baseline(group.baseline)


def held_against_baseline(found: Run, name: str) -> Verdict:
    whole = read_baseline()
    own = [outcome for outcome in whole.outcomes if outcome.part.startswith(name)]
    return gate(compare(Run(whole.folder, found.config, own), found), tolerance=FUNCTIONS.tolerance)


def changed(run: Run, change: Callable[[Outcome], tuple[str, ...]]) -> Run:
    outcomes = [outcome._replace(ranking=change(outcome)) for outcome in run.outcomes]
    return Run(run.folder, run.config, outcomes)


@pytest.mark.slow
def test_this_checkout_passes(shared: Path) -> None:
    verdict = held_against_baseline(candidate([SMALL.load(shared / "data")]), "csn99-go/test")

    assert verdict.passed, verdict.reasons


@pytest.mark.slow
def test_a_planted_ranking_bug_fails(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_terms = tokens.Analyser.question_terms

    def only_the_first_word(self: tokens.Analyser, text: str) -> list[tuple[str, str]]:
        return all_terms(self, text)[:1]

    monkeypatch.setattr(tokens.Analyser, "question_terms", only_the_first_word)
    verdict = held_against_baseline(candidate([SMALL.load(shared / "data")]), "csn99-go/test")

    assert not verdict.passed
    assert "csn99-go/test, lexical is worse" in " ".join(verdict.reasons)


def test_noise_passes() -> None:
    before = read_baseline()
    generator = random.Random(7)

    def far_down(outcome: Outcome) -> tuple[str, ...]:
        """Two results below the first relevant ones change places, in one question of ten."""
        order = list(outcome.ranking)
        if len(order) > 9 and generator.random() < 0.1:
            order[8], order[9] = order[9], order[8]
        return tuple(order)

    verdict = gate(compare(before, changed(before, far_down)), tolerance=FUNCTIONS.tolerance)

    assert verdict.passed, verdict.reasons


def test_one_bad_set_among_good_ones_fails() -> None:
    before = read_baseline()

    def worse_in_ruby(outcome: Outcome) -> tuple[str, ...]:
        return outcome.ranking[1:] if outcome.part.startswith("csn-ruby") else outcome.ranking

    verdict = gate(compare(before, changed(before, worse_in_ruby)), tolerance=FUNCTIONS.tolerance)

    assert not verdict.passed
    assert any("csn-ruby" in reason for reason in verdict.reasons)


def test_the_baseline_covers_every_set_the_gate_asks() -> None:
    outcomes = read_baseline().outcomes
    parts = {outcome.part for outcome in outcomes}

    assert FUNCTIONS.baseline.stat().st_size < 500_000
    assert len(parts) == len(SETS) * len(MODES)
    assert not any(outcome.text for outcome in outcomes)  # the data belongs to others


# ---------------------------------------------------------------- files


def test_the_baseline_of_files_covers_both_halves_in_both_modes() -> None:
    parts = Counter(outcome.part for outcome in read_baseline(PACKAGES).outcomes)
    asked = {half: sum(len(t["cases"]) for t in cases() if t["half"] == half) for half in HALVES}

    assert parts == {f"packages/{half}, {mode}": asked[half] for half in HALVES for mode in MODES}
    assert 40 <= sum(asked.values()) <= 80
    assert len({table["language"] for table in cases()}) >= 6


def test_a_file_that_falls_below_others_in_one_half_fails() -> None:
    before = read_baseline(PACKAGES)

    def tests_first(outcome: Outcome) -> tuple[str, ...]:
        is_held_out = "held_out, hybrid" in outcome.part
        return ("a_test.go", "b_test.go", *outcome.ranking) if is_held_out else outcome.ranking

    compared = compare(before, changed(before, tests_first))
    verdict = gate(compared, tolerance=PACKAGES.tolerance)

    assert not verdict.passed
    assert any("packages/held_out, hybrid is worse" in reason for reason in verdict.reasons)


def test_a_group_that_cannot_be_asked_says_why_and_lets_the_others_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = Places(tmp_path / "data", tmp_path / "corpora")

    assert all(judged(group, nowhere, is_update=False) for group in (FUNCTIONS, PACKAGES, AGENT63))
    told = capsys.readouterr().out
    assert "functions: not asked, there is no benchmark data at" in told
    assert (
        "files of packages: not asked, github.com/gin-gonic/gin of the tuning half is not in"
        in told
    )
    assert "files of agent63: not asked, name a folder of clones" in told


def test_a_question_whose_file_is_not_in_its_package_is_an_error(tmp_path: Path) -> None:
    languages = tmp_path / "languages"
    for package in catalog.load(catalog.LANGUAGE_PACKAGES):
        (languages / package.slug).mkdir(parents=True, exist_ok=True)
    fetched = {
        f"{one.registry} {one.name}": {"folder": one.slug, "catalog_sha256": one.sha256}
        for one in catalog.load(catalog.LANGUAGE_PACKAGES)
    }
    (languages / FETCHED).write_text(json.dumps(fetched))

    with pytest.raises(EvaluationError, match=r"gin has no recovery\.go"):
        load_packages(tmp_path, "tuning")
