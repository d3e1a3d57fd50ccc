"""Hold: nothing is published in a collection while somebody begins to copy it.

The manifest says until when. It is said again every now and then, so that a hold ends by
itself if whoever holds has died.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from plait.errors import IndexBusy, IndexMissing
from plait.stores.cluster.commit import tidy
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.manifest import Manifest, Read, change_manifest, require

HOLD_S = 15.0  # at a time; a commit that waits looks again when it has passed
MAX_HOLD_S = 600.0  # in all, before the copying of every shard has begun
PAUSES_S = (0.1, 0.2, 0.5, 1.0, 2.0)  # between two looks; the last one from then on


class Hold:
    """Nothing is published in an index meanwhile.

    Raises:
        IndexBusy: Somebody else holds it.
    """

    def __init__(self, connection: Connection, alias: str) -> None:
        self._connection = connection
        self.seconds = 0.0  # how long it was held
        self._begin = time.monotonic()
        self._pauses = pauses_s()

        def edit(read: Read) -> Manifest:
            if time.time() < read.manifest.held_until:
                raise IndexBusy("somebody else copies the collection", hint="try again later")
            return replace(read.manifest, held_until=time.time() + HOLD_S)

        read = change_manifest(connection, alias, edit)
        self.index = read.index
        self.generation = read.manifest.generation

    def bury(self) -> None:
        """Delete what was replaced before; the generation that is left is the one to copy."""
        while True:
            read = self._renewed()
            if not read.manifest.dead:
                self.generation = read.manifest.generation
                return
            self._check_time()
            tidy(self._connection, read)

    def wait(self) -> None:
        """Wait a moment, and go on holding.

        Raises:
            IndexBusy: It has been held long enough, or something was published all the same.
        """
        self._check_time()
        time.sleep(next(self._pauses))
        self.confirm()

    def confirm(self) -> None:
        """Go on holding.

        Raises:
            IndexBusy: We were so slow that it ended, and something was published.
        """
        if self._renewed().manifest.generation != self.generation:
            raise IndexBusy(
                "something was published before copying had begun", hint="try again in a moment"
            )

    def release(self) -> None:
        """Let others publish."""
        with suppress(IndexMissing):  # built anew meanwhile, and deleted
            self._until(0.0)
        self.seconds = time.monotonic() - self._begin

    def _check_time(self) -> None:
        if time.monotonic() - self._begin > MAX_HOLD_S:
            raise IndexBusy(
                f"not every shard could be copied from within {MAX_HOLD_S:.0f} s",
                hint="try again when less is going on",
            )

    def _renewed(self) -> Read:
        return self._until(time.time() + HOLD_S)

    def _until(self, moment: float) -> Read:
        def edit(read: Read) -> Manifest:
            return replace(read.manifest, held_until=moment)

        return change_manifest(self._connection, self.index, edit)


@contextmanager
def held(connection: Connection, alias: str) -> Iterator[Hold]:
    """Hold a collection in which all that was replaced is deleted.

    Raises:
        IndexMissing: Nothing was ever committed.
        IndexBusy: Somebody else holds it.
    """
    require(connection, alias)
    hold = Hold(connection, alias)
    try:
        hold.bury()
        yield hold
    finally:
        hold.release()


def pauses_s() -> Iterator[float]:
    """How long to wait between two looks."""
    yield from PAUSES_S
    while True:
        yield PAUSES_S[-1]
