"""Watching: whether the files of an open snapshot are still those that were proved.

A snapshot maps its files and may stay open for hours. A file that somebody writes to meanwhile
would answer wrongly, and one that is cut short would kill the process that touches its end. Plait
itself never does either: it removes files, which leaves their mappings whole.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from plait.errors import IndexCorrupt
from plait.stores.embedded.manifest import REBUILD
from plait.stores.embedded.proofs import Files, Proofs, is_young

EVERY_S = 0.02  # a look costs 3 or 4 microseconds a file (tools/chaos/proof_cost.py)


class _Seen(NamedTuple):
    """What a file was when it was proved."""

    path: str
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


class Watch:
    """Looks after the files of one snapshot.

    Args:
        root: The store.
        files: Path below it to size and digest.
        seen: Path below it to what the file was when it was proved.
    """

    def __init__(self, root: Path, files: Files, seen: Mapping[str, os.stat_result]) -> None:
        self._root = root
        self._proved = files
        self._files = {
            name: _Seen(
                f"{root}/{name}",
                status.st_ino,
                status.st_size,
                status.st_mtime_ns,
                status.st_ctime_ns,
            )
            for name, status in seen.items()
        }
        self._next = time.monotonic() + EVERY_S
        now_ns = time.time_ns()
        # Whether a write after the proof would have left a trace, whichever file it was to.
        self.is_settled = not any(is_young(one.st_mtime_ns, now_ns) for one in seen.values())

    def _is_replaced(self, name: str) -> bool:
        """Whether another file has the name of one that was removed."""
        return (self._root / name).stat().st_ino != self._files[name].inode

    def check(self) -> None:
        """Read every file that is still there and compare it with what was written.

        Raises:
            IndexCorrupt: One is not the same.
        """
        proofs = Proofs(self._root)
        for name, expected in self._proved.items():
            with suppress(FileNotFoundError):  # removed, as a writer does with what it replaced
                if not self._is_replaced(name) and proofs.read(name) != expected:
                    raise IndexCorrupt(f"{name} is not what was written", hint=REBUILD)

    def look(self, *, at_once: bool = False) -> None:
        """Look at the files, unless that was done just now.

        Args:
            at_once: Look even so.

        Raises:
            IndexCorrupt: One was written to.
        """
        now = time.monotonic()
        if now < self._next and not at_once:
            return
        touched: dict[str, _Seen] = {}
        for name, (path, inode, size, mtime_ns, ctime_ns) in self._files.items():
            with suppress(OSError):  # removed, as a writer does with what it replaced
                status = os.stat(path)  # noqa: PTH116 - half the time of the method
                if status.st_ino != inode:
                    continue  # another file by this name: ours was removed, its mapping is whole
                if status.st_size != size or status.st_mtime_ns != mtime_ns:
                    raise IndexCorrupt(f"{name} was changed while it was in use", hint=REBUILD)
                if status.st_ctime_ns != ctime_ns:
                    touched[name] = _Seen(path, inode, size, mtime_ns, status.st_ctime_ns)
        if touched:  # linked by a writer, or written to and its time put back
            proofs = Proofs(self._root)
            for name in touched:
                with suppress(FileNotFoundError):
                    proofs.confirm(name, self._proved[name])
            self._files.update(touched)
        self._next = now + EVERY_S
