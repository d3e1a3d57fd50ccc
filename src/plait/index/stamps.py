"""Stamps: which files need not be read again to know they have not changed.

Only a digest proves a file unchanged, but reading fifty thousand files to compute one is
slow. A stamp (size, times, inode) that was seen together with a digest stands for it as
long as the stamp stays the same. The record is a cache: losing it costs a reading, and
nothing in the index depends on it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

VERSION = 1
LONGEST_WRITE_S = 3_600.0


def load_stamps(path: Path) -> dict[str, tuple[str, str]]:
    """Path to (stamp, outcome) as last seen; empty if there is no usable record."""
    try:
        record = json.loads(path.read_bytes())
        if record["version"] != VERSION:
            return {}
        return {name: (stamp, outcome) for name, (stamp, outcome) in record["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def save_stamps(path: Path, stamps: Mapping[str, tuple[str, str]]) -> None:
    """Replace the record; a reader sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob("*.new"):
        if not _is_being_written(left):
            left.unlink(missing_ok=True)
    scratch = path.with_suffix(f".{os.getpid()}.new")
    record = {"version": VERSION, "files": stamps}
    scratch.write_text(json.dumps(record, separators=(",", ":")), encoding="utf-8")
    with suppress(FileNotFoundError):  # swept by another machine: it cost the record, no more
        scratch.replace(path)


def _is_being_written(scratch: Path) -> bool:
    """Whether the process that a half-written record is named after may still be at it."""
    try:
        if os.name != "posix":
            return time.time() - scratch.stat().st_mtime < LONGEST_WRITE_S
        os.kill(int(scratch.name.split(".")[-2]), 0)  # asks, and does nothing else
    except (FileNotFoundError, ProcessLookupError, ValueError, IndexError, OverflowError):
        return False
    except PermissionError:
        pass  # somebody else's process
    return True
