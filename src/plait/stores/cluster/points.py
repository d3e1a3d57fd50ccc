"""Points in time that nobody looks at any more, until the cluster has let go of them.

A point in time costs memory, and more than that where a node was lost for a while: its old shard
cannot be replaced by a fresh copy as long as somebody holds it, and after some attempts the
cluster gives the copy up. So what could not be let go while a node was away is tried again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence

from plait.errors import PlaitError
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.manifest import NOT_FOUND

KEEP_ALIVE_S = 300  # a point in time nobody asks for so long ends by itself
CLOSE_S = 1.0  # no search waits longer for one that is let go
AGAIN_S = 5.0  # between two attempts


class Orphans:
    """Points in time to let go. Threads may share it."""

    def __init__(self) -> None:
        self._new: deque[str] = deque()  # the collector of garbage adds to it, at any moment
        self._away: dict[str, float] = {}  # could not be let go, and when they end by themselves
        self._again_at = 0.0
        self._lock = threading.Lock()

    def add(self, pit: str) -> None:
        """Nobody looks at this one any more."""
        self._new.append(pit)

    def let_go(self, connection: Connection) -> None:
        """Let go of all; it never fails, and what fails is tried again by later calls."""
        now = time.monotonic()
        with self._lock:
            due = {self._new.popleft(): now + KEEP_ALIVE_S for _ in range(len(self._new))}
            if now >= self._again_at:
                due |= {pit: end for pit, end in self._away.items() if now < end}
                self._away.clear()
        left = _close(connection, list(due))
        with self._lock:
            self._away |= {pit: due[pit] for pit in left}
            if left:
                self._again_at = now + AGAIN_S


def _close(connection: Connection, pits: Sequence[str]) -> list[str]:
    """Let go of points in time; those that may still be held, by nodes that are away."""
    if not pits:
        return []
    try:
        answer = connection.ask(
            "DELETE",
            "/_search/point_in_time",
            {"pit_id": list(pits)},
            {"request_timeout": CLOSE_S},
            allowed={NOT_FOUND},  # a node of one of them
            tries=1,
            patience_s=0,
        )
    except PlaitError:
        return list(pits)
    return [one["pit_id"] for one in answer.get("pits", ()) if not one["successful"]]
