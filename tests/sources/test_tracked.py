"""Listing git work trees, with git's rules and ours on top."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.types import Listed, SourceFile
from tests.sources.repositories import git, paths, repository, skipped, source, tree


def test_tracked_and_new_files_are_listed_once_and_ignored_ones_not(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"b.py": "x", "a.py": "x", ".gitignore": "*.log\n"})
    tree(root, {"new.py": "x", "a.log": "x"})

    assert paths(source(root)) == [".gitignore", "a.py", "b.py", "new.py"]
    assert source(root).notes == ()


def test_hidden_files_are_listed_once_git_tracks_them(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {".github/w.yml": "x"})
    tree(root, {".scratch/n.py": "x", "node_modules/m.js": "x"})

    assert paths(source(root)) == [".github/w.yml"]
    assert paths(source(root, hidden=True)) == [".github/w.yml", ".scratch/n.py"]


def test_own_ignore_files_leave_out_what_git_tracks_but_take_nothing_back(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x", "gen/b.py": "x", "s/c.py": "x"})
    tree(root, {".gitignore": "z.py\n", "z.py": "x", ".ignore": "gen/\n!z.py\n"})
    tree(root, {"s/.plaitignore": "c.*\n"})

    assert paths(source(root)) == ["a.py"]
    assert "z.py" in paths(source(root, no_ignore=True))
    assert "gen/b.py" in paths(source(root, no_ignore=True))


def test_a_sub_folder_is_listed_relative_to_itself(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"s/t/a.py": "x", "b.py": "x", ".gitignore": "*.log\n"})
    tree(root, {"s/x.log": "x"})

    assert paths(source(root / "s")) == ["t/a.py"]


def test_a_folder_its_repository_ignores_is_a_plain_directory(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {".gitignore": "out/\n"})
    tree(root, {"out/a.py": "x"})

    assert paths(source(root / "out")) == ["a.py"]


def test_deleted_files_are_not_listed_and_links_are_skipped(tmp_path: Path) -> None:
    outside = tree(tmp_path / "o", {"f.py": "stolen"})
    root = repository(tmp_path / "r", {"a.py": "x", "d/f.py": "x", "gone.py": "x"})
    (root / "gone.py").unlink()
    (root / "d" / "f.py").unlink()
    (root / "d").rmdir()
    (root / "d").symlink_to(outside)

    assert paths(source(root)) == ["a.py"]
    assert skipped(source(root))["d/f.py"] == "symlink"
    assert not isinstance(source(root).read("d/f.py"), SourceFile)


def test_submodules_and_nested_repositories_are_named_not_entered(tmp_path: Path) -> None:
    other = repository(tmp_path / "o", {"f.py": "x"})
    root = repository(tmp_path / "r", {"a.py": "x"})
    git(root, "submodule", "--quiet", "add", str(other), "sub")
    repository(root / "nested", {"n.py": "x"})

    assert paths(source(root)) == [".gitmodules", "a.py"]
    assert skipped(source(root)) == {"nested": "submodule", "sub": "submodule"}


def test_a_path_in_conflict_is_listed_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "1"})
    git(root, "checkout", "-q", "-b", "other")
    git(root, "commit", "-q", "-am", "x", "--allow-empty")
    tree(root, {"a.py": "2"})
    git(root, "commit", "-q", "-am", "two")
    git(root, "checkout", "-q", "-")
    git(root, "checkout", "-q", "-b", "third", "other~1")
    tree(root, {"a.py": "3"})
    git(root, "commit", "-q", "-am", "three")
    with pytest.raises(Exception, match="non-zero"):
        git(root, "merge", "other")

    assert paths(source(root)) == ["a.py"]


def test_without_git_the_tree_is_walked_and_a_note_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r", {"a.py": "x", ".gitignore": "*.log\n", "b.log": "x"})
    monkeypatch.setenv("PATH", str(tmp_path))
    found = source(root)

    assert paths(found) == ["a.py"]
    assert found.notes == ("git is not installed; plait's own ignore rules apply",)


def test_a_broken_repository_is_walked_and_a_note_says_so(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    (root / ".git" / "index").write_bytes(b"garbage")
    found = source(root)

    assert paths(found) == ["a.py"]
    assert "git ls-files failed" in found.notes[0]


def test_no_program_a_repository_names_is_run(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path / 'sprung'}\n")
    trap.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(trap))
    git(root, "config", "core.hooksPath", str(tmp_path))
    git(root, "config", "core.pager", str(trap))

    assert paths(source(root)) == ["a.py"]
    assert "indexed" in source(root).explain_ignore("a.py")
    assert not (tmp_path / "sprung").exists()


def test_a_work_tree_claimed_elsewhere_is_not_believed(tmp_path: Path) -> None:
    tree(tmp_path, {"private.py": "x"})
    root = repository(tmp_path / "r", {"a.py": "x"})
    git(root, "config", "core.worktree", str(tmp_path))
    found = source(root)

    assert paths(found) == ["a.py"]
    assert "not believed" in found.notes[0]


def test_variables_of_a_calling_hook_do_not_lead_astray(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r", {".a.py": "listed only because it is tracked"})
    other = repository(tmp_path / "o", {"b.py": "x"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))

    assert paths(source(root)) == [".a.py"]


def test_an_old_file_has_the_stamp_of_its_status(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    status = (root / "a.py").lstat()
    while not (stamp := stamp_of(root, "a.py")):
        pass  # at most the 50 ms in which a file is young

    assert stamp == f"1.{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}"


def test_a_rewritten_file_of_the_same_size_and_time_has_another_stamp(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    status = (root / "a.py").lstat()
    while not (before := stamp_of(root, "a.py")):
        pass
    (root / "a.py").write_text("y")
    os.utime(root / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))

    assert stamp_of(root, "a.py") != before


def stamp_of(root: Path, path: str) -> str:
    found = {item.path: item for item in source(root).listing()}[path]
    assert isinstance(found, Listed)
    return found.stamp
