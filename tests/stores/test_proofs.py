"""A file is read once and believed until somebody touches it; whoever touches it, it is told."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plait.errors import IndexCorrupt
from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.proofs import GRAIN_NS, LIFETIME_NS, RECORD, Proofs
from plait.types import Scope, Term
from tests.contract.notation import file
from tests.stores.folder import opened, tags, uniform

GRAIN_S = GRAIN_NS / 1e9


@pytest.fixture
def root(place: Path) -> Path:
    """An index of two generations whose files are all old enough to be believed."""
    store = opened(place / "store")
    store.commit(uniform("first"))
    store.commit([file("new.py", "common first\n")])
    age(store.root)
    store.snapshot().close()
    return store.root


def age(root: Path) -> None:
    """Let a write be told from what was written before."""
    time.sleep(2 * GRAIN_S)
    assert root.exists()


@contextmanager
def counted_reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that are read to prove them."""
    read: list[str] = []
    really = Proofs.read

    def counted(self: Proofs, name: str) -> tuple[int, str]:
        read.append(name)
        return really(self, name)

    with monkeypatch.context() as patch:
        patch.setattr(Proofs, "read", counted)
        yield read


def a_layer(root: Path) -> Path:
    return min((root / "layers").glob("*.text"))


def flip(path: Path) -> None:
    with path.open("r+b") as opened_file:
        first = opened_file.read(1)
        opened_file.seek(0)
        opened_file.write(bytes([first[0] ^ 1]))


def test_what_was_proved_is_not_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted_reads(monkeypatch) as read:
        opened(root).snapshot().close()

    assert read == []


def test_a_commit_costs_no_reading_of_what_was_there(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its hard links move a time of every file of the word index."""
    before = set(read_current(root).files)
    old_words = {Path(name).name for name in before if "/words/" in name} - {"meta.json"}
    with counted_reads(monkeypatch) as read:
        opened(root).commit([file("newer.py", "common first\n")])
        opened(root).snapshot().close()

    assert old_words
    assert not {Path(name).name for name in read} & old_words
    assert not set(read) & before


def test_a_commit_that_changes_nothing_costs_no_reading(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted_reads(monkeypatch) as read:
        opened(root).commit([])
        opened(root).snapshot().close()

    assert read == []


def test_a_changed_byte_is_told_even_if_the_time_of_the_write_is_put_back(root: Path) -> None:
    layer = a_layer(root)
    before = layer.stat()
    flip(layer)
    os.utime(layer, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(IndexCorrupt, match=f"{layer.name} is not what was written"):
        opened(root).snapshot()


def test_a_write_right_after_the_proof_is_told(place: Path) -> None:
    """Within the clock's grain of its making a file has no proof yet."""
    for number in range(20):
        store = opened(place / f"store{number}")
        store.commit(uniform("first"))
        store.snapshot().close()
        flip(a_layer(store.root))

        with pytest.raises(IndexCorrupt):
            store.snapshot()


def test_a_copied_index_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = root.with_name("copy")
    shutil.copytree(root, copy)
    age(copy)
    with counted_reads(monkeypatch) as read:
        opened(copy).snapshot().close()
    first = set(read)
    with counted_reads(monkeypatch) as read:
        opened(copy).snapshot().close()

    assert first == set(read_current(copy).files)
    assert read == []


def test_a_copy_that_lost_a_byte_on_its_way_is_told(root: Path) -> None:
    copy = root.with_name("copy")
    shutil.copytree(root, copy)
    flip(a_layer(copy))

    with pytest.raises(IndexCorrupt):
        opened(copy).snapshot()
    assert tags(opened(root)) == {"first"}


@pytest.mark.parametrize("how", ["removed", "emptied", "damaged", "cut", "of another index"])
def test_without_a_record_everything_is_read(
    root: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = root / RECORD
    content = record.read_bytes()
    if how == "removed":
        record.unlink()
    elif how == "of another index":
        other = opened(root.with_name("other"))
        other.commit(uniform("other"))
        age(other.root)
        other.snapshot().close()
        shutil.copyfile(other.root / RECORD, record)
    else:
        middle = len(content) // 2
        damaged = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        record.write_bytes({"emptied": b"", "damaged": damaged, "cut": content[:-1]}[how])
    with counted_reads(monkeypatch) as read:
        opened(root).snapshot().close()

    assert set(read) == set(read_current(root).files)
    assert record.read_bytes() != b""


def test_a_proof_lasts_a_week(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + LIFETIME_NS + 1)
    with counted_reads(monkeypatch) as read:
        opened(root).snapshot().close()

    assert set(read) == set(read_current(root).files)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders are read-only on POSIX")
def test_who_may_not_write_here_believes_the_record(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may always
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + LIFETIME_NS + 1)
    with counted_reads(monkeypatch) as read:
        opened(root).snapshot().close()

    assert read == []


def test_a_record_that_cannot_be_written_is_no_failure(root: Path) -> None:
    (root / RECORD).unlink()
    (root / RECORD).mkdir()  # not even root can replace a folder by a file

    assert tags(opened(root)) == {"first"}
    assert not list(root.glob("*.new"))


def test_the_record_is_for_nobody_else(root: Path) -> None:
    if os.name == "posix":
        assert (root / RECORD).stat().st_mode & 0o777 == 0o600


def test_a_clear_forgets(root: Path) -> None:
    opened(root).clear()

    assert not (root / RECORD).exists()


@pytest.mark.parametrize("how", ["cut", "changed", "changed, its time put back"])
@pytest.mark.parametrize("suffix", ["text", "tables", "grams", "term", "idx", "store"])
@pytest.mark.skipif(os.name == "nt", reason="what is mapped cannot be written to there")
def test_a_file_that_is_written_to_under_an_open_snapshot_is_told(
    root: Path, how: str, suffix: str
) -> None:
    """Cut short it would kill the process."""
    snapshot = opened(root).snapshot()
    names = [name for name in read_current(root).files if name.endswith(f".{suffix}")]
    if not names:
        pytest.skip(f"no file of this index ends so: {suffix}")
    age(root)
    for name in names:
        before = (root / name).stat()
        if how == "cut":
            os.truncate(root / name, 0)
        else:
            flip(root / name)
        if how.endswith("put back"):
            os.utime(root / name, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(IndexCorrupt, match="was changed while it was in use"):
        snapshot.match(Term("common"), Scope(), 10)


def test_links_to_the_files_of_an_open_snapshot_are_no_damage(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = opened(root).snapshot()
    names = [name for name in read_current(root).files if "/words/" in name]
    for number, name in enumerate(names):
        (root.parent / f"link{number}").hardlink_to(root / name)
    age(root)

    assert snapshot.match(Term("common"), Scope(), 10).hits
    age(root)
    with counted_reads(monkeypatch) as read:
        assert snapshot.match(Term("common"), Scope(), 10).hits
    assert read == []


def test_an_open_snapshot_outlives_what_is_collected(root: Path) -> None:
    snapshot = opened(root).snapshot()
    for number in range(3):
        opened(root).commit(uniform(f"later{number}"))
    age(root)

    assert snapshot.match(Term("common"), Scope(), 10).hits


def test_damage_between_two_commits_is_not_carried_on(root: Path) -> None:
    words = [root / name for name in read_current(root).files if "/words/" in name]
    for path in words:
        content = path.read_bytes()
        if not content:
            continue
        flip(path)

        with pytest.raises(IndexCorrupt):
            opened(root).commit([file("newer.py", "common first\n")])
        path.write_bytes(content)
    assert Proofs(root).prove(read_current(root).files)
