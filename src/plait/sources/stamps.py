"""Stamps: may this file have changed since it was last seen?

Size, both times and the inode change whenever a file's bytes do, with one exception: a
second write within the clock's grain of the first leaves no trace. A file that young gets
no stamp and is read again next time, as git does with its "racy" entries.
"""

from __future__ import annotations

import os
import time

RACY_NS = 50_000_000


def horizon() -> int:
    """Taken when a listing begins: what changed after this moment has no stamp."""
    return time.time_ns() - RACY_NS


def stamp_of(status: os.stat_result, since: int) -> str:
    """The stamp of a file's status, empty if it changed after ``since``."""
    mtime, ctime = status.st_mtime_ns, status.st_ctime_ns
    if mtime >= since or ctime >= since:
        return ""
    return f"{status.st_size}.{mtime}.{ctime}.{status.st_ino}"
