"""An index that loses its power keeps what it has acknowledged; and the disk that loses it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable

import pytest

from tools.chaos.disk import Disk, Tree
from tools.chaos.powerloss import cut_power, summary
from tools.chaos.write_trace import Operation

NEW, OLD = b"new content", b"old"


def found(*done: Operation, draws: int = 200) -> list[Tree]:
    """All that may be found after some operations on a disk."""
    disk = Disk("/top")
    for one in done:
        disk.apply(one)
    return [state for _, state in disk.states(random.Random(0), draws)]


def contents(states: Iterable[Tree], path: str) -> set[bytes | str | None]:
    return {state.get(path, "absent") for state in states}


def made(path: str, content: bytes, *, synced: bool) -> list[Operation]:
    done = [Operation("make", path), Operation("write", path, 0, content)]
    return [*done, Operation("sync", path)] if synced else done


def test_a_name_is_safe_once_its_folder_is_synced() -> None:
    done = made("/top/a", NEW, synced=True)

    assert contents(found(*done), "/top/a") == {NEW, "absent"}
    assert contents(found(*done, Operation("sync", "/top")), "/top/a") == {NEW}


def test_bytes_are_safe_once_the_file_is_synced() -> None:
    seen = contents(found(*made("/top/a", NEW, synced=False), Operation("sync", "/top")), "/top/a")

    assert {b"", NEW, bytes(len(NEW)), NEW[: len(NEW) // 2]} <= seen
    assert "absent" not in seen


def test_a_rename_without_its_bytes_is_found() -> None:
    """The mistake of whoever replaces a file and does not sync it first."""
    old = [*made("/top/a", OLD, synced=True), Operation("sync", "/top")]
    careless = [*made("/top/b", NEW, synced=False), Operation("rename", "/top/b", to="/top/a")]
    careful = [*made("/top/b", NEW, synced=True), Operation("rename", "/top/b", to="/top/a")]

    assert b"" in contents(found(*old, *careless), "/top/a")
    assert contents(found(*old, *careful), "/top/a") == {OLD, NEW}


def test_what_lies_in_a_folder_is_lost_with_its_name() -> None:
    inner = [*made("/top/in/a", NEW, synced=True), Operation("sync", "/top/in")]
    states = found(Operation("folder", "/top/in"), *inner)

    assert contents(states, "/top/in/a") == {NEW, "absent"}


def test_later_changes_may_come_without_earlier_ones() -> None:
    done = [*made("/top/a", NEW, synced=True), *made("/top/b", NEW, synced=True)]
    pairs = {("/top/a" in state, "/top/b" in state) for state in found(*done)}

    assert pairs == {(False, False), (True, False), (False, True), (True, True)}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
@pytest.mark.parametrize(
    ("every", "syncs"), [(8, 7), pytest.param(1, 60, marks=pytest.mark.nightly)]
)
def test_every_state_a_power_loss_may_leave_is_the_old_generation_or_the_new_one(
    every: int, syncs: int
) -> None:
    rows = cut_power(4, 1, draws=1, every=every)
    counted = summary(rows)

    assert [row for row in rows if row["verdict"] == "bad"] == []
    assert counted["syncs at which the power was cut"] > syncs
    assert counted["were the generation acknowledged"] > 0
    assert counted["were the generation being written, whole"] > 0
