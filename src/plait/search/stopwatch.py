"""Stopwatch: how long the stages of a search take."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from plait.types import Timing


class Stopwatch:
    """Runs from when it is made; a stage that comes several times is added up."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside as a part of one stage."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._seconds[name] += time.monotonic() - began

    @property
    def total(self) -> float:
        """Seconds until now."""
        return time.monotonic() - self._began

    @property
    def stages(self) -> tuple[Timing, ...]:
        """The stages in the order they first came."""
        return tuple(Timing(name, seconds) for name, seconds in self._seconds.items())
