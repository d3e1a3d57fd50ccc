"""Gather: one question put to several lanes at the same time, over one snapshot.

Every lane has the same deadline. One that fails or is late is absent, with the reason, and the
others answer without it; it is not asked again for the same question. What concerns all lanes,
such as a damaged index or a query that cannot be understood, ends the search.

Lanes that wait for others (a network, a large model) have a thread each. Those that only compute
take turns in the calling thread meanwhile: in threads of their own they would take longer, since
one runs at a time (docs/decisions/0020-plan-and-gather.md).
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
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
GRACE_S = 0.5  # for what still has to be asked when a late lane has used up the time


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
        self._has_begun = False
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
        until = self.allowed()

        def job(lane: Lane) -> Callable[[], Gathered]:
            return lambda: self._asked(lane, query, depth, until)

        jobs = {name: job(lane) for name, lane in self._lanes.items() if name not in self._absent}
        done = self._done(jobs, until)
        _raise_fatal(done)
        given: dict[str, Gathered] = {}
        for name in jobs:  # in the order of the lanes, whichever was first
            outcome = done.get(name)
            if outcome is None:
                self._lose(name, OutOfTime(f"no answer within {self._within_s:g} s"))
            elif outcome.value is None:
                assert outcome.error is not None
                self._lose(name, outcome.error)
            else:
                given[name] = outcome.value
        if not given:
            raise next(iter(self._errors.values())) from None
        return given

    def ask_one(self, lane: Lane, query: Query, depth: int) -> Gathered:
        """Put a query to one lane, here and now; what it raises is the caller's."""
        return self._asked(lane, query, depth, self.allowed())

    def _asked(self, lane: Lane, query: Query, depth: int, until: float) -> Gathered:
        asked = lane.ask(query, self._snapshot, until)
        return Gathered(asked, asked.ranking(depth))

    def deepen(self, found: Mapping[str, Gathered], depth: int) -> dict[str, Gathered] | None:
        """The same queries, with more chunks of each lane; None if one fails to give more."""

        def job(asked: Asked) -> Callable[[], Gathered]:
            return lambda: Gathered(asked, asked.ranking(depth))

        jobs = {name: job(one.asked) for name, one in found.items()}
        done = self._done(jobs, self.allowed())
        _raise_fatal(done)
        deeper: dict[str, Gathered] = {}
        for name in jobs:
            value = done[name].value if name in done else None
            if value is None:
                return None
            deeper[name] = value
        return deeper

    def allowed(self) -> float:
        """Until when what is asked now may be answered: what comes after a late lane has a moment
        more."""
        is_first, self._has_begun = not self._has_begun, True
        return self.until if is_first else max(self.until, time.monotonic() + GRACE_S)

    def _done(self, jobs: Mapping[str, Callable[[], Gathered]], until: float) -> dict[str, Outcome]:
        waiting = {name for name in jobs if self._lanes[name].waits(self._snapshot)}
        done = together(jobs, waiting if len(jobs) > 1 else set(), until)
        for name, outcome in done.items():
            self._seconds[name] += outcome.seconds
        return done

    def _lose(self, name: str, error: BaseException) -> None:
        """Go on without a lane."""
        assert isinstance(error, SPARED)
        self._errors[name] = error
        code = LATE if isinstance(error, OutOfTime) else FAILED
        self._absent[name] = Absent(name, code, str(error), error.hint)


class Outcome(NamedTuple):
    """What a job gave: a value, or what it raised; and how long it took."""

    value: Gathered | None
    error: BaseException | None
    seconds: float


def together(
    jobs: Mapping[str, Callable[[], Gathered]], waiting: Collection[str], until: float
) -> dict[str, Outcome]:
    """Do some jobs at the same time; those that are late are left out.

    Args:
        jobs: By name.
        waiting: Those that get a thread of their own; the others are done here, in turn. One that
            is late goes on by itself and ends by the limits it knows; no process waits for it.
        until: When to stop waiting.
    """
    results: SimpleQueue[tuple[str, Outcome]] = SimpleQueue()

    def work(name: str, job: Callable[[], Gathered]) -> None:
        results.put((name, _done(job)))

    for name in waiting:
        thread = threading.Thread(
            target=work, args=(name, jobs[name]), name=f"plait-{name}", daemon=True
        )
        thread.start()
    done: dict[str, Outcome] = {}
    for name, job in jobs.items():
        if name not in waiting:
            done[name] = _done(job)
            if _is_fatal(done[name]):
                return done
    while len(done) < len(jobs):
        left_s = until - time.monotonic()
        try:
            name, outcome = results.get(timeout=max(min(left_s, threading.TIMEOUT_MAX), 0.0))
        except Empty:
            break
        done[name] = outcome
        if _is_fatal(outcome):  # nobody needs the others any more
            break
    return done


def _raise_fatal(done: Mapping[str, Outcome]) -> None:
    """Raise what concerns all lanes, if anything does."""
    for outcome in done.values():
        if outcome.error is not None and _is_fatal(outcome):
            raise outcome.error


def _is_fatal(outcome: Outcome) -> bool:
    return outcome.error is not None and not isinstance(outcome.error, SPARED)


def _done(job: Callable[[], Gathered]) -> Outcome:
    began = time.monotonic()
    try:
        return Outcome(job(), None, time.monotonic() - began)
    except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
        return Outcome(None, error, time.monotonic() - began)
