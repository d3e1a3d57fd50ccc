"""Tiny repositories and a command to search them with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.command import FILES, Command
from tests.sources.repositories import repository, tree


@pytest.fixture
def plait(tmp_path: Path) -> Command:
    """The command, in an empty folder that is no repository."""
    folder = tmp_path / "here"
    folder.mkdir()
    return Command(folder, tmp_path / "cache")


@pytest.fixture
def tiny(plait: Command) -> Path:
    """A plain folder of four files."""
    return tree(plait.folder / "tiny", FILES)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command at the top of a git repository that is indexed; not to be changed."""
    base = tmp_path_factory.mktemp("indexed")
    command = Command(repository(base / "tiny", FILES), base / "cache")
    assert command("index").code == 0
    return command
