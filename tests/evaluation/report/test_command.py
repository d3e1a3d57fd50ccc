"""``plait eval report``, as the command is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from plait.errors import EvaluationError, PlaitError, SettingError
from plait.evaluation.runs import CONFIG, MEASURES, OUTCOMES
from plait.interfaces.cli.evaluation.report import report
from tests.evaluation.report.synthetic import outcome, run_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run."""
    run = run_of(tmp_path / "night", [outcome(), outcome("dense")])
    run.folder.mkdir()
    (run.folder / CONFIG).write_text(json.dumps(run.config), "utf-8")
    (run.folder / MEASURES).write_text(json.dumps(run.measures), "utf-8")
    lines = "".join(f"{each.to_json()}\n" for each in run.outcomes)
    (run.folder / OUTCOMES).write_text(lines, "utf-8")
    return run.folder


def called(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(report)
    return CliRunner().invoke(app, [str(each) for each in arguments])


def refused(result: Result) -> PlaitError:
    assert isinstance(result.exception, PlaitError)
    return result.exception


def test_html_goes_to_the_file_that_is_named(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = called(folder, "--out", page)

    assert result.exit_code == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert f"the report is in {page}" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("kind", "begins"),
    [("md", "- night: dataset own-history"), ("json", "{\n"), ("csv", "run,dataset,mode,by,")],
)
def test_other_formats_are_printed(folder: Path, kind: str, begins: str) -> None:
    result = called(folder, "--format", kind)

    assert result.exit_code == 0
    assert result.stdout.startswith(begins)
    assert not result.stdout.endswith("\n\n")


def test_several_runs_are_one_report(folder: Path) -> None:
    result = called(folder, folder, "--format", "csv")

    assert {line.split(",")[0] for line in result.stdout.splitlines()[1:]} == {
        *("night (1)", "night (2)"),
    }


def test_html_without_a_file_is_refused(folder: Path) -> None:
    error = refused(called(folder))

    assert isinstance(error, SettingError)
    assert str(error) == "html is written to a file; --out names it"


def test_a_file_for_what_is_printed_is_refused(folder: Path, tmp_path: Path) -> None:
    error = refused(called(folder, "--format", "md", "--out", tmp_path / "report.md"))

    assert str(error) == "md is printed; --out is for html"


def test_an_unknown_format_and_a_folder_without_a_run_are_refused(tmp_path: Path) -> None:
    assert "one of html, md, json, csv" in str(refused(called("x", "--format", "pdf")))
    assert isinstance(refused(called(tmp_path, "--format", "md")), EvaluationError)
