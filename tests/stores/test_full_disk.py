"""A full disk: the commit fails in words, and the generation before goes on serving."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.errors import IndexMissing, StoreFull
from plait.types import Change
from tests.contract.notation import file
from tests.stores.folder import expected, opened, present, tags, uniform

SIZE_BYTES = 3 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("a small disk can be mounted only by root on Linux")
    folder = tmp_path / "disk"
    folder.mkdir()
    options = f"size={SIZE_BYTES}"
    run = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False, text=True,
        capture_output=True,
    )  # fmt: skip
    if run.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {run.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path, leave_bytes: int) -> None:
    """Take all the room but this."""
    with (disk / "ballast").open("wb") as ballast:
        room = os.statvfs(disk)
        ballast.write(b"x" * max(room.f_bavail * room.f_frsize - leave_bytes, 0))


def large() -> Iterator[Change]:
    rng = random.Random(0)
    for n in range(400):
        words = " ".join(f"w{rng.randrange(10**9)}" for _ in range(1_000))
        yield file(f"large{n}.py", f"common large {words}\n")


def test_a_commit_that_finds_no_room_fails_in_words(disk: Path) -> None:
    store = opened(disk / "store")
    store.commit(uniform("old"))
    with pytest.raises(StoreFull, match="no room") as caught:
        store.commit(large())

    assert "still answers" in caught.value.hint
    assert tags(store) == {"old"}
    assert store.check() == []
    assert present(store.root) == expected(store.root)  # the room it took is free again
    store.commit(uniform("new"))
    assert tags(store) == {"new"}


def test_a_first_commit_that_finds_no_room_leaves_no_index(disk: Path) -> None:
    store = opened(disk / "store")
    with pytest.raises(StoreFull) as caught:
        store.commit(large())

    assert str(caught.value) == f"no room to write the index in {store.root}"
    assert caught.value.hint == "free some disk space, or name another folder: PLAIT_CACHE_DIR"
    with pytest.raises(IndexMissing):
        store.snapshot()
    assert present(store.root) <= {"lock"}


@pytest.mark.parametrize("leave_pages", range(0, 40, 2))
def test_wherever_the_room_ends_the_index_serves(disk: Path, leave_pages: int) -> None:
    store = opened(disk / "store")
    store.commit(uniform("old"))
    fill(disk, leave_pages * 4096)
    try:
        store.commit(uniform("new"))
        state = "new"
    except StoreFull:
        state = "old"

    assert tags(store) == {state}
    assert store.check() == []
    (disk / "ballast").unlink()
    store.commit(uniform("next"))
    assert tags(store) == {"next"}
    assert present(store.root) == expected(store.root)


def test_an_index_can_be_cleared_on_a_full_disk(disk: Path) -> None:
    store = opened(disk / "store")
    store.commit(uniform("old"))
    fill(disk, 0)
    store.clear()

    with pytest.raises(IndexMissing):
        store.snapshot()
