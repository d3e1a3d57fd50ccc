"""Stamps: which files need not be read again to know they have not changed.

Only a digest proves a file unchanged, but reading fifty thousand files to compute one is
slow. A stamp (size, times, inode) that was seen together with a digest stands for it as
long as the stamp stays the same. The record is a cache: losing it costs a reading, and
nothing in the index depends on it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

VERSION = 1


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
    scratch = path.with_suffix(f".{os.getpid()}.new")
    record = {"version": VERSION, "files": stamps}
    scratch.write_text(json.dumps(record, separators=(",", ":")), encoding="utf-8")
    scratch.replace(path)
