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

from plait.errors import StoreUnwritable
from plait.private import files
from plait.private.folders import PrivateFolder, make_folder
from plait.private.records import read_record, write_record
from plait.private.trouble import in_words
from plait.types.notes import RECORD, Note

VERSION = 1
LONGEST_WRITE_S = 3_600.0


def load_stamps(path: Path) -> dict[str, tuple[str, str]]:
    """Path to (stamp, outcome) as last seen; empty if there is no usable record."""
    try:
        record = json.loads(read_record(path))
        if record["version"] != VERSION:
            return {}
        return {name: (stamp, outcome) for name, (stamp, outcome) in record["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def save_stamps(
    path: Path, stamps: Mapping[str, tuple[str, str]], private: PrivateFolder | None = None
) -> None:
    """Replace the record; a reader sees the old one or the new one.

    Args:
        path: The record.
        stamps: Path to (stamp, outcome).
        private: The folder of ours which it is in; by default the one it lies in.

    Raises:
        StoreUnsafe: Others could change what is kept there.
        OSError: It cannot be written.
    """
    (private or PrivateFolder(path.parent)).make()
    make_folder(path.parent)
    for left in files.entries(path.parent):
        if left.suffix == ".new" and not _is_being_written(left):
            files.remove(left)
    record = {"version": VERSION, "files": stamps}
    with suppress(FileNotFoundError):  # swept by another machine: it cost the record, no more
        write_record(path, json.dumps(record, separators=(",", ":")).encode())


def kept_stamps(
    path: Path, stamps: Mapping[str, tuple[str, str]], private: PrivateFolder | None
) -> tuple[Note, ...]:
    """Save the record; what to say if that cannot be done, for the index is right all the same."""
    try:
        save_stamps(path, stamps, private)
    except (OSError, StoreUnwritable) as error:
        reason = in_words(error, path)
        told = f"{reason}; the next search has to read files again that have not changed"
        return (Note(RECORD, told),)
    return ()


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
