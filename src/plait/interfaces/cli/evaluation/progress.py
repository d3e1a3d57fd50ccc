"""Progress of long evaluations on standard error: one line that moves, or lines in a log."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from plait.interfaces.cli.output import say, show_progress

if TYPE_CHECKING:
    from plait.evaluation.runner import Progress

QUIET_SECONDS = 0.5
REDRAW_SECONDS = 0.2
LOG_SECONDS = 15.0
WIDTH = 24


class RunProgress:
    """Shows how far a run has come; called after every question."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._next = self._start + (QUIET_SECONDS if self._is_terminal else LOG_SECONDS)
        self._first = -1  # questions done when asking began: a run may go on, indexing takes time
        self._asking = self._start
        self._was_shown = False

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if self._first < 0 and progress.stage == "asking":
            self._first, self._asking = progress.done, now
        if now < self._next:
            return
        self._next = now + (REDRAW_SECONDS if self._is_terminal else LOG_SECONDS)
        self._was_shown = True
        fresh = progress.done - self._first if self._first >= 0 else 0
        text = progress_text(progress, fresh, now - self._asking)
        (show_progress if self._is_terminal else say)(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._was_shown and self._is_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def progress_text(progress: Progress, fresh: int, seconds: float) -> str:
    """A bar, what is being done, and how long the rest may take at this pace."""
    share = progress.done / progress.of if progress.of else 1.0
    bar = "#" * round(share * WIDTH)
    left = f", {(progress.of - progress.done) * seconds / fresh:.0f} s left" if fresh else ""
    return (
        f"[{bar:<{WIDTH}}] {progress.done:,}/{progress.of:,} questions, "
        f"{progress.stage} {progress.part}{left}"
    )
