"""Files of ours: made for us alone, and never through a link, a pipe or a second name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plait.private import files
from tests.private.others import modes, posix_only

pytestmark = posix_only


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim"
    path.write_text("precious")
    return path


def test_files_are_ours_alone_whatever_the_umask(tmp_path: Path, umask: None) -> None:
    folder = tmp_path / "f"
    folder.mkdir()
    folder.chmod(0o700)
    files.create(folder / "created").close()
    files.reopen(folder / "opened").close()
    files.replace_with(folder / "replaced", b"x")
    (folder / "made by a library").touch()
    files.close_to_others(folder / "made by a library")

    assert set(modes(folder).values()) == {0o700, 0o600}
    assert len(modes(folder)) == 5


def write_created(path: Path) -> None:
    with files.create(path) as file:
        file.write(b"ours")


def write_reopened(path: Path) -> None:
    with files.reopen(path) as file:
        file.truncate(0)
        file.write(b"ours")


def write_replaced(path: Path) -> None:
    files.replace_with(path, b"ours")


@pytest.mark.parametrize("write", [write_created, write_reopened, write_replaced])
@pytest.mark.parametrize("plant", ["symlink_to", "hardlink_to"])
def test_nothing_is_written_through_a_planted_name(
    tmp_path: Path, victim: Path, write: Callable[[Path], None], plant: str
) -> None:
    getattr(tmp_path / "planted", plant)(victim)
    try:
        write(tmp_path / "planted")
    except OSError:
        assert write is write_reopened  # the others take the name away

    assert victim.read_text() == "precious"


@pytest.mark.parametrize("act", [files.read, write_reopened])
def test_a_pipe_is_refused_at_once(tmp_path: Path, act: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"plain file|own"):
        act(tmp_path / "pipe")


def test_nothing_is_read_through_a_link(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "link").symlink_to(victim)
    with pytest.raises(files.NotPlain):
        files.read(tmp_path / "link")


def test_nothing_is_removed_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "home" / "inner").mkdir(parents=True)
    (tmp_path / "home" / "letter").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "home")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "link").symlink_to(tmp_path / "home")

    assert files.entries(tmp_path / "link") == []
    files.remove(tmp_path / "link")
    files.remove(tmp_path / "ours")
    assert {path.name for path in tmp_path.iterdir()} == {"home"}
    assert {path.name for path in (tmp_path / "home").iterdir()} == {"inner", "letter"}
