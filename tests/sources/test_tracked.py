"""Listing git work trees, with git's rules and ours on top."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.sources.staged import Unreadable, index_names
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
    assert skipped(source(root)) == {"d": "symlink"}
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


def test_what_is_tracked_is_known_where_git_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r", {"a.py": "x", ".gitignore": "*.log\n", "b.log": "x"})
    tree(root, {"new.log": "x", "new.py": "x"})
    monkeypatch.setenv("PATH", str(tmp_path))
    found = source(root)

    assert paths(found) == [".gitignore", "a.py", "b.log", "new.py"]
    assert found.notes == ()


def test_a_broken_repository_is_walked_and_a_note_says_so(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x", ".b.py": "x"})
    whole = (root / ".git" / "index").read_bytes()
    for broken in (b"garbage", whole[:70], whole[:-30], whole[:8] + b"\xff" * 4 + whole[12:]):
        (root / ".git" / "index").write_bytes(broken)
        found = source(root)

        assert paths(found) == ["a.py"]
        assert "index" in found.notes[0]
        assert "plait's own ignore rules apply" in found.notes[0]


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


def test_variables_of_a_calling_hook_do_not_lead_astray(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(tmp_path / "r", {".a.py": "listed only because it is tracked"})
    other = repository(tmp_path / "o", {"b.py": "x"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))

    assert paths(source(root)) == [".a.py"]


@pytest.mark.parametrize("version", ["2", "4"])
@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_every_kind_of_index_is_read(tmp_path: Path, version: str, kind: str) -> None:
    root = tmp_path / "r"
    files = {f".d{n}/{'e' * (n % 9)}{n}.py": "x" for n in range(300)}
    git(tmp_path, "init", "-q", f"--object-format={kind}", str(root))
    tree(root, files)
    git(root, "add", "-A")
    git(root, "update-index", "--index-version", version)

    assert paths(source(root)) == sorted(files)


def test_a_name_too_long_for_its_length_and_flags_that_need_room_are_read() -> None:
    flags = {"short": b"\0\x05", "longer": b"\x40\x06\0\0", "x" * 5000: b"\x0f\xff"}
    entries = b""
    for name, bits in flags.items():
        entry = b"\0" * 60 + bits + name.encode()
        entries += entry + b"\0" * (8 - len(entry) % 8)
    index = b"DIRC\0\0\0\3\0\0\0\3" + entries + b"TREE\0\0\0\1x" + b"\0" * 20

    assert list(index_names(index)) == [name.encode() for name in flags]
    for cut in {*range(len(index))} - {len(index) - 9}:  # without the extension it is sound
        with pytest.raises(Unreadable):
            list(index_names(index[:cut]))


def test_a_split_index_and_one_whose_names_explode_are_refused() -> None:
    head = b"DIRC\0\0\0\4"
    bomb = b"\0" * 60 + b"\0\0" + b"\0" + b"x" * 100_000 + b"\0"
    bomb += (b"\0" * 60 + b"\0\0" + b"\1" + b"y\0") * 3_000

    with pytest.raises(Unreadable, match="longer than"):
        list(index_names(head + (3001).to_bytes(4) + bomb + b"\0" * 20))
    with pytest.raises(Unreadable, match="'link' is not supported"):
        list(index_names(head + b"\0\0\0\0" + b"link\0\0\0\0" + b"\0" * 20))


def test_an_index_that_tracks_the_git_directory_does_not_open_it(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    index = root / ".git" / "index"
    entry = b"\0" * 60 + b"\0\x0b.git/config" + b"\0" * 7
    index.write_bytes(b"DIRC\0\0\0\2\0\0\0\1" + entry + b"\0" * 20)

    assert list(index_names(index.read_bytes())) == [b".git/config"]
    assert paths(source(root)) == ["a.py"]


@pytest.mark.parametrize("depth", [600, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_deep_tree_is_listed_to_a_depth(tmp_path: Path, depth: int) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    here = os.open(root, os.O_RDONLY)
    for _ in range(depth):  # a path of 10,000 folders cannot be named whole
        os.mkdir("d", dir_fd=here)
        here, above = os.open("d", os.O_RDONLY, dir_fd=here), here
        os.close(above)
    os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    git(root, "add", "-A") if depth < 2000 else None
    reasons = {*skipped(source(root)).values()}

    listed = paths(source(root))
    subprocess.run(["rm", "-rf", str(root)], check=True)  # which pytest could not

    assert listed == ["a.py"]
    assert reasons == {"deep"}


def test_an_index_of_endless_folders_is_refused(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "x"})
    names = sorted(f"{n:04}/" + "d/" * 2000 + "f" for n in range(100))
    entries = b""
    for name in names:
        entry = b"\0" * 60 + b"\x0f\xff" + name.encode()
        entries += entry + b"\0" * (8 - len(entry) % 8)
    head = b"DIRC\0\0\0\2" + len(names).to_bytes(4)
    (root / ".git" / "index").write_bytes(head + entries + b"\0" * 20)
    found = source(root)

    assert paths(found) == ["a.py"]
    assert "too deep and too many" in found.notes[0]


NAMES = st.sampled_from(["a", "b.py", ".h", "c.log", "node_modules", "x.py"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
LINES = st.sampled_from(["*.log", "a/", "!a/", "/b.py", "x.py", "!*.log", ".h", "a/**", "!x.py"])


@settings(max_examples=30)
@given(st.lists(PATHS, max_size=12), st.lists(LINES, max_size=4), st.lists(LINES, max_size=3))
def test_a_listing_agrees_with_git(paths_: list[str], top: list[str], deeper: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "r"
        root.mkdir()
        git(root, "init", "-q")
        for n, path in enumerate(paths_):
            with suppress(OSError):  # a file stands where a folder should
                tree(root, {path: "x"})
                if n % 2:
                    git(root, "add", "-f", "--", path)
        with suppress(OSError):
            tree(root, {".gitignore": "\n".join(top), "a/.gitignore": "\n".join(deeper)})
        listed = git(root, "ls-files", "-z", "-co", "--exclude-standard").split("\0")
        tracked = set(git(root, "ls-files", "-z", "-c").split("\0"))
        expected = {
            path
            for path in listed
            if path in tracked or not re.search(r"(^|/)(\.h(/|$)|node_modules/)", path)
        }

        found = [p for p in paths(source(root, hidden=False)) if not p.endswith(".gitignore")]
        assert found == sorted(p for p in expected if p and not p.endswith(".gitignore"))


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
