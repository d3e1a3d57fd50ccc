"""Clocks for a shared, noisy machine: CPU time, the best of several."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in both)


def measured(work: Callable[[], T]) -> tuple[T, float, float]:
    """What the work gave, its CPU seconds and its wall seconds."""
    cpu, wall = cpu_seconds(), time.monotonic()
    result = work()
    return result, cpu_seconds() - cpu, time.monotonic() - wall


def best_cpu_ms(work: Callable[[], object], times: int) -> float:
    """The least CPU milliseconds of several runs in this thread's process."""
    least = float("inf")
    for _ in range(times):
        start = time.process_time_ns()
        work()
        least = min(least, (time.process_time_ns() - start) / 1e6)
    return least


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
