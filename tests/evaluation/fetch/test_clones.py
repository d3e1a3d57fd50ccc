"""Clones: each pinned revision and no more, from a real git remote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.fetch.clones import Pinned, clone_pinned
from tests.sources.repositories import git, repository, tree


@pytest.fixture
def pinned(tmp_path: Path) -> dict[str, str]:
    """Two remotes with a commit before and after the pinned one; repository to revision."""
    revisions = {}
    for name in ("green", "black.tea"):
        remote = repository(tmp_path / "remotes" / "o" / f"{name}.git", {"a.py": "x = 1\n"})
        git(remote, "commit", "-q", "--allow-empty", "-m", "pinned")
        revisions[name] = git(remote, "rev-parse", "HEAD").strip()
        git(remote, "commit", "-q", "--allow-empty", "-m", "later")
    return revisions


def dataset(folder: Path, revisions: dict[str, str]) -> Path:
    repos = [
        {"name": name, "url": f"https://github.com/o/{name}.git", "revision": revision}
        for name, revision in revisions.items()
    ]
    return tree(folder / "tea63", {"repos.json": json.dumps(repos)})


def test_pinned_revisions_are_cloned_once(tmp_path: Path, pinned: dict[str, str]) -> None:
    clones = tmp_path / "clones"
    base = (tmp_path / "remotes").as_uri()
    told: list[tuple[Pinned, str]] = []
    first = clone_pinned(
        dataset(tmp_path, pinned), clones, base_url=base, on_clone=lambda *done: told.append(done)
    )
    again = clone_pinned(dataset(tmp_path, pinned), clones, base_url="file:///nowhere")

    assert (first, again) == ((2, 0), (0, 2))
    assert [problem for _, problem in told] == ["", ""]
    for name, revision in pinned.items():
        clone = clones / f"o+{name}" / "repo"
        assert git(clone, "rev-parse", "--is-bare-repository").strip() == "true"
        assert git(clone, "show", f"{revision}:a.py") == "x = 1\n"
        assert git(clone, "rev-list", "--all", "--count").strip() == "1"
        git(clone, "gc", "-q", "--prune=now")
        git(clone, "cat-file", "-e", revision)


def test_one_that_fails_does_not_stop_the_others(tmp_path: Path, pinned: dict[str, str]) -> None:
    wanted = {"absent": "d" * 40} | pinned
    base = (tmp_path / "remotes").as_uri()
    with pytest.raises(EvaluationError, match="1 of 3 repositories could not be cloned: o/absent"):
        clone_pinned(dataset(tmp_path, wanted), tmp_path / "clones", base_url=base)
    repository(tmp_path / "remotes" / "o" / "absent.git", {"b.py": ""})
    wanted["absent"] = git(tmp_path / "remotes" / "o" / "absent.git", "rev-parse", "HEAD").strip()

    done = clone_pinned(dataset(tmp_path, wanted), tmp_path / "clones", base_url=base)
    assert done == (1, 2)


@pytest.mark.parametrize(
    "url", ["ext::sh -c id", "file:///etc", "https://github.com/o", "https://github.com/../x"]
)
def test_only_repositories_of_github_are_cloned(tmp_path: Path, url: str) -> None:
    repos = json.dumps([{"name": "x", "url": url, "revision": "a" * 40}])
    folder = tree(tmp_path / "tea63", {"repos.json": repos})
    with pytest.raises(EvaluationError, match="no repository on GitHub"):
        clone_pinned(folder, tmp_path / "clones")

    assert not (tmp_path / "clones").exists()


def test_a_dataset_without_repositories_says_so(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no list of repositories"):
        clone_pinned(tree(tmp_path / "tiny", {"a": ""}), tmp_path / "clones")
