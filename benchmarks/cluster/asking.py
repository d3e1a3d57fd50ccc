"""Asking: searches by one client, each beside the bare requests it is made of.

Every question is asked twice: by plait, and by sending the same requests again over a bare
socket. Which comes first changes from question to question, so that neither gains by what the
other has warmed. The requests are those of a search before, by another snapshot of the same
generation. A round of ``new`` questions is asked of a snapshot that has not counted any word
yet; in a round of ``known`` ones it has met every word before.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.cluster.engine import Place
from benchmarks.cluster.requests_sent import Bare, Recording
from benchmarks.cluster.watched import Call, Watched
from benchmarks.speed.clock import percentile
from plait.search.searcher import Searcher
from plait.stores.leases import Held, LeasedSnapshot
from plait.types import Query

Calls = Sequence[Call]


class Timed(NamedTuple):
    """One question, asked by plait and bare, in milliseconds."""

    search_ms: float
    search_cpu_ms: float
    store_ms: float  # of the search, in methods of the snapshot
    asked_ms: float  # of that, waiting for answers
    bare_ms: float
    bare_cpu_ms: float
    requests: int
    answer_bytes: int
    methods: dict[str, tuple[float, float]]  # plait's and bare milliseconds by method


class Asking:
    """Asks the questions of one mode, one after the other.

    Args:
        place: The collection.
        mode: How results are ranked.
    """

    def __init__(self, place: Place, mode: str) -> None:
        self._place, self._mode = place, mode
        self._engine = place.engine()
        self._bare = Bare(place.address.hosts)

    def searcher(self) -> tuple[Watched, Searcher]:
        """A searcher over a snapshot that has counted nothing yet."""
        snapshot = Watched(Recording(self._place.address), self._place.alias)
        if self._engine.reader.dense:
            snapshot.missing_vectors(self._engine.reader.dense.encoder.digest)
        snapshot.statistics()
        return snapshot, self._engine.reader.searcher(LeasedSnapshot(Held(snapshot)), self._mode)

    def recorded(self, queries: Sequence[Query]) -> tuple[Watched, list[Calls], list[Calls]]:
        """The calls of every search, when its words are new and when they are known. The
        snapshot has to be held as long as they are sent again."""
        snapshot, searcher = self.searcher()
        rounds = []
        for _ in ("new", "known"):
            calls: list[Calls] = []
            for query in queries:
                snapshot.calls.clear()
                searcher.search(query)
                calls.append(tuple(snapshot.calls))
            rounds.append(calls)
        return snapshot, rounds[0], rounds[1]

    def timed(
        self, queries: Sequence[Query], new: Sequence[Calls], known: Sequence[Calls]
    ) -> dict[str, list[Timed]]:
        """Both rounds, every question by plait and bare."""
        snapshot, searcher = self.searcher()
        return {
            kind: [
                self._both(snapshot, searcher, query, calls, bare_first=number % 2 == 1)
                for number, (query, calls) in enumerate(zip(queries, rounds, strict=True))
            ]
            for kind, rounds in (("new", new), ("known", known))
        }

    def _both(
        self, snapshot: Watched, searcher: Searcher, query: Query, calls: Calls, *, bare_first: bool
    ) -> Timed:
        before = self._sent_again(calls) if bare_first else None
        snapshot.calls.clear()
        wall, cpu = time.perf_counter(), time.process_time()
        searcher.search(query)
        search_ms = (time.perf_counter() - wall) * 1e3
        search_cpu_ms = (time.process_time() - cpu) * 1e3
        bare, bare_cpu_ms, received = before or self._sent_again(calls)
        made = list(snapshot.calls)
        return Timed(
            search_ms,
            search_cpu_ms,
            sum(call.wall_s for call in made) * 1e3,
            sum(call.asked_s for call in made) * 1e3,
            sum(milliseconds for _, milliseconds in bare),
            bare_cpu_ms,
            sum(len(call.requests) for call in made),
            received,
            _by_method(made, bare),
        )

    def _sent_again(self, calls: Calls) -> tuple[list[tuple[str, float]], float, int]:
        bare, times = self._bare, []
        received, cpu = bare.received_bytes, time.process_time()
        for call in calls:
            wall = time.perf_counter()
            for request in call.requests:
                bare.ask(request)
            times.append((call.method, (time.perf_counter() - wall) * 1e3))
        return times, (time.process_time() - cpu) * 1e3, bare.received_bytes - received


def _by_method(calls: Calls, bare: Sequence[tuple[str, float]]) -> dict[str, tuple[float, float]]:
    sums: dict[str, list[float]] = {}
    for call in calls:
        sums.setdefault(call.method, [0.0, 0.0])[0] += call.wall_s * 1e3
    for method, milliseconds in bare:
        sums.setdefault(method, [0.0, 0.0])[1] += milliseconds
    return {method: (ours, theirs) for method, (ours, theirs) in sums.items()}


def figures(timed: Sequence[Timed]) -> dict[str, Any]:
    """What a round comes down to."""
    names = ("search_ms", "search_cpu_ms", "store_ms", "asked_ms", "bare_ms", "bare_cpu_ms")
    columns = {name: [getattr(one, name) for one in timed] for name in names}
    made: dict[str, Any] = {
        name: {
            "p50": percentile(values, 0.5),
            "p95": percentile(values, 0.95),
            "mean": sum(values) / len(values),
        }
        for name, values in columns.items()
    }
    methods: dict[str, tuple[list[float], list[float]]] = {}
    for one in timed:
        for method, (ours, bare) in one.methods.items():
            both = methods.setdefault(method, ([], []))
            both[0].append(ours)
            both[1].append(bare)
    return {
        **made,
        "store_to_bare": _ratio([one.store_ms for one in timed], [one.bare_ms for one in timed]),
        "search_to_bare": _ratio([one.search_ms for one in timed], [one.bare_ms for one in timed]),
        "requests": sum(one.requests for one in timed) / len(timed),
        "answer_bytes": sum(one.answer_bytes for one in timed) / len(timed),
        "methods": {
            method: {
                "searches": len(ours),
                "p50_ms": percentile(ours, 0.5),
                "bare_p50_ms": percentile(bare, 0.5),
                "to_bare": _ratio(ours, bare),
            }
            for method, (ours, bare) in methods.items()
        },
    }


def _ratio(ours: Sequence[float], bare: Sequence[float]) -> float:
    """How many times as long as bare requests, by the medians."""
    return percentile(ours, 0.5) / max(percentile(bare, 0.5), 1e-6)
