"""Stamps: what is left behind by a process that was killed, and what damage does to them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plait.index.stamps import load_stamps, save_stamps


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process cannot be asked")
def test_what_a_killed_process_left_is_swept_and_what_a_living_one_writes_is_not(
    tmp_path: Path,
) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, text=True, check=True)  # fmt: skip
    dead = tmp_path / f"record.{ended.stdout.strip()}.new"
    odd = tmp_path / "record.new"
    living = tmp_path / f"other.{os.getppid()}.new"
    for path in (dead, odd, living):
        path.write_text("half")

    save_stamps(tmp_path / "record.json", {"a": ("s", "d")})

    assert load_stamps(tmp_path / "record.json") == {"a": ("s", "d")}
    assert {path.name for path in tmp_path.iterdir()} == {"record.json", living.name}


def test_damaged_stamps_are_none_at_all(tmp_path: Path) -> None:
    """A reason or a digest that lost a bit would still be a reason or a digest."""
    record = tmp_path / "record.json"
    save_stamps(record, {"a": ("s", "-binary"), "b": ("s", "d")})
    sound = record.read_bytes()
    record.write_bytes(sound.replace(b"-binary", b"-binary".replace(b"i", b"o")))

    assert load_stamps(record) == {}


def test_stamps_of_another_tree_are_none_at_all(tmp_path: Path) -> None:
    save_stamps(tmp_path / "other.json", {"a": ("s", "-binary")})
    (tmp_path / "other.json").rename(tmp_path / "record.json")

    assert load_stamps(tmp_path / "record.json") == {}
