"""The report as Markdown, JSON and CSV."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

from plait.evaluation.report import as_csv, as_json, markdown
from tests.evaluation.report.synthetic import outcome, run_of

FIRST = run_of(Path("a"), [outcome()], notes=["Titles | are\nqueries."])
SECOND = run_of(Path("b"), [outcome(ranking=("src/a.py",), part="x|y*z")])


def test_markdown_has_the_summary_with_the_best_in_bold() -> None:
    lines = markdown([FIRST, SECOND]).splitlines()
    first, second = (line for line in lines if line.startswith(("| a |", "| b |")))

    assert lines[0].startswith("- a: dataset own-history, level file; commit 0f9d2c41; ")
    assert "| Mode | MRR | MRR@10 | nDCG@10 | Recall@10 |" in lines[3]
    assert first.startswith("| a | 0.5000 | 0.5000 | 0.6309 | **1.0000** |")
    assert second.startswith("| b | **1.0000** | **1.0000** | **1.0000** | **1.0000** |")


def test_markdown_keeps_every_row_as_wide_as_its_head() -> None:
    page = markdown([FIRST, SECOND])
    tables = [block.splitlines() for block in page.split("\n\n") if block.startswith("|")]

    assert len(tables) == 5
    for head, _, *rows in tables:
        for row in rows:
            assert row.replace("\\|", "").count("|") == head.count("|")
    assert "x\\|y\\*z" in page
    assert page.endswith("\n- Titles \\| are queries.\n")


def test_json_holds_configuration_and_measures_in_full() -> None:
    value = json.loads(as_json([FIRST, SECOND]))

    assert value["schema"] == "plait.eval.report/1"
    assert [run["name"] for run in value["runs"]] == ["a", "b"]
    assert value["runs"][0]["config"] == dict(FIRST.config)
    assert value["runs"][1]["measures"] == SECOND.measures


def test_json_has_null_for_what_is_no_number() -> None:
    odd = replace(FIRST, measures={"lexical": {"nDCG@10": float("nan"), "by_part": {}}})

    found = json.loads(as_json([odd]))["runs"][0]["measures"]
    assert found == {"lexical": {"nDCG@10": None, "by_part": {}}}


def test_csv_has_a_row_for_all_and_one_for_each_group() -> None:
    rows = list(csv.DictReader(as_csv([FIRST, SECOND]).splitlines()))
    overall = [row for row in rows if not row["by"]]
    parts = [row for row in rows if row["by"] == "part"]

    assert [(row["run"], row["mode"]) for row in overall] == [("a", "lexical"), ("b", "lexical")]
    assert float(overall[0]["nDCG@10"]) == FIRST.measures["lexical"]["nDCG@10"]
    assert (overall[0]["questions"], overall[0]["p50_cpu_ms"]) == ("1", "4.0")
    assert [row["group"] for row in parts] == ["ledger", "x|y*z"]
    assert {row["by"] for row in rows} == {"", "part", "language", "category", "split"}
