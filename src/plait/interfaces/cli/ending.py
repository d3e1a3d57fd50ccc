"""Ending: what a command has to close when it ends, however it ends."""

from __future__ import annotations

from collections.abc import Callable

_closers: list[Callable[[], None]] = []


def at_end(close: Callable[[], None]) -> None:
    """Have something done when the command that runs ends; what came last is done first."""
    _closers.append(close)


def end() -> None:
    """Do it now."""
    while _closers:
        _closers.pop()()
