"""``plait eval`` as a user types it, over small datasets of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.evaluation.datasets import agent, beir
from tests.interfaces.command import Command


@pytest.fixture
def dataset(plait: Command) -> Path:
    return beir(plait.folder / "tiny")


def test_the_one_line_form_prints_one_object(plait: Command, dataset: Path) -> None:
    done = plait(
        *("eval", "run", str(dataset), "--qrels", "test"),
        *("--modes", "lexical,hybrid", "--format", "json"),
    )
    printed = json.loads(done.out)

    assert done.code == 0
    assert {"RR@10", "nDCG@10", "R@10", "R@100", "p50_cpu_ms"} <= set(printed["modes"]["lexical"])
    assert printed["modes"]["lexical"]["RR@10"] == pytest.approx(0.75)


def test_agent_annotations_are_scored_with_their_halves(plait: Command, tmp_path: Path) -> None:
    folder = agent(plait.folder / "agent", tmp_path)
    done = plait("eval", "run", str(folder), "--repos", str(tmp_path), "--format", "json")
    measures = json.loads(done.out)["modes"]["lexical"]

    assert done.code == 0
    assert 0 < measures["nDCG@10"] <= 1
    for key in ("by_language", "by_category", "tuning", "held_out"):
        assert measures[key]


def test_a_table_for_people_names_measures_as_papers_do(plait: Command, dataset: Path) -> None:
    done = plait("eval", "run", str(dataset), "--measures", "MRR@10,nDCG@10")

    assert done.out.splitlines()[0].split() == ["lexical"]
    assert "MRR@10" in done.out
    assert "Recall" not in done.out


def test_runs_are_compared_gated_and_reported(plait: Command, dataset: Path) -> None:
    for name, change in (("a", "stemming=true"), ("b", "weight_name=0")):
        done = plait("eval", "run", str(dataset), "--out", name, "--set", change)
        assert done.code == 0, done.err
    compared = plait("eval", "compare", "a", "b", "--format", "json")
    same = plait("eval", "gate", "a", "a")
    page = plait("eval", "report", "a", "b", "--out", "page.html")

    assert json.loads(compared.out)
    assert same.code == 0
    assert page.code == 0
    assert "<svg" in (plait.folder / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "there is no dataset 'nowhere'"),
        (("tiny", "--modes", "magic"), "there is no mode 'magic'"),
        (("tiny", "--qrels", "final"), "no judgements 'final'"),
        (("tiny", "--measures", "beauty"), "no measure is called 'beauty'"),
        (("tiny", "--set", "beauty=1"), "there is no setting 'beauty'"),
        (("tiny", "--set", "stemming"), "--set takes KEY=VALUE"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words(
    plait: Command, dataset: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = plait("eval", "run", *arguments)

    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
