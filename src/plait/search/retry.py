"""Retry: a question that outlives the snapshot it was put to.

On a cluster nodes hold a snapshot, and nodes may go. If the collection has moved on meanwhile,
what was found so far cannot be completed, and the question is put again from its beginning.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from plait.errors import SnapshotLost
from plait.types import Snapshot

T = TypeVar("T")
PAUSES_S = (0.2, 0.5, 1.0)  # copies of shards change places within a second or two


def retry_on_newest(newest: Callable[[], Snapshot], ask: Callable[[Snapshot], T]) -> T:
    """What the newest snapshot answers, or one newer still if that one is lost on the way.

    Raises:
        SnapshotLost: So were all of them.
    """
    for pause_s in PAUSES_S:
        try:
            return ask(newest())
        except SnapshotLost:
            time.sleep(pause_s)
    return ask(newest())
