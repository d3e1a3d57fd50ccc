"""The writer's lock: one process writes to a store at a time.

The operating system holds the lock and drops it when its holder dies, however it dies, so
there is nothing to clean up and no age to guess at.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from plait.errors import IndexBusy
from plait.private.files import reopen

POLL_SECONDS = 0.05


@contextmanager
def writer_lock(path: Path, wait_s: float) -> Iterator[None]:
    """Hold the lock of a store whose folder is there.

    Raises:
        IndexBusy: Another process kept it for longer than ``wait_s``.
        OSError: There is something else in its place, or it cannot be made.
    """
    deadline = time.monotonic() + wait_s
    with reopen(path) as file:
        while not _take(file):
            if time.monotonic() >= deadline:
                file.seek(0)
                holder = file.read().decode("ascii", "replace").strip() or "unknown"
                raise IndexBusy(
                    f"another process is writing this index (process {holder})",
                    hint="wait for it to finish, or stop it: the index stays valid",
                )
            time.sleep(POLL_SECONDS)
        with suppress(OSError):  # who holds it is a courtesy; a full disk must not refuse it
            file.seek(0)
            file.truncate(0)
            file.write(str(os.getpid()).encode("ascii"))
            file.flush()
        try:
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> bool:
        file.seek(1 << 30)  # a byte no one writes
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
