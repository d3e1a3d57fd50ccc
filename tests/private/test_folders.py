"""Folders of ours: who else could write to them, and what is done about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.errors import StoreUnsafe
from plait.private.folders import PrivateFolder, make_folder
from tests.private.others import NOBODY, as_nobody, modes, needs_root, posix_only

pytestmark = posix_only


@pytest.fixture(params=[0o000, 0o022, 0o002, 0o077, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.fixture
def sticky(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like /tmp, which everybody can reach."""
    base = tmp_path_factory.getbasetemp()
    above = list(base.parents)[: 2 if base.name.startswith("popen-") else 1]  # one of each worker
    for place in (tmp_path, base, *above):
        place.chmod(0o755)
    folder = tmp_path / "tmp"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def test_folders_are_ours_alone_whatever_the_umask(tmp_path: Path, umask: None) -> None:
    PrivateFolder(tmp_path / "a" / "cache" / "index", tmp_path / "a" / "cache").make()
    make_folder(tmp_path / "a" / "cache" / "index" / "layers")

    assert set(modes(tmp_path / "a").values()) == {0o700}


def test_the_names_of_new_folders_are_on_the_disk_before_anything_is_kept_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power loss would take an index that was synced with the name of its folder."""
    synced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda handle: synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
    )
    PrivateFolder(tmp_path / "cache" / "index", tmp_path / "cache").make()

    assert synced == [str(tmp_path), str(tmp_path / "cache")]


def test_what_an_older_plait_left_open_is_closed(tmp_path: Path) -> None:
    cache, layers = tmp_path / "cache", tmp_path / "cache" / "tree-0123456789abcdef" / "layers"
    layers.mkdir(parents=True)
    (layers / "1.text").write_text("secret")
    for path in (cache, layers.parent, layers):
        path.chmod(0o755)
    (layers / "1.text").chmod(0o644)
    PrivateFolder(layers.parent, cache).make()

    assert modes(cache) == {
        ".": 0o700,
        "tree-0123456789abcdef": 0o700,
        "tree-0123456789abcdef/layers": 0o700,
        "tree-0123456789abcdef/layers/1.text": 0o600,
    }


def test_a_folder_the_user_named_that_holds_other_things_stays_as_it_is(tmp_path: Path) -> None:
    cache = tmp_path / "mine"
    cache.mkdir()
    (cache / "letters").mkdir()
    (cache / "letters").chmod(0o755)
    cache.chmod(0o755)
    PrivateFolder(cache / "tree-0123456789abcdef", cache).make()

    assert modes(cache) == {".": 0o755, "letters": 0o755, "tree-0123456789abcdef": 0o700}


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
@pytest.mark.parametrize("place", ["cache", "cache/index"])
def test_a_folder_others_can_write_to_is_not_written_to(
    tmp_path: Path, place: str, mode: int
) -> None:
    (tmp_path / "cache" / "index").mkdir(parents=True)
    os.chown(tmp_path / place, -1, NOBODY if os.geteuid() == 0 else -1)
    (tmp_path / place).chmod(mode)
    folder = PrivateFolder(tmp_path / "cache" / "index", tmp_path / "cache")
    with pytest.raises(StoreUnsafe, match=f"by others .mode 0{mode:o}.*nothing is written") as no:
        folder.make()

    assert "PLAIT_CACHE_DIR" in no.value.hint
    folder.check_reading()  # it was named
    with pytest.raises(StoreUnsafe, match="not read"):
        PrivateFolder(folder.path, folder.top, is_named=False).check_reading()


@pytest.mark.parametrize("place", ["cache", "cache/index"])
def test_a_link_is_not_written_to(tmp_path: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "index").mkdir(parents=True)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).symlink_to(elsewhere)
    with pytest.raises(StoreUnsafe, match="is a link"):
        PrivateFolder(tmp_path / "cache" / "index", tmp_path / "cache").make()

    assert [path.name for path in elsewhere.iterdir()] == ["index"]


def test_a_link_above_our_folders_is_ours_to_make(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    (tmp_path / ".cache").symlink_to(tmp_path / "large")
    cache = tmp_path / ".cache" / "plait"
    PrivateFolder(cache / "index", cache).make()

    assert (tmp_path / "large" / "plait" / "index").is_dir()


def test_a_parent_that_others_can_write_to_would_let_them_replace_ours(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    folder = PrivateFolder(tmp_path / "open" / "cache" / "index", tmp_path / "open" / "cache")
    with pytest.raises(StoreUnsafe, match="open can be written to by others"):
        folder.make()

    (tmp_path / "open").chmod(0o1777)
    folder.make()
    assert folder.path.is_dir()


def test_a_cache_that_others_can_write_to_is_refused_sticky_or_not(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    for mode in (0o777, 0o1777):
        cache.chmod(mode)
        with pytest.raises(StoreUnsafe, match="can be written to by others"):
            PrivateFolder(cache / "index", cache).make()


def test_the_way_through_a_link_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "open" / "large").mkdir(parents=True)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / ".cache").symlink_to(tmp_path / "open" / "large")
    with pytest.raises(StoreUnsafe, match="open can be written to by others"):
        PrivateFolder(tmp_path / ".cache" / "plait").make()


@needs_root
def test_a_folder_of_another_user_is_not_written_to_even_by_root(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    os.chown(cache, NOBODY, NOBODY)
    with pytest.raises(StoreUnsafe, match=rf"belongs to .*{NOBODY}"):
        PrivateFolder(cache / "index", cache).make()
    with pytest.raises(StoreUnsafe, match=rf"belongs to .*{NOBODY}"):  # nor what lies in one
        PrivateFolder(cache / "a" / "b", cache / "a").make()

    assert list(cache.iterdir()) == []


@needs_root
@pytest.mark.parametrize("plant", ["mkdir -m 777", "ln -s /"])
def test_what_another_user_put_where_ours_was_to_be_is_refused(sticky: Path, plant: str) -> None:
    assert as_nobody(*plant.split(), sticky / "plait").returncode == 0
    cache = sticky / "plait"
    with pytest.raises(StoreUnsafe, match=r"is a link|belongs to"):
        PrivateFolder(cache / "index", cache).make()
    with pytest.raises(StoreUnsafe):  # a link of theirs higher up is theirs to change
        PrivateFolder(cache / "deep" / "index", cache / "deep").make()
    with pytest.raises(StoreUnsafe, match="not read"):
        PrivateFolder(cache / "index", cache, is_named=False).check_reading()


@needs_root
def test_another_user_reads_nothing_in_a_shared_place(sticky: Path) -> None:
    cache = sticky / "plait"
    PrivateFolder(cache / "index", cache).make()
    (cache / "index" / "text").write_text("secret")

    assert as_nobody("ls", sticky).returncode == 0
    assert as_nobody("ls", cache).returncode != 0
    assert as_nobody("cat", cache / "index" / "text").returncode != 0
    assert as_nobody("mv", cache, sticky / "gone").returncode != 0


def test_a_file_in_the_place_of_a_folder_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("I am a file")
    with pytest.raises(StoreUnsafe, match="cache is not a folder"):
        PrivateFolder(tmp_path / "cache" / "index", tmp_path / "cache").make()
