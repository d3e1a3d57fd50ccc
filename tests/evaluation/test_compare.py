"""Comparing runs: what is paired, what is averaged, and how it is shown."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from plait.errors import EvaluationError, SettingError
from plait.evaluation.compare import Comparison, compare, first_right
from plait.evaluation.comparison_tables import as_csv, as_json, as_markdown, as_text
from plait.evaluation.runs import Outcome, Run
from plait.evaluation.trec import export
from plait.interfaces.cli.evaluation.compare import compare as compare_verb

DATASET = {"name": "tiny", "digest": "0123456789abcdef", "level": "file"}


def outcome(name: str, ranking: str, **fields: object) -> Outcome:
    """``outcome("go/net/q1", "xr")``: language, part, question; r is the right answer."""
    language, part, question = name.split("/")
    blank = Outcome("lexical", part, language, "", "", question, "", {}, (), {}, (), 1.0, 1.0)
    made = blank._replace(text=f"where is {question}?", relevant={"r": 1}, ranking=tuple(ranking))
    return made._replace(**fields)  # type: ignore[arg-type]  # tests give them the right types


def run(folder: str, answers: dict[str, str], **dataset: str) -> Run:
    """A run of one mode: ``run("before", {"go/net/q1": "xr"})``."""
    outcomes = [outcome(question, ranking) for question, ranking in answers.items()]
    return Run(Path(folder), {"format": 1, "dataset": DATASET | dataset}, outcomes)


BEFORE = run(
    "before",
    {
        "go/net/q1": "xr",
        "go/net/q2": "r",
        "go/web/q3": "xyzr",
        "rust/cli/q4": "",
        "rust/cli/q5": "r",
    },
)
AFTER = run(
    "after",
    {
        "go/net/q1": "r",
        "go/net/q2": "r",
        "go/web/q3": "xr",
        "rust/cli/q4": "r",
        "rust/cli/q5": "xr",
    },
)


@pytest.fixture
def both() -> Comparison:
    return compare(BEFORE, AFTER, measure="MRR")


# ---------------------------------------------------------------- what is compared


def test_differences_are_what_b_gained_over_a(both: Comparison) -> None:
    assert both.measure == "RR"
    assert {change.question: change.difference for change in both.changes} == pytest.approx(
        {"q1": 0.5, "q2": 0, "q3": 0.25, "q4": 1, "q5": -0.5}
    )


def test_wins_and_losses_come_by_size_with_the_places_of_the_right_answer(both: Comparison) -> None:
    assert [(c.question, c.rank_a, c.rank_b) for c in both.wins] == [
        ("q4", None, 1),
        ("q1", 2, 1),
        ("q3", 4, 2),
    ]
    assert [(c.question, c.rank_a, c.rank_b) for c in both.losses] == [("q5", 1, 2)]
    reversed_ = compare(AFTER, BEFORE, measure="MRR")
    assert [c.question for c in reversed_.losses] == ["q4", "q1", "q3"]


def test_averages_are_over_questions_parts_and_languages(both: Comparison) -> None:
    means = {name: (row.a, row.b, row.paired.mean) for name, row in both.overall.items()}

    assert means["questions"] == pytest.approx((2.75 / 5, 4 / 5, 1.25 / 5))
    assert means["parts"] == pytest.approx((1.5 / 3, 2.25 / 3, 0.25))  # net, web, cli
    assert means["languages"] == pytest.approx((0.5, 0.75, 0.25))  # go is the mean of two parts
    assert both.macro == both.overall["parts"]
    assert [row.paired.n for row in both.overall.values()] == [5, 3, 2]


def test_one_part_is_no_average_of_parts() -> None:
    only = compare(run("a", {"go/net/q1": "r"}), run("b", {"go/net/q1": "xr"}), measure="RR")

    assert list(only.overall) == ["questions"]
    assert only.macro.paired.mean == -0.5
    assert [row.name for row in only.parts] == ["net"]


def test_parts_and_languages_are_tested_each_with_corrected_p_values() -> None:
    names = {f"go/{part}/{part}{n}" for part in "abc" for n in range(6)}
    worse = compare(
        run("a", dict.fromkeys(names, "r")),
        run("b", {name: "xr" if "/a/" in name else "r" for name in names}),
        measure="RR",
    )

    assert [(row.name, row.questions, row.b) for row in worse.parts] == [
        ("a", 6, 0.5),
        ("b", 6, 1.0),
        ("c", 6, 1.0),
    ]
    assert [row.paired.p for row in worse.parts] == [2 / 2**6, 1.0, 1.0]
    assert [row.p_holm for row in worse.parts] == [3 * 2 / 2**6, 1.0, 1.0]
    assert [row.name for row in worse.languages] == ["go"]
    assert worse.categories == []


def test_only_questions_of_both_runs_are_compared_and_the_others_counted() -> None:
    a = run("a", {"go/net/q1": "r", "go/net/q2": "r", "go/net/q3": "r"})
    b = run("b", {"go/net/q2": "xr", "go/net/q9": "r"})
    found = compare(a, b, measure="RR")

    assert [change.question for change in found.changes] == ["q2"]
    assert (found.only_a, found.only_b) == (2, 1)
    assert "note: 2 questions are only in a" in "\n".join(as_text(found))


def test_targets_are_compared_by_their_ranks() -> None:
    def targets(name: str, rank: int) -> Run:
        asked = outcome("go/net/q", "x", ranks={"r": rank})
        return Run(Path(name), {"dataset": DATASET | {"level": "target"}}, [asked])

    found = compare(targets("a", 3), targets("b", 1))

    assert [(c.a, c.b, c.rank_a, c.rank_b) for c in found.changes] == [(0.5, 1.0, 3, 1)]


@pytest.mark.parametrize(
    ("ranking", "relevant", "expected"),
    [("xr", {"r": 1}, 2), ("xr", {"r": 0}, None), ("", {"r": 1}, None), ("rs", {"s": 3}, 2)],
)
def test_the_first_right_answer(ranking: str, relevant: dict[str, int], expected: int) -> None:
    assert first_right(outcome("go/net/q", ranking, relevant=relevant)) == expected


# ---------------------------------------------------------------- what cannot be compared


def test_runs_of_other_datasets_are_refused_unless_that_is_wanted() -> None:
    other = run("other", {"go/net/q1": "r"}, digest="fedcba98", name="huge")

    with pytest.raises(EvaluationError, match="not asked the same") as caught:
        compare(BEFORE, other)
    assert "tiny (01234567), huge (fedcba98)" in str(caught.value)
    assert [c.question for c in compare(BEFORE, other, any_dataset=True).changes] == ["q1"]


def test_other_judgements_of_the_same_question_are_pointed_out() -> None:
    judged = [o._replace(relevant={"x": 1}) for o in AFTER.outcomes[:2]]
    other = Run(Path("other"), {"dataset": {"digest": "1"}}, judged)
    found = compare(BEFORE, other, any_dataset=True)

    assert found.notes == ("2 of 2 questions have other right answers in the two runs",)


def test_targets_and_documents_are_refused() -> None:
    with pytest.raises(EvaluationError, match="the answers of one are targets"):
        compare(BEFORE, run("b", {"go/net/q1": "r"}, level="target"))


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(EvaluationError, match="no question in common"):
        compare(BEFORE, run("b", {"go/net/q9": "r"}))


def test_a_mode_is_asked_for_where_there_are_several() -> None:
    two = Run(
        Path("two"),
        BEFORE.config,
        [*BEFORE.outcomes, *(o._replace(mode="dense") for o in AFTER.outcomes)],
    )

    assert (
        compare(two, two, "lexical", "dense", "RR").changes
        == compare(BEFORE, AFTER, measure="RR").changes
    )
    with pytest.raises(EvaluationError, match="more than one mode") as caught:
        compare(two, BEFORE)
    assert caught.value.hint == "its modes: lexical, dense"
    with pytest.raises(EvaluationError, match="has no mode 'hybrid'"):
        compare(two, BEFORE, "hybrid")


# ---------------------------------------------------------------- how it is shown


def test_as_text(both: Comparison) -> None:
    lines = as_text(both, limit=2)

    assert lines[:4] == [
        "MRR: what b gained over a",
        "",
        "- a: before lexical",
        "- b: after lexical",
    ]
    means = next(line for line in lines if line.startswith("mean of parts")).split()
    assert means[3:7] == ["5", "0.5000", "0.7500", "+0.2500"]
    assert "Better: 2 of 3 questions" in lines
    assert lines[-1].split() == "-0.5000 1.0000 0.5000 1 2 cli q5: where is q5?".split()
    assert "q3" not in "\n".join(lines)


def test_as_markdown_keeps_a_question_in_its_cell(both: Comparison) -> None:
    odd = [c._replace(text="a|b\n*c*") for c in BEFORE.outcomes]
    lines = as_markdown(compare(Run(Path("a"), BEFORE.config, odd), AFTER, measure="RR"))

    assert r"q4: a\|b \*c\* |" in next(line for line in lines if "q4" in line)
    tables = [line.replace(r"\|", "").count("|") for line in lines if line.startswith("|")]
    assert set(tables) == {8, 12}  # those of questions and those of means


def test_as_json_is_plain_and_complete(both: Comparison) -> None:
    found = json.loads(json.dumps(as_json(both, limit=1)))

    assert found["overall"]["parts"]["mean"] == pytest.approx(0.25)
    assert {"low", "high", "p", "p_holm", "wins", "losses", "ties", "n"} <= set(found["parts"][0])
    assert [win["question"] for win in found["wins"]] == ["q4"]
    win = found["wins"][0]
    assert (win["a"], win["b"], win["difference"]) == (0.0, 1.0, 1.0)
    assert (win["part"], win["language"], win["category"]) == ("cli", "rust", "")
    assert (win["rank_a"], win["rank_b"]) == (None, 1)


def test_as_csv_has_every_question(both: Comparison) -> None:
    rows = list(csv.DictReader(as_csv(both).splitlines()))

    assert [row["question"] for row in rows] == ["q4", "q1", "q3", "q2", "q5"]
    assert (rows[0]["rank_a"], rows[0]["rank_b"], rows[0]["difference"]) == ("", "1", "1.0")


# ---------------------------------------------------------------- the command


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for made in (BEFORE, AFTER):
        folder = tmp_path / made.name
        folder.mkdir()
        (folder / "run.json").write_text(json.dumps(made.config), encoding="utf-8")
        lines = "".join(f"{o.to_json()}\n" for o in made.outcomes)
        (folder / "outcomes.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def called(*arguments: str) -> Any:
    app = typer.Typer()
    app.command()(compare_verb)
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize("output", ["text", "md", "json", "csv"])
def test_the_command_prints_every_form(folders: Path, output: str, both: Comparison) -> None:
    pages = {
        "text": "\n".join(as_text(both, 1)) + "\n",
        "md": "\n".join(as_markdown(both, 1)) + "\n",
        "json": json.dumps(as_json(both, 1), indent=2) + "\n",
        "csv": as_csv(both),
    }
    arguments = ["--measure", "MRR", "--format", output, "-n", "1"]
    done = called(str(folders / "before"), str(folders / "after"), *arguments)

    assert (done.exit_code, done.output) == (0, pages[output])


def test_the_command_compares_with_another_systems_rankings(folders: Path) -> None:
    qrels, rankings = export(AFTER, folders / "trec")
    arguments = [str(folders / "before"), str(rankings), "--qrels", str(qrels)]
    found = json.loads(called(*arguments, "--measure", "RR", "--format", "json").output)

    assert found["overall"]["parts"]["mean"] == pytest.approx(0.25)
    assert found["b"] == "lexical.trec lexical"


def test_the_command_refuses_what_it_cannot_do(folders: Path) -> None:
    runs = [str(folders / "before"), str(folders / "after")]

    assert isinstance(called(*runs, "--format", "xml").exception, SettingError)
    assert isinstance(called(*runs, "--limit", "-1").exception, SettingError)
    assert isinstance(called(*runs, "--mode", "dense").exception, EvaluationError)
    both = ["--qrels", "x", "--against-mode", "lexical"]
    assert isinstance(called(*runs, *both).exception, SettingError)
