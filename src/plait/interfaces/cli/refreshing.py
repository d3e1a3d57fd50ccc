"""Refreshing with somebody looking on: progress and notes as they come."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plait.interfaces.cli.output import counted, say, sized
from plait.interfaces.cli.progress import QUIET_SECONDS, ProgressLine

if TYPE_CHECKING:
    from plait.answering.freshness import Current, Refreshed
    from plait.answering.index import Index
    from plait.index.refresh import Progress

UNCHANGED = "stopped; the index is unchanged"
NO_VECTORS = "stopped; words are indexed, vectors are not all made"


class Shown:
    """Shows on standard error how far a refresh has come, then what it has to say."""

    def __init__(self, stopped: str) -> None:
        self.stopped = stopped  # what is true if it is interrupted now
        self._line = ProgressLine()

    def files(self, progress: Progress) -> None:
        self._line.files(progress)

    def refreshed(self, done: Refreshed) -> None:
        self.clear()
        self.stopped = NO_VECTORS
        for note in done.notes:
            say(f"note: {note}")
        if done.seconds > QUIET_SECONDS and not done.report.did_nothing:
            files = counted(done.report.added + done.report.changed, "file")
            say(f"indexed {files} ({sized(done.report.bytes)}) in {done.seconds:.1f} s")
        self._line = ProgressLine()

    def vectors(self, done: int, of: int) -> None:
        self._line.vectors(done, of)

    def clear(self) -> None:
        self._line.clear()


@contextmanager
def shown(stopped: str = UNCHANGED) -> Iterator[Shown]:
    """Show what is done meanwhile.

    Raises:
        KeyboardInterrupt: With a sentence about the state of the index.
    """
    watch = Shown(stopped)
    try:
        yield watch
    except KeyboardInterrupt:
        raise KeyboardInterrupt(watch.stopped) from None
    finally:
        watch.clear()


def refreshed(index: Index, *, anew: bool = False) -> Refreshed:
    """Bring an index up to date, showing progress."""
    from plait.answering import freshness

    with shown() as watch:
        return freshness.refreshed(index, watch, anew=anew)


def embedded(index: Index, within_s: float = math.inf) -> float:
    """Make the vectors that the settings ask for, showing progress; in how many seconds."""
    from plait.answering import freshness

    with shown(NO_VECTORS) as watch:
        return freshness.embedded(index, watch, within_s)


def current(
    index: Index, *, fresh: bool | None = None, look: bool = False, vectors: bool = False
) -> Current:
    """The generation to answer from (``freshness.current``), showing progress."""
    from plait.answering import freshness

    with shown() as watch:
        return freshness.current(index, watch, fresh=fresh, look=look, vectors=vectors)


def say_notes(notes: tuple[str, ...]) -> None:
    """Tell a person what an answer may lack."""
    for note in notes:
        say(f"note: {note}")
