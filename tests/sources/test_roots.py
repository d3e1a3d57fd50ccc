"""Which tree a path belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.errors import SourceError
from plait.sources import DirectorySource, root_of
from tests.sources.repositories import git, paths, repository, source, tree


def test_a_sub_folder_belongs_to_its_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a/b/c.py": "x"})
    found = root_of(root / "a" / "b")

    assert (found.directory, found.under, found.file) == (root, "a/b", "")
    assert found.key == root / ".git"
    assert found.is_git
    assert root_of(root).under == ""


def test_a_file_is_remembered(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a/b/c.py": "x"})
    found = root_of(root / "a" / "b" / "c.py")

    assert (found.directory, found.under, found.file) == (root, "a/b", "a/b/c.py")


def test_worktrees_have_their_own_root_and_share_their_key(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x", "s/b.py": "x"})
    git(root, "worktree", "add", "-q", str(tmp_path / "w"))
    found = root_of(tmp_path / "w" / "s")

    assert (found.directory, found.under, found.key) == (tmp_path / "w", "s", root / ".git")


def test_a_plain_folder_is_its_own_root_and_key(tmp_path: Path) -> None:
    tree(tmp_path, {"p/a.py": "x"})
    found = root_of(tmp_path / "p" / "a.py")

    assert (found.directory, found.key, found.file) == (tmp_path / "p", tmp_path / "p", "a.py")
    assert not found.is_git


def test_an_ignored_folder_is_its_own_root(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {".gitignore": "out/\n"})
    tree(root, {"out/deep/a.py": "x"})
    found = root_of(root / "out" / "deep")

    assert (found.directory, found.key) == (root / "out" / "deep", root / "out" / "deep")


def test_a_repository_that_claims_the_folder_above_gets_only_its_own(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    git(root, "config", "core.worktree", str(tmp_path))

    assert root_of(root).directory == root


def test_names_with_spaces_and_newlines_work(tmp_path: Path) -> None:
    root = repository(tmp_path / "a b\nc", {"s\n/x.py": "x"})
    found = root_of(root / "s\n")

    assert (found.directory, found.under, found.key) == (root, "s\n", root / ".git")


def test_bare_repositories_are_refused_in_words(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", str(tmp_path / "b.git"))
    root = repository(tmp_path / "r", {})

    with pytest.raises(SourceError, match="bare repository"):
        root_of(tmp_path / "b.git")
    with pytest.raises(SourceError, match="inside a git directory"):
        root_of(root / ".git" / "objects")


@pytest.mark.parametrize("head", ["", "ref: refs/heads/main\n", "0" * 40])
def test_names_of_git_among_a_trees_files_stop_no_search(tmp_path: Path, head: str) -> None:
    root = tree(tmp_path / "t", {"a.py": "x", "deep/b.py": "x", "HEAD": head})
    for name in ("objects", "refs"):
        (root / name).mkdir()

    assert root_of(root).directory == root
    assert root_of(root / "deep").directory == root / "deep"
    assert ("holds other files" in "".join(root_of(root).notes)) == bool(head)
    assert {"a.py", "deep/b.py"} <= set(paths(source(root)))


def test_empty_files_with_the_names_of_git_are_files(tmp_path: Path) -> None:
    root = tree(tmp_path / "t", {"HEAD": "", "objects": "", "refs": ""})

    assert root_of(root).notes == ()
    assert root_of(root).directory == root


def test_a_path_that_is_not_there_is_refused_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file or folder") as caught:
        root_of(tmp_path / "no")

    assert caught.value.hint
    with pytest.raises(SourceError, match="cannot read"):
        DirectorySource(tmp_path / "no")
    tree(tmp_path, {"f": "x"})
    with pytest.raises(SourceError, match="not a folder"):
        DirectorySource(tmp_path / "f")
