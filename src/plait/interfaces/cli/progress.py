"""Progress on standard error: one line that moves, or plain lines in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from plait.interfaces.cli.output import say, show_progress

if TYPE_CHECKING:
    from plait.index.refresh import Progress

QUIET_SECONDS = 0.5  # what takes less is not worth a word
REDRAW_SECONDS = 0.1
FIRST_LOG_SECONDS = 2.0  # before that a pace would be a guess
LOG_SECONDS = 5.0


class ProgressLine:
    """Shows how far a refresh, or the making of vectors, has come; called now and then."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._next = self._start + (QUIET_SECONDS if self._is_terminal else FIRST_LOG_SECONDS)
        self.was_shown = False

    def files(self, progress: Progress) -> None:
        """Files have been indexed."""
        self._show(lambda seconds: progress_text(progress, seconds))

    def vectors(self, done: int, of: int) -> None:
        """Chunks have been given their vectors."""
        self._show(lambda seconds: vectors_text(done, of, seconds))

    def _show(self, text_after: Callable[[float], str]) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (REDRAW_SECONDS if self._is_terminal else LOG_SECONDS)
        self.was_shown = True
        text = text_after(now - self._start)
        (show_progress if self._is_terminal else say)(text)

    def clear(self) -> None:
        """Take the moving line away."""
        if self.was_shown and self._is_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start


def progress_text(progress: Progress, seconds: float) -> str:
    """Where it is, how fast, and how long the rest will take at that pace."""
    rate = progress.files / seconds
    left = (progress.of_files - progress.files) / rate if rate else 0.0
    return (
        f"indexing {progress.files:,}/{progress.of_files:,} files, {rate:,.0f} files/s, "
        f"{progress.bytes / 1e6 / seconds:.1f} MB/s, {_clock(left)} left"
    )


def vectors_text(done: int, of: int, seconds: float) -> str:
    """The same of vectors."""
    rate = done / seconds
    left = (of - done) / rate if rate else 0.0
    return f"vectors of {done:,}/{of:,} chunks, {rate:,.0f} chunks/s, {_clock(left)} left"


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
