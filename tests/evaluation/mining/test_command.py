"""``plait eval mine`` as it is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plait.errors import SettingError
from plait.interfaces.cli.evaluation.mine import mine
from tests.evaluation.mining.histories import History

app = typer.Typer()
app.command()(mine)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    history = History(tmp_path / "r")
    history.commit("First", {"a.py": "def load():\n    return 1\n"})
    history.commit("Guard session rows by locks", {"a.py": "def load():\n    return 2\n"})
    return history.write()


def test_cases_and_reasons_are_counted_in_text(repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(app, [str(repo), "--out", str(out), "--name", "o/r"])
    lines = done.stdout.splitlines()

    assert done.exit_code == 0
    assert lines[0].startswith("o/r at ")
    assert lines[0].endswith(": 1 case of 2 commits (1 python)")
    assert lines[1:4] == [
        "1 with symbols, 0 name their target",
        "left out",
        "       1  short subject",
    ]
    assert lines[4] == f"written to {out}"
    assert (out / "mined.json").is_file()


def test_the_same_in_json(repo: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [str(repo), "--out", str(tmp_path / "o"), "--format", "json"])
    printed = json.loads(done.stdout)

    assert (printed["commits"], printed["cases"]) == (2, 1)
    assert printed["left_out"] == {"short subject": 1}


def test_by_default_the_cases_go_to_a_folder_of_the_same_name(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(app, [str(repo), "--name", "o/r"])

    assert (tmp_path / "o+r-mined" / "queries.jsonl").is_file()


def test_no_case_at_all_is_an_exit_status_of_its_own(repo: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [str(repo), "--out", str(tmp_path / "o"), "--rev", "main~1"])

    assert done.exit_code == 1


def test_a_setting_that_cannot_work_is_refused(repo: Path) -> None:
    done = CliRunner().invoke(app, [str(repo), "--max-symbols", "0"])

    assert isinstance(done.exception, SettingError)
    assert "max_symbols must be at least 1" in str(done.exception)
