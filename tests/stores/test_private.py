"""A store is its owner's alone, and touches nothing that is not its own."""

from __future__ import annotations

import os
import shutil
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from plait.errors import IndexMissing, PlaitError, StoreUnsafe, StoreUnwritable
from plait.stores.embedded.words import is_elsewhere
from tests.private.others import NOBODY, contents, modes, needs_root, posix_only
from tests.stores.folder import opened, tags, uniform

pytestmark = posix_only


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """What a planted link leads to."""
    folder = tmp_path / "home"
    (folder / "inner").mkdir(parents=True)
    for name in ("letter", "000001.text", "manifest.json", "inner/photo"):
        (folder / name).write_text("precious")
    return folder


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_folders_are_0700_and_files_0600_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        store = opened(tmp_path / "cache" / "store")
        store.commit(uniform("one"))
        store.commit(uniform("two", 3))
        store.snapshot().close()
    finally:
        os.umask(before)

    found = modes(tmp_path / "cache")
    folders = {name for name in found if (tmp_path / "cache" / name).is_dir()}
    assert {found[name] for name in folders} == {0o700}
    assert {found[name] for name in found.keys() - folders} == {0o600}


@pytest.mark.parametrize("place", ["layers", "generations", "generations/000001"])
@pytest.mark.parametrize("act", ["commit", "clear"])
def test_nothing_is_written_or_deleted_through_a_link_in_a_store(
    tmp_path: Path, home: Path, place: str, act: str
) -> None:
    store, before = opened(tmp_path / "store"), contents(home)
    store.commit(uniform("old"))
    if (store.root / place).is_dir():
        shutil.rmtree(store.root / place)
    (store.root / place).symlink_to(home)
    with suppress(PlaitError):  # refused in words, or done without the link
        store.clear() if act == "clear" else store.commit(uniform("new"), anew=True)

    assert contents(home) == before


@pytest.mark.parametrize("act", ["commit", "clear"])
def test_a_store_that_is_a_link_is_left_alone(tmp_path: Path, act: str) -> None:
    real = opened(tmp_path / "real")
    real.commit(uniform("old"))
    before = contents(real.root)
    (tmp_path / "store").symlink_to(real.root)
    store = opened(tmp_path / "store")
    with pytest.raises(StoreUnsafe, match="is a link"):
        store.clear() if act == "clear" else store.commit(uniform("new"))

    assert contents(real.root) == before
    assert tags(store) == {"old"}  # reading is another thing where it was named


@pytest.mark.parametrize("name", ["lock", "CURRENT.new", "layers/000002.text"])
@pytest.mark.parametrize("plant", ["symlink_to", "hardlink_to"])
def test_a_planted_name_costs_its_target_nothing(
    tmp_path: Path, home: Path, name: str, plant: str
) -> None:
    store, before = opened(tmp_path / "store"), contents(home)
    store.commit(uniform("old"))
    (store.root / name).unlink(missing_ok=True)
    getattr(store.root / name, plant)(home / "letter")
    with pytest.raises(StoreUnwritable, match="lock") if name == "lock" else nullcontext():
        store.commit(uniform("new"))

    assert contents(home) == before
    assert tags(store) == ({"old"} if name == "lock" else {"new"})


@pytest.mark.parametrize("name", ["lock", "CURRENT"])
def test_a_pipe_does_not_hang_a_store(tmp_path: Path, name: str) -> None:
    store = opened(tmp_path / "store")
    store.commit(uniform("old"))
    (store.root / name).unlink()
    os.mkfifo(store.root / name)
    with pytest.raises(PlaitError):
        store.commit(uniform("new")) if name == "lock" else store.snapshot()


@needs_root
def test_reading_the_store_of_another_user_changes_nothing_there(tmp_path: Path) -> None:
    store = opened(tmp_path / "store")
    store.commit(uniform("old"))
    for path in (store.root, *store.root.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    before = contents(store.root)

    assert tags(store) == {"old"}
    with pytest.raises(StoreUnsafe, match="belongs to"):
        store.commit(uniform("new"))
    with pytest.raises(StoreUnsafe, match="belongs to"):
        store.clear()
    assert contents(store.root) == before


def test_an_index_reached_through_a_link_is_read_and_known_to_lie_elsewhere(tmp_path: Path) -> None:
    real = tmp_path / "real"
    opened(real).commit(uniform("one"))
    (tmp_path / "store").symlink_to(real)
    (words,) = real.glob("generations/*/words")

    assert tags(opened(tmp_path / "store")) == {"one"}
    assert not is_elsewhere(words)
    assert is_elsewhere(tmp_path / "store" / words.relative_to(real))


def test_a_file_in_the_place_of_a_store_is_no_bug(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("I am a file")
    with pytest.raises(StoreUnsafe, match="not a folder"):
        opened(tmp_path / "store").commit(uniform("new"))
    with pytest.raises(IndexMissing):
        opened(tmp_path / "store").snapshot()
