"""Runs over small datasets: what comes back, what is written, and going on after a stop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.dataset import Dataset
from plait.evaluation.load import load_dataset
from plait.evaluation.runner import Plan, Progress, known_modes, run
from plait.evaluation.runs import CONFIG, OUTCOMES, load_run
from plait.settings import Settings
from tests.evaluation.datasets import agent, beir, json_lines, judge
from tests.sources.repositories import repository, tree

SETTINGS = Settings(workers=1)
GO = """package a

// First comment.
func First() {}

// Second comment.
func Second() {}

// Third comment.
func Third() {}
"""


def plan(tmp_path: Path, **changes: object) -> Plan:
    folder = tmp_path / "tiny"
    dataset = changes.pop("dataset", None) or load_dataset(
        folder if folder.is_dir() else beir(folder)
    )
    assert isinstance(dataset, Dataset)
    made = Plan(dataset, ["lexical"], SETTINGS, tmp_path / "run", tmp_path / "indexes")
    return replace(made, **changes)  # type: ignore[arg-type]  # mixed values


def unfinished(folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    del config["finished"]
    (folder / CONFIG).write_text(json.dumps(config))


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    first = run(plan(tmp_path))
    seen: list[Progress] = []
    again = run(plan(tmp_path, names=["RR@10"]), seen.append)

    assert seen == []
    assert again.outcomes == first.outcomes
    assert "nDCG@10" not in again.measures["lexical"]  # measured anew, as asked


def test_a_run_measures_every_question(tmp_path: Path) -> None:
    done = run(plan(tmp_path))
    by_question = {outcome.question: outcome for outcome in done.outcomes}
    measures = done.measures["lexical"]

    assert by_question["q1"].ranking[0] == "d1"
    assert by_question["q2"].ranking == ("d2",)
    assert by_question["q3"].ranking == ()
    assert by_question["q1"].shown[0].answer == "d1"
    assert by_question["q1"].shown[0].reasons[0].endswith("lexical: sum of")
    assert (measures["questions"], measures["unanswered"]) == (4, 1)
    assert measures["RR@10"] == pytest.approx(0.75)
    assert measures["nDCG(dcg='exp-log2')@10"] > 0  # there are grades
    assert measures["p50_cpu_ms"] > 0


def test_a_document_is_not_found_by_its_id(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    (folder / "queries.jsonl").write_text('{"_id": "q2", "text": "d2"}\n')

    assert run(plan(tmp_path, dataset=load_dataset(folder))).outcomes[0].ranking == ()


def test_the_folder_holds_the_run(tmp_path: Path) -> None:
    done = run(plan(tmp_path))
    read = load_run(tmp_path / "run")

    assert read.outcomes == done.outcomes
    assert read.measures == done.measures
    assert read.config["dataset"]["digest"] == load_dataset(tmp_path / "tiny").digest
    assert read.config["parts"][0]["files"] == 4
    assert read.config["overlap"]["after"]["1"] > 0


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = run(plan(tmp_path))
    unfinished(tmp_path / "run")
    log = tmp_path / "run" / OUTCOMES
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:2]) + lines[2][:40])  # stopped while writing
    seen: list[Progress] = []
    again = run(plan(tmp_path), seen.append)

    assert seen[0].done == 2
    assert [o.ranking for o in again.outcomes] == [o.ranking for o in whole.outcomes]
    assert again.outcomes[:2] == whole.outcomes[:2]
    assert len(log.read_text().splitlines()) == 4


def test_a_stop_in_the_middle_leaves_what_was_done(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan(tmp_path), stop)

    assert len(load_run(tmp_path / "run").outcomes) == 2
    assert len(run(plan(tmp_path)).outcomes) == 4


def test_another_run_is_never_mixed_in(tmp_path: Path) -> None:
    run(plan(tmp_path))

    with pytest.raises(EvaluationError, match="another settings"):
        run(plan(tmp_path, settings=replace(SETTINGS, stemming=False)))


def test_a_folder_that_is_no_run_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(json.dumps({"format": 99}))

    with pytest.raises(EvaluationError, match="format 99"):
        load_run(tmp_path)
    with pytest.raises(EvaluationError, match="holds no run"):
        load_run(tmp_path / "nowhere")


def test_targets_are_scored_over_languages_and_halves(tmp_path: Path) -> None:
    dataset = load_dataset(agent(tmp_path / "agent", tmp_path), repos=tmp_path)
    measures = run(plan(tmp_path, dataset=dataset)).measures["lexical"]

    assert measures["nDCG@10"] > 0.5
    assert set(measures["by_category"]) == {"semantic", "symbol"}
    assert set(measures["by_language"]) == {"python"}
    both = (measures["tuning"]["nDCG@10"] + measures["held_out"]["nDCG@10"]) / 2
    assert measures["nDCG@10"] == pytest.approx(both)


def test_blanked_comments_lower_the_overlap(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tiny")
    text = '"""Opens a socket."""\nhost = None  # a host\n'
    document = {"_id": "d1", "title": "x", "text": text, "metadata": {"language": "python"}}
    (folder / "corpus.jsonl").write_text(json.dumps(document) + "\n")
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\n")
    dataset = load_dataset(folder)
    done = run(plan(tmp_path, dataset=dataset, settings=replace(SETTINGS, comments=False)))
    overlap = done.config["overlap"]

    assert overlap["before"]["1"] > overlap["after"]["1"] > 0


def test_comments_above_a_symbol_are_its_own_and_not_its_neighbours(tmp_path: Path) -> None:
    clone = repository(tmp_path / "owner+shop" / "repo", {"a.go": GO})
    folder = tmp_path / "mined"
    tree(folder, {"info.json": json.dumps(
        {"name": "shop", "repo": "owner/shop", "tag_commit": "HEAD", "languages": ["go"]}
    )})  # fmt: skip
    json_lines(folder / "queries.jsonl", [{"_id": "q", "text": "second comment"}])
    judge(folder / "qrels" / "test.tsv", {"q": {"a.go::Second": 1}})
    dataset = load_dataset(folder, repos=clone.parent.parent)
    done = run(plan(tmp_path, dataset=dataset, settings=replace(SETTINGS, comments=False)))

    assert done.config["overlap"]["before"]["2"] == 1.0
    assert done.config["overlap"]["after"]["2"] == 0.0


def test_modes_without_a_model_are_left_out_and_unknown_ones_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plait.assembly.parts.has_bundled", lambda: False)
    assert known_modes(["lexical", "hybrid"], SETTINGS) == (["lexical"], ["hybrid"])
    with pytest.raises(EvaluationError, match="no mode 'magic'"):
        known_modes(["lexical", "magic"], SETTINGS)
    with pytest.raises(EvaluationError, match="there is no model"):
        known_modes(["hybrid"], SETTINGS)
