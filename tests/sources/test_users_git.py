"""The user's own ignore file holds everywhere; a repository cannot name another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.sources import DirectorySource
from tests.sources.repositories import git, paths, repository, tree


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / ".config"))
    return tree(tmp_path / "home", {".config/git/ignore": "*.one\n", "mine": "*.two\n"})


@pytest.mark.parametrize("is_git", [True, False])
def test_the_users_ignore_file_is_where_the_users_configuration_says(
    home: Path, tmp_path: Path, is_git: bool
) -> None:
    root = repository(tmp_path / "r", {}) if is_git else tmp_path / "r"
    tree(root, {"a.one": "x", "b.two": "x", "c": "x"})

    assert paths(DirectorySource(root)) == ["b.two", "c"]
    tree(home, {".gitconfig": "[core]\n\texcludesFile = ~/mine\n"})
    assert paths(DirectorySource(root)) == ["a.one", "c"]
    (home / ".gitconfig").unlink()
    tree(home, {".config/git/config": f"[core]\nexcludesfile = {home}/mine\n"})
    assert paths(DirectorySource(root)) == ["a.one", "c"]


@pytest.mark.usefixtures("home")
def test_a_repository_does_not_say_where_the_users_ignore_file_is(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.one": "x"})
    git(root, "config", "core.excludesFile", str(tree(tmp_path, {"theirs": "*\n"}) / "theirs"))
    tree(root, {"b.py": "x", "c.one": "x"})

    assert paths(DirectorySource(root)) == ["a.one", "b.py"]


def test_a_pipe_or_device_in_its_place_stops_nothing(home: Path, tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    (home / ".config" / "git" / "ignore").unlink()
    os.mkfifo(home / ".config" / "git" / "ignore")

    assert paths(DirectorySource(root)) == ["a.py"]
    tree(home, {".gitconfig": "[core]\n\texcludesFile = /dev/zero\n"})
    assert paths(DirectorySource(root)) == ["a.py"]
