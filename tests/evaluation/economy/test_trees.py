"""Trees: the files of a source, and no others."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.evaluation.economy.trees import checked_out
from plait.sources import RevisionSource
from plait.types import Listed, Skipped, SourceFile
from tests.sources.repositories import git, repository

FILES = {
    "shop/tea.py": "def brew(): pass\n",
    "shop/deep/cup.py": "cup = 1\n",
    "shop/picture.png": "\x89PNG",
    "other.py": "x = 1\n",
}


@pytest.fixture(autouse=True)
def _nobodys_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")


def held(tree: Path) -> dict[str, str]:
    files = (file for file in tree.rglob("*") if file.is_file())
    return {file.relative_to(tree).as_posix(): file.read_text("utf-8") for file in files}


def test_a_bare_repository_is_written_out_as_its_source_selects_it(tmp_path: Path) -> None:
    repository(tmp_path / "work", FILES)
    git(tmp_path, "clone", "-q", "--bare", "work", "bare.git")
    source = RevisionSource(tmp_path / "bare.git", "HEAD", name="tea", under="shop")

    with checked_out(source) as tree:
        assert held(tree) == {path: FILES[path] for path in ("shop/tea.py", "shop/deep/cup.py")}
    source.close()

    assert not tree.exists()


class Stranger:
    """A source whose names lead out of the tree, into a folder."""

    name = "stranger"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def listing(self) -> Iterator[Listed | Skipped]:
        outside = (f"{self._folder}/escaped.py", "../escaped.py", "a/../../escaped.py")
        for path in (*outside, "fine.py"):
            yield Listed(path, "")

    def read(self, path: str) -> SourceFile | Skipped:
        return SourceFile("stranger", path, "python", b"x = 1\n", "")


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stranger:
    """A stranger's source, whose tree will lie in the test's own folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Stranger(tmp_path)


def test_no_name_leads_out_of_the_tree(stranger: Stranger, tmp_path: Path) -> None:
    with checked_out(stranger) as tree:
        assert held(tree) == {"fine.py": "x = 1\n"}
        assert list(tmp_path.iterdir()) == [tree]


def test_the_tree_is_gone_after_a_failure_too(stranger: Stranger, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="stopped"), checked_out(stranger):
        raise RuntimeError("stopped")

    assert list(tmp_path.iterdir()) == []
