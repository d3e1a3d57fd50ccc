"""A tree may be as deep as anybody makes it; a walk takes linear time and stops somewhere."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.beneath import DEEPEST, is_plain
from plait.sources.descent import Descent
from plait.types import Skipped
from tests.sources.repositories import paths, skipped, source, tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="makes what has no path of its own")


def dig(root: Path, levels: int, name: str = "d") -> int:
    """Folders in folders, as deep as may be; the descriptor of the last."""
    folder = os.open(root, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=folder)
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    return folder


def write(folder: int, name: str) -> None:
    file = os.open(name, os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=folder)
    os.write(file, b"x = 1\n")
    os.close(file)


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    root = tree(tmp_path / "deep", {"top.py": "x = 1\n"})
    folder = dig(root, 400)
    write(folder, "bottom.py")
    os.close(folder)
    yield root
    subprocess.run(["rm", "-rf", str(root)], check=True)  # it needs no path that long; we would


def test_four_hundred_levels_are_one_skipped_folder(deep: Path) -> None:
    began = time.process_time()
    listed = source(deep)

    assert paths(listed) == ["top.py"]
    (found,) = (item for item in listed.listing() if isinstance(item, Skipped))
    assert found.path == "/".join("d" * (DEEPEST + 1))
    assert found.reason == "deep"
    assert "more than 128 folders deep" in found.detail
    assert time.process_time() - began < 2


def test_what_lies_as_deep_as_allowed_is_listed_and_read(tmp_path: Path) -> None:
    inner = "/".join("d" * DEEPEST)
    folder = dig(tmp_path, DEEPEST)
    write(folder, "in.py")
    os.mkdir("d", dir_fd=folder)
    below = os.open("d", os.O_RDONLY, dir_fd=folder)
    write(below, "out.py")
    os.close(below)
    os.close(folder)
    listed = source(tmp_path)

    assert paths(listed) == [f"{inner}/in.py"]
    assert skipped(listed) == {f"{inner}/d": "deep"}
    assert not isinstance(listed.read(f"{inner}/in.py"), Skipped)
    refused = listed.read(f"{inner}/d/out.py")
    assert isinstance(refused, Skipped)
    assert refused.reason == "deep"


def test_a_walk_opens_each_folder_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name and relative to its parent, however deep it lies."""
    folder = dig(tmp_path, 100)
    write(folder, "x.py")
    os.close(folder)
    opened: list[object] = []
    real = os.open

    def counted(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        opened.append(path)
        return real(path, flags, mode, dir_fd=dir_fd)

    listed = source(tmp_path)
    monkeypatch.setattr(os, "open", counted)
    assert len(paths(listed)) == 1

    assert opened.count("d") == 100


def test_a_listing_that_is_given_up_closes_what_it_opened(tmp_path: Path) -> None:
    root = tree(tmp_path, {"a/b/c/x.py": "x\n", "a/b/y.py": "x\n", "z.py": "x\n"})
    before = len(list(Path("/dev/fd").iterdir()))
    listing = source(root).listing()
    next(iter(listing))
    del listing

    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_folder_that_was_swapped_for_a_link_is_not_entered(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", {"canary.py": "x\n"})
    root = tree(tmp_path / "root", {"a/x.py": "x\n", "b/y.py": "x\n"})
    with Descent(root) as descent:
        descent.enter("")
        (root / "a" / "x.py").unlink()
        (root / "a").rmdir()
        (root / "a").symlink_to(outside)
        with pytest.raises(NotADirectoryError):
            descent.enter("a")

        with os.scandir(descent.enter("b")) as entries:
            assert [entry.name for entry in entries] == ["y.py"]


@pytest.mark.parametrize(
    "name",
    ["CON", "con.py", "nul", "aux.tar.gz", "COM1", "lpt9.c", "a:b", "a\\b", "x.", "x ", "a?"],
)
def test_what_windows_reads_otherwise_is_no_plain_name_there(name: str) -> None:
    assert is_plain(name, on_windows=False)
    assert not is_plain(name, on_windows=True)
