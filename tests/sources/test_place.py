"""A tree belongs to the repository that says so, not to the one it points at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plait.assembly import open_index
from plait.settings import Settings
from plait.sources import root_of
from plait.sources.git_config import config_value, text_beneath
from plait.sources.place import place_of
from tests.sources.repositories import git, paths, repository, skipped, source, tree

UNTRUE = "does not point back"


def worktree(root: Path, at: Path) -> Path:
    git(root, "worktree", "add", "-q", "-b", at.name, str(at))
    return at


def pointing(folder: Path, there: Path | str) -> Path:
    """A tree whose ``.git`` file names another git directory."""
    return tree(folder, {".git": f"gitdir: {there}\n", "evil.py": "x"})


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    return repository(tmp_path / "victim", {"a.py": "def precious(): pass\n", ".b.py": "x"})


@pytest.mark.parametrize("there", ["", "/worktrees/w", "/modules/sub"])
def test_a_pointer_to_another_repository_is_not_believed(victim: Path, there: str) -> None:
    worktree(victim, victim.parent / "w")
    git(victim, "clone", "-q", "--bare", str(victim), str(victim / ".git" / "modules" / "sub"))
    evil = pointing(victim.parent / "evil", f"{victim}/.git{there}")
    found = root_of(evil)

    assert (found.directory, found.key, found.is_git) == (evil, evil, False)
    assert UNTRUE in found.notes[0]
    assert paths(source(evil)) == ["evil.py"]


def test_a_worktree_directory_of_its_own_making_does_not_lead_to_the_victims(victim: Path) -> None:
    evil = pointing(victim.parent / "evil", "fake/worktrees/w")
    tree(evil, {"fake/worktrees/w/gitdir": f"{evil}/.git\n", "fake/worktrees/w/HEAD": "x"})
    tree(evil, {"fake/worktrees/w/commondir": f"{victim}/.git\n"})
    (evil / "fake" / "worktrees" / "w" / "index").symlink_to(victim / ".git" / "index")

    assert root_of(evil).key == evil
    tree(evil, {"fake/HEAD": "x", "fake/objects/x": "x", "fake/refs/x": "x"})
    assert root_of(evil).key == evil / "fake"  # which is its own
    assert not {"a.py", ".b.py"} & {*paths(source(evil)), *skipped(source(evil))}


def test_links_in_the_place_of_git_directories_are_not_followed(victim: Path) -> None:
    evil = tree(victim.parent / "evil", {"evil.py": "x"})
    (evil / ".git").symlink_to(victim / ".git")

    assert root_of(evil).key == evil
    (evil / ".git").unlink()
    (evil / ".git").mkdir()
    for name in ("HEAD", "objects", "refs", "index", "config"):
        (evil / ".git" / name).symlink_to(victim / ".git" / name)
    tree(evil, {".git/commondir": f"{victim}/.git\n"})
    assert root_of(evil).key == evil / ".git"
    assert paths(source(evil)) == ["evil.py"]


def test_real_worktrees_and_submodules_are_believed(victim: Path) -> None:
    linked = worktree(victim, victim.parent / "linked")
    assert place_of(linked).tree == (linked, victim / ".git/worktrees/linked", victim / ".git")
    assert paths(source(linked)) == [".b.py", "a.py"]

    outer = repository(victim.parent / "outer", {})
    git(outer, "submodule", "--quiet", "add", str(victim), "deep/sub")
    module = outer / ".git" / "modules" / "deep" / "sub"
    assert place_of(outer / "deep" / "sub").tree == (outer / "deep" / "sub", module, module)
    assert paths(source(outer / "deep" / "sub")) == [".b.py", "a.py"]
    other = worktree(outer / "deep" / "sub", victim.parent / "of-a-module")
    assert root_of(other).key == module


def test_a_submodule_of_a_worktree_and_one_of_a_submodule_are_believed(victim: Path) -> None:
    middle = repository(victim.parent / "middle", {})
    git(middle, "submodule", "--quiet", "add", str(victim), "inner")
    git(middle, "commit", "-q", "-m", "inner")
    outer = repository(victim.parent / "outer", {})
    git(outer, "submodule", "--quiet", "add", str(middle), "sub")
    git(outer, "commit", "-q", "-m", "sub")
    linked = worktree(outer, victim.parent / "linked")
    for top in (outer, linked):
        git(top, "submodule", "--quiet", "update", "--init", "--recursive")

    within = "modules/sub/modules/inner"
    assert root_of(outer / "sub" / "inner").key == outer / ".git" / within
    assert root_of(linked / "sub" / "inner").key == outer / ".git/worktrees/linked" / within


@pytest.mark.parametrize("there", ["modules/priv", "worktrees/w", ".git/modules/priv"])
def test_a_pointer_opens_nothing_elsewhere(
    tmp_path: Path, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tree(tmp_path / "elsewhere" / there, {"config": "x", "gitdir": "x"})
    evil = pointing(tmp_path / "evil", elsewhere)
    opened: list[str] = []

    def watched(folder: Path, path: str, limit: int) -> str:
        opened.append(str(folder / path))
        return text_beneath(folder, path, limit)

    monkeypatch.setattr("plait.sources.place.text_beneath", watched)

    assert UNTRUE in root_of(evil).notes[0]
    assert opened == [str(evil / ".git")]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give away")
def test_an_entry_that_belongs_to_another_is_not_opened(victim: Path) -> None:
    linked = worktree(victim, victim.parent / "linked")
    os.chown(victim / ".git" / "worktrees" / "linked" / "gitdir", 65534, 65534)

    assert UNTRUE in root_of(linked).notes[0]


def test_a_relative_pointer_is_believed_both_ways(victim: Path) -> None:
    linked = worktree(victim, victim.parent / "linked")
    tree(linked, {".git": "gitdir: ../victim/.git/worktrees/linked\n"})
    tree(victim, {".git/worktrees/linked/gitdir": "../../../../linked/.git\n"})

    assert root_of(linked).key == victim / ".git"


def test_a_worktree_that_was_copied_is_a_tree_of_its_own(victim: Path) -> None:
    linked = worktree(victim, victim.parent / "linked")
    copy = tree(victim.parent / "copy", {"a.py": "x", ".git": (linked / ".git").read_text()})

    assert root_of(copy).key == copy
    assert root_of(linked).key == victim / ".git"


def test_a_worktree_that_was_moved_is_told_once_with_what_mends_it(victim: Path) -> None:
    moved = worktree(victim, victim.parent / "linked").rename(victim.parent / "moved")
    cache = victim.parent / "cache"
    index = open_index(moved, Settings(cache_dir=str(cache), mode="lexical", workers=1))
    told = [note for note in index.search("precious").notes if UNTRUE in note]

    assert len(told) == 1
    assert "(if you moved it: git worktree repair)" in told[0]
    git(moved, "worktree", "repair")
    assert root_of(moved).notes == ()


@pytest.mark.parametrize("kind", ["fifo", "empty", "folder", "endless"])
def test_a_git_that_is_nothing_of_the_kind_is_a_note(tmp_path: Path, kind: str) -> None:
    root = tree(tmp_path / "r", {"a.py": "x"})
    if kind == "fifo":
        os.mkfifo(root / ".git")
    elif kind == "folder":
        (root / ".git").mkdir()
    else:
        (root / ".git").write_text("gitdir: " + "x/" * 50_000 if kind == "endless" else "")

    assert "plait's own ignore rules apply" in root_of(root).notes[0]
    assert paths(source(root)) == ["a.py"]


@pytest.mark.parametrize("name", ["index", "config", "HEAD", "info/exclude", "info/attributes"])
def test_a_pipe_in_the_git_directory_stops_nothing(tmp_path: Path, name: str) -> None:
    root = repository(tmp_path / "r", {"a.py": "x", "s/b.py": "x"})
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)

    assert paths(source(root)) == ["a.py", "s/b.py"]
    assert root_of(root / "s").directory == root


def test_a_pipe_as_ignore_file_of_git_stops_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    nested = repository(root / "nested", {"b.py": "x"})
    (nested / ".git" / "HEAD").unlink()
    for fifo in (".gitignore", "pipe", ".gitattributes", "nested/.git/HEAD"):
        os.mkfifo(root / fifo)
    git(root, "config", "core.excludesFile", str(root / "pipe"))
    git(root, "config", "core.attributesFile", str(root / "pipe"))

    assert paths(source(root)) == ["a.py"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give away")
def test_a_repository_above_that_belongs_to_another_is_not_believed(tmp_path: Path) -> None:
    shared = repository(tmp_path / "shared", {"a.py": "x"})
    mine = tree(shared / "mine", {"b.py": "x"})
    for path in (shared / ".git", shared):
        os.chown(path, 65534, 65534)

    assert root_of(mine).directory == mine
    assert "belongs to another user" in root_of(mine).notes[0]
    assert root_of(shared).directory == shared  # which was named


@pytest.mark.slow
def test_an_index_is_neither_shared_with_nor_erased_by_a_tree_that_points_at_it(
    victim: Path,
) -> None:
    chosen = Settings(cache_dir=str(victim.parent / "cache"), mode="lexical", workers=1)
    mine = open_index(victim, chosen)
    mine.refresh()
    evil = open_index(pointing(victim.parent / "evil", victim / ".git"), chosen)
    evil.refresh()
    evil.refresh(anew=True)

    assert evil.writer.folder != mine.writer.folder
    assert len(mine.search("precious", fresh=False).results) == 1
    assert not evil.search("precious").results
    evil.writer.store.clear()
    assert len(mine.search("precious", fresh=False).results) == 1


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("[core]\n\tworktree = ../x\n", "../x"),
        ("[CORE] WorkTree=../x ; why", "../x"),
        ('[core]\nworktree = "a b#"  # c\n', "a b#"),
        ("[core]\nworktree = 1\n[core]\nworktree = 2\\\n3\n", "23"),
        ('[core "x"]\nworktree = 1\n', ""),
        ("[core]\nbare\n[other]\nworktree = 1\n", ""),
        ('[core]\nworktree = a\\\\b\\"\n', 'a\\b"'),
        ("[include]\npath = /etc/passwd\n", ""),
    ],
)
def test_a_value_is_read_as_git_reads_it(tmp_path: Path, config: str, expected: str) -> None:
    file = tree(tmp_path, {"config": config}) / "config"

    assert config_value(config, "core", "worktree") == expected
    told = git(tmp_path, "config", "--file", str(file), "--default", "", "core.worktree")
    assert told.rstrip("\n") == expected
