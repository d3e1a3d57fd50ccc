"""Refs: read as files, beneath the git directory, through no link."""

from __future__ import annotations

from pathlib import Path

from plait.sources.refs import listed, read_refs
from tests.sources.repositories import git, repository


def test_branches_tags_and_names_in_folders_are_read(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", {"a.py": "1\n"})
    git(repo, "tag", "one")
    git(repo, "branch", "deep/er/branch")
    head = git(repo, "rev-parse", "HEAD").strip()

    found = read_refs(repo / ".git")

    assert found["refs/tags/one"] == found["refs/heads/deep/er/branch"] == head


def test_folders_that_are_links_to_anothers_refs_are_not_listed(tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"a.py": "1\n"})
    git(other, "branch", "private")
    for name in ("refs", "refs/heads"):
        folder = tmp_path / name.replace("/", "-")
        place = folder / name
        place.parent.mkdir(parents=True)
        place.symlink_to(other / ".git" / name)

        assert listed(folder, name) == ([], [])
        assert read_refs(folder) == {}
