"""Gather: one question put to several lanes at the same time, over one snapshot.

Every lane has the same deadline. One that fails or is late is absent, with the reason, and the
others answer without it; it is not asked again for the same question. What concerns all lanes,
such as a damaged index or a query that cannot be understood, ends the search.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import NamedTuple

from plait.errors import (
    ModelError,
    OutOfTime,
    StoreBusy,
    StoreDegraded,
    StoreUnreachable,
)
from plait.types import Absent, Asked, Lane, Query, Ranking, Snapshot, Timing

# What one lane may fail by while the others answer.
SPARED = (ModelError, OutOfTime, StoreBusy, StoreDegraded, StoreUnreachable)
FAILED, LATE = "failed", "late"


class Gathered(NamedTuple):
    """A query put to one lane, and what it ranked."""

    asked: Asked
    ranking: Ranking


class Gathering:
    """One question on its way through the lanes.

    Args:
        lanes: The lanes to ask, by name.
        snapshot: What is searched.
        within_s: How long all of it may take.
    """

    def __init__(self, lanes: Mapping[str, Lane], snapshot: Snapshot, within_s: float) -> None:
        self._lanes = lanes
        self._snapshot = snapshot
        self._within_s = within_s
        self.until = time.monotonic() + within_s
        self._errors: dict[str, BaseException] = {}
        self._absent: dict[str, Absent] = {}
        self._seconds: dict[str, float] = defaultdict(float)

    @property
    def absent(self) -> tuple[Absent, ...]:
        """The lanes that failed or were late."""
        return tuple(self._absent.values())

    @property
    def timings(self) -> tuple[Timing, ...]:
        """How long each lane took, by name."""
        return tuple(Timing(name, seconds) for name, seconds in sorted(self._seconds.items()))

    def ask(self, query: Query, depth: int) -> dict[str, Gathered]:
        """Put a query to every lane that has not failed.

        Raises:
            PlaitError: No lane is left, or what failed concerns them all.
        """

        def job(lane: Lane) -> Callable[[], Gathered]:
            return lambda: self.ask_one(lane, query, depth)

        jobs = {name: job(lane) for name, lane in self._lanes.items() if name not in self._absent}
        return self._all(jobs)

    def ask_one(self, lane: Lane, query: Query, depth: int) -> Gathered:
        """Put a query to one lane, here and now; what it raises is the caller's."""
        asked = lane.ask(query, self._snapshot, self.until)
        return Gathered(asked, asked.ranking(depth))

    def deepen(self, found: Mapping[str, Gathered], depth: int) -> dict[str, Gathered]:
        """The same queries, with more chunks of each lane."""

        def job(asked: Asked) -> Callable[[], Gathered]:
            return lambda: Gathered(asked, asked.ranking(depth))

        return self._all({name: job(one.asked) for name, one in found.items()})

    def _all(self, jobs: Mapping[str, Callable[[], Gathered]]) -> dict[str, Gathered]:
        given: dict[str, Gathered] = {}
        done = together(jobs, self.until)
        for name in jobs:  # in the order of the lanes, whichever was first
            outcome = done.get(name)
            if outcome is None:
                self._lose(name, OutOfTime(f"no answer within {self._within_s:g} s"))
                continue
            self._seconds[name] += outcome.seconds
            if outcome.value is None:
                assert outcome.error is not None
                self._lose(name, outcome.error)
            else:
                given[name] = outcome.value
        if not given:
            raise next(iter(self._errors.values())) from None
        return given

    def _lose(self, name: str, error: BaseException) -> None:
        """Go on without a lane; raise what concerns them all."""
        if not isinstance(error, SPARED):
            raise error
        self._errors[name] = error
        code = LATE if isinstance(error, OutOfTime) else FAILED
        self._absent[name] = Absent(name, code, str(error), error.hint)


class Outcome(NamedTuple):
    """What a job gave: a value, or what it raised; and how long it took."""

    value: Gathered | None
    error: BaseException | None
    seconds: float


def together(jobs: Mapping[str, Callable[[], Gathered]], until: float) -> dict[str, Outcome]:
    """Do some jobs at the same time, each in a thread; those that are late are left out.

    A single one is done here: nothing else could be answered meanwhile. A job that is late goes
    on by itself and ends by the limits it knows; no process waits for it.
    """
    if len(jobs) < 2:
        return {name: _done(job) for name, job in jobs.items()}
    results: SimpleQueue[tuple[str, Outcome]] = SimpleQueue()

    def work(name: str, job: Callable[[], Gathered]) -> None:
        results.put((name, _done(job)))

    for name, job in jobs.items():
        threading.Thread(target=work, args=(name, job), name=f"plait-{name}", daemon=True).start()
    done: dict[str, Outcome] = {}
    while len(done) < len(jobs):
        left_s = until - time.monotonic()
        try:
            name, outcome = results.get(timeout=max(min(left_s, threading.TIMEOUT_MAX), 0.0))
        except Empty:
            break
        done[name] = outcome
    return done


def _done(job: Callable[[], Gathered]) -> Outcome:
    began = time.monotonic()
    try:
        return Outcome(job(), None, time.monotonic() - began)
    except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
        return Outcome(None, error, time.monotonic() - began)
