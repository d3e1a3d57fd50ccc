"""A commit as a source: what git has, without a checkout."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plait.errors import SourceError
from plait.sources import RevisionSource, Selection
from plait.sources.blobs import Blobs
from plait.sources.git import Bounds
from plait.sources.revision import resolve
from plait.types import Listed, Skipped, SourceFile
from tests.sources.repositories import git, repository

FILES = {
    "src/a.py": "def a():\n    return 1\n",
    "src/b.go": "package b\n",
    "notes.md": "# Notes\n",
    "empty.py": "",
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", FILES)


def paths(source: RevisionSource) -> list[str]:
    return [item.path for item in source.listing() if isinstance(item, Listed)]


def read(source: RevisionSource, path: str) -> SourceFile:
    file = source.read(path)
    assert isinstance(file, SourceFile)
    return file


def test_it_lists_the_commit_and_not_the_work_tree(repo: Path) -> None:
    (repo / "src" / "a.py").write_text("changed = True\n")
    (repo / "new.py").write_text("new = True\n")
    source = RevisionSource(repo, "HEAD", name="r")

    assert paths(source) == ["notes.md", "src/a.py", "src/b.go"]
    assert read(source, "src/a.py").content == FILES["src/a.py"].encode()
    assert read(source, "src/a.py").language == "python"


def test_a_bare_clone_gives_the_same(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(tmp_path / "bare"))
    here, bare = (RevisionSource(at, "HEAD", name="r") for at in (repo, tmp_path / "bare"))

    assert list(bare.listing()) == list(here.listing())
    assert read(bare, "src/b.go") == read(here, "src/b.go")


def test_older_commits_keep_their_files_and_equal_files_their_stamps(repo: Path) -> None:
    git(repo, "rm", "-q", "notes.md")
    (repo / "src" / "a.py").write_text("def a():\n    return 2\n")
    git(repo, "commit", "-q", "-a", "-m", "second")
    old, new = (RevisionSource(repo, at, name="r") for at in ("HEAD~1", "HEAD"))
    stamps = {item for item in old.listing() if isinstance(item, Listed)}

    assert "notes.md" in paths(old)
    assert "notes.md" not in paths(new)
    assert [item.path for item in new.listing() if item in stamps] == ["src/b.go"]
    assert read(old, "src/a.py").digest != read(new, "src/a.py").digest


def test_only_a_folder_of_it(repo: Path) -> None:
    assert paths(RevisionSource(repo, "HEAD", name="r", under="src/")) == ["src/a.py", "src/b.go"]


def test_links_and_empty_files_and_large_ones_are_skipped_with_a_reason(repo: Path) -> None:
    (repo / "link.py").symlink_to("src/a.py")
    (repo / "large.py").write_text("x = 1\n" * 100)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "more")
    source = RevisionSource(repo, "HEAD", name="r", selection=Selection(max_bytes=100))
    skipped = {item.path: item.reason for item in source.listing() if isinstance(item, Skipped)}

    assert skipped == {"link.py": "symlink", "large.py": "oversized", "empty.py": "empty"}


def test_its_own_ignore_files_apply(repo: Path) -> None:
    (repo / ".plaitignore").write_text("src/*.go\n")
    (repo / "deep").mkdir()
    (repo / "deep" / ".ignore").write_text("out/\n")
    for folder in ("in", "out"):
        (repo / "deep" / folder).mkdir()
        (repo / "deep" / folder / "c.py").write_text("c = 3\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "ignore")

    kept = paths(RevisionSource(repo, "HEAD", name="r"))
    everything = paths(RevisionSource(repo, "HEAD", name="r", selection=Selection(no_ignore=True)))

    assert "deep/in/c.py" in kept
    assert "deep/out/c.py" not in kept
    assert "src/b.go" not in kept
    assert {"deep/out/c.py", "src/b.go"} <= set(everything)


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "HEAD:src/a.py", ""])
def test_a_commit_that_is_not_there_is_an_error_in_words(repo: Path, revision: str) -> None:
    with pytest.raises(SourceError, match="has no commit"):
        RevisionSource(repo, revision, name="r")


def test_blobs_are_read_by_revision_and_path_and_absent_ones_are_none(repo: Path) -> None:
    with Blobs(repo) as blobs:
        assert blobs.read("HEAD:src/a.py") == FILES["src/a.py"].encode()
        assert blobs.read("HEAD:empty.py") == b""
        assert blobs.read("HEAD:nowhere.py") is None
        assert blobs.read("HEAD:src") is None  # a tree
        assert blobs.read("HEAD:src/a.py\nHEAD:src/b.go") is None
        assert blobs.read("HEAD:src/b.go") == FILES["src/b.go"].encode()


def test_blobs_of_what_is_no_repository_are_an_error(tmp_path: Path) -> None:
    with Blobs(tmp_path) as blobs, pytest.raises(SourceError, match="not a git repository"):
        blobs.read("HEAD:a.py")


@pytest.mark.parametrize("depth", [600, pytest.param(2_000, marks=pytest.mark.slow)])
def test_a_tree_of_many_folders_is_listed_or_skipped_with_a_reason(
    tmp_path: Path, depth: int
) -> None:
    stream = "commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 1\nx\n"
    stream += f"M 644 inline {'d/' * depth}f.py\n"
    stream += "data 1\nx\nM 644 inline .ignore\ndata 2\nz\n\nM 644 inline a.py\ndata 1\nx\n"
    git(tmp_path, "init", "-q", "-b", "main", "--bare", str(tmp_path / "r"))
    run = ["git", "-C", str(tmp_path / "r"), "fast-import", "--quiet"]
    subprocess.run(run, input=stream.encode(), check=True)
    source = RevisionSource(tmp_path / "r", "HEAD", name="r")
    skipped = [item.reason for item in source.listing() if isinstance(item, Skipped)]

    assert "a.py" in paths(source)
    assert skipped == ([] if depth == 600 else ["path"])
    assert len(paths(source)) == (3 if depth == 600 else 2)


def test_loose_packed_and_symbolic_refs_are_found(repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "branch", "packed")
    git(repo, "tag", "-a", "-m", "one", "v1")
    git(repo, "pack-refs", "--all")
    git(repo, "commit", "-q", "--allow-empty", "-m", "two")
    git(repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/packed")
    git(repo, "worktree", "add", "-q", "--detach", str(repo.parent / "w"), first)

    for name in ("packed", "v1", "origin", "HEAD~1", "HEAD^", first[:12]):
        assert resolve(repo, name) == first
    assert resolve(repo.parent / "w", "HEAD") == first
    assert resolve(repo, "HEAD") == git(repo, "rev-parse", "HEAD").strip()


def test_what_git_says_is_bounded(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.sources.git.USUAL", Bounds(reply_bytes=10))

    with pytest.raises(SourceError, match="more than 10 bytes"):
        list(RevisionSource(repo, "HEAD", name="r").listing())
