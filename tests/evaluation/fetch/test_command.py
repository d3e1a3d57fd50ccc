"""``plait eval fetch``: what is typed, printed and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from plait.errors import EvaluationError, PlaitError, SettingError
from plait.evaluation.fetch.manifest import load_manifest
from plait.interfaces.cli.evaluation.fetch import fetch
from tests.downloads.server import Server
from tests.evaluation.fetch.test_layout import ANNOTATED, BEIR, REPO
from tests.sources.repositories import git, repository, tree


def run(*arguments: str | Path) -> Result:
    """The verb alone, as ``plait eval`` mounts it."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(fetch)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def refused(result: Result) -> PlaitError:
    assert isinstance(result.exception, PlaitError), result.output
    return result.exception


@pytest.fixture
def local(tmp_path: Path) -> Path:
    return tree(tmp_path / "local", BEIR)


def test_a_local_copy_is_installed_and_counted(local: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = run("tiny", "--from", local, "--out", out)
    again = run("tiny", "--from", local, "--out", out)

    assert first.stdout.splitlines() == [
        "tiny: fetched; 2 questions, 2 judgements, 2 documents",
        f"in {out / 'tiny'}",
    ]
    assert again.stdout.startswith("tiny: already there, nothing done; ")


def test_by_default_it_goes_to_the_users_folder(
    local: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    shown = run("tiny", "--from", local).stdout.splitlines()[1]

    assert shown.endswith(str(Path("plait", "datasets", "tiny")))
    assert Path(shown.removeprefix("in "), "queries.jsonl").is_file()


def test_the_list_shows_what_is_here_what_it_costs_and_what_it_lacks(
    local: Path, tmp_path: Path
) -> None:
    run("cosqa", "--from", local, "--out", tmp_path / "out")
    run("mine", "--from", local, "--out", tmp_path / "out")
    lines = run("--list", "--out", tmp_path / "out").stdout.splitlines()
    states = {line.split()[0]: line[23:36].strip() for line in lines if not line.startswith(" ")}

    assert set(states) == {*load_manifest(), "mine"}
    assert (states["cosqa"], states["mine"]) == ("here", "here")
    assert states["swebench-lite-loc"] == "3.7 MB"
    assert states["csn99-python"] == "--from only"
    assert sum("licence: " in line for line in lines) == len(load_manifest())


def test_a_known_dataset_is_asked_for_at_the_server_that_is_named(
    server: Server, tmp_path: Path
) -> None:
    error = refused(run("cosqa", "--out", tmp_path, "--base-url", server.address))

    assert "the server has no such file (404)" in str(error)
    assert [asked.path.split("/")[1] for asked in server.asked] == ["Jun-jie-Huang"]


@pytest.mark.parametrize("arguments", [("cosqa",), ("agent63", "--clones", "x")])
def test_offline_is_offline(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PLAIT_OFFLINE", "1")
    error = refused(run(*arguments, "--out", tmp_path, "--base-url", server.address))

    assert "stay offline" in str(error)
    assert server.asked == []


def test_an_unknown_name_is_answered_with_a_near_one(tmp_path: Path) -> None:
    near, far, none = (refused(run(*name, "--out", tmp_path)) for name in (["cosq"], ["zebra"], []))

    assert near.hint == "did you mean cosqa?"
    assert "agent63" in far.hint
    assert isinstance(far, EvaluationError)
    assert isinstance(none, SettingError)


def test_repositories_are_cloned_beside_the_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = repository(tmp_path / "remotes" / "o" / "tea.git", {"a.py": "x = 1\n"})
    revision = git(remote, "rev-parse", "HEAD").strip()
    repos = json.dumps([REPO | {"revision": revision}])
    local = tree(tmp_path / "local", ANNOTATED | {"repos.json": repos})
    base = (tmp_path / "remotes").as_uri()
    command = ("agent63", "--from", local, "--out", tmp_path / "out", "--base-url", base)
    done = run(*command, "--clones", tmp_path / "clones")
    monkeypatch.setenv("PLAIT_OFFLINE", "1")
    offline = refused(run(*command, "--clones", tmp_path / "clones"))

    assert (
        done.stdout.splitlines()[-1]
        == f"1 repository cloned, 0 already there, in {tmp_path / 'clones'}"
    )
    assert f"o/tea at {revision[:10]}: cloned" in done.stderr
    assert (tmp_path / "clones" / "o+tea" / "repo" / "HEAD").is_file()
    assert "nothing was cloned" in str(offline)
