"""View: a point in time of one index, and which of its documents count.

A view is opened between two looks at the manifest. If both see the same, the point in time
holds everything the manifest speaks of; what it holds besides (attempts that do not count yet,
files replaced but not deleted yet) is filtered out of every query. Usually there is nothing of
that kind, and no filter.
"""

from __future__ import annotations

import json
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from plait.errors import IndexBusy, SnapshotLost, StoreDegraded
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.manifest import NOT_FOUND, Manifest, Read, read_manifest, require
from plait.stores.cluster.points import KEEP_ALIVE_S, Orphans

Body = dict[str, Any]
KEEP_ALIVE = f"{KEEP_ALIVE_S}s"
REOPENED = 3  # times a point in time is opened anew for one search, as nodes go
CANCELLED_AFTER_MS = 100
LAGGING_S = 0.2  # between two looks at a node that lags behind
OPEN_TRIES = 50  # a view loses the race against commits at most so often
MAX_TOGETHER = 500  # searches of one request
PAGE = 10_000  # documents of one answer
MAX_TERMS = 50_000  # of one filter


@dataclass(frozen=True, slots=True)
class Point:
    """A point in time, and the queries whose documents do not count in it."""

    pit: str
    hidden: tuple[Body, ...]


def open_point(
    connection: Connection, name: str, orphans: Orphans, at_least: int = 0
) -> tuple[Read, Point]:
    """The newest generation behind an alias.

    Args:
        connection: The way to the cluster.
        name: The alias.
        orphans: Where points in time go that were opened too early or too late.
        at_least: A generation that is known to be there: a node that was cut off tells of older
            ones until it has noticed.

    Raises:
        IndexMissing: Nothing was ever committed.
        IndexBusy: Commits are faster than we can look.
    """
    for _ in range(OPEN_TRIES):
        before = require(connection, name)
        if before.manifest.generation < at_least:
            time.sleep(LAGGING_S)
            continue
        opened = connection.ask(
            "POST",
            f"/{before.index}/_search/point_in_time",
            params={"keep_alive": KEEP_ALIVE, "allow_partial_pit_creation": "false"},
            allowed={NOT_FOUND},
        )
        if opened.get("status") == NOT_FOUND:
            continue
        after = read_manifest(connection, name)
        if after is not None and _still_holds(before, after):
            hidden = hidden_in(connection, before, after)
            if hidden is not None:
                return before, Point(opened["pit_id"], hidden)
        orphans.add(opened["pit_id"])
    raise IndexBusy(
        "the collection changes faster than it can be read", hint="try again in a moment"
    )


def _still_holds(before: Read, after: Read) -> bool:
    """Whether nothing that counted was deleted between two looks."""
    return before.index == after.index and before.manifest.generation == after.manifest.generation


def hidden_in(connection: Connection, read: Read, after: Read) -> tuple[Body, ...] | None:
    """Queries for what a point in time may hold although it does not count; None if that can
    no longer be told."""
    manifest = read.manifest
    hidden: list[Body] = []
    if manifest.attempts:
        hidden.append({"terms": {"born": sorted(manifest.attempts)}})
    if after.manifest.next_attempt != manifest.next_attempt:
        hidden.append({"range": {"born": {"gte": manifest.next_attempt}}})
    versions: list[str] = []
    for rows in dead_lists(connection, read.index, manifest):
        if rows is None:  # deleted, and the list with them, but perhaps after our point in time
            return None
        versions += [row.version for row in rows]
    hidden += [
        {"terms": {"version": versions[begin : begin + MAX_TERMS]}}
        for begin in range(0, len(versions), MAX_TERMS)
    ]
    return tuple(hidden)


class Dead(NamedTuple):
    """A version of a file that was replaced."""

    version: str
    repo: str
    chunks: int


def dead_id(attempt: int, number: int) -> str:
    """The id of a list of files that a commit replaced."""
    return f"dead.{attempt}.{number}"


def dead_lists(
    connection: Connection, index: str, manifest: Manifest
) -> Iterator[list[Dead] | None]:
    """What was replaced and may not be deleted yet; None for a list that is gone."""
    for attempt, lists in manifest.dead.items():
        for number in range(lists):
            found = connection.ask(
                "GET", f"/{index}/_doc/{dead_id(attempt, number)}", allowed={NOT_FOUND}
            )
            is_there = found.get("found")
            yield [Dead(*row) for row in found["_source"]["dead"]["rows"]] if is_there else None


class View:
    """One generation, to be asked. Threads may share it.

    Args:
        connection: The way to the cluster.
        name: The alias of the collection.
        orphans: Where the point in time is put when nobody holds the view any more.
        at_least: A generation that is known to be there.
    """

    def __init__(
        self,
        connection: Connection,
        name: str,
        orphans: Orphans,
        at_least: int = 0,
    ) -> None:
        self.connection = connection
        self.name = name
        self.read, self._point = open_point(connection, name, orphans, at_least)
        self._orphans = orphans
        self._has_answered = False
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, orphans.add, self._point.pit)

    @property
    def manifest(self) -> Manifest:
        return self.read.manifest

    @property
    def hidden(self) -> list[Body]:
        """Queries for documents that do not count; ``search`` leaves them out by itself."""
        return list(self._point.hidden)

    def search(
        self, body: Body, *, is_scored: bool = False, until: float = inf, **params: Any
    ) -> Body:
        """One answer. It covers the whole index or is an error.

        Raises:
            OutOfTime: It is not there ``until`` then.
            SnapshotLost: The point in time is gone and the collection has moved on.
        """
        if is_scored and self.manifest.shards > 1:
            params["search_type"] = "dfs_query_then_fetch"  # one set of frequencies for all
        for _ in range(REOPENED):
            point = self._point
            try:
                return self._answered(self._asked(body, point, params, until))
            except (SnapshotLost, StoreDegraded):
                self._reopen(point)
        return self._answered(self._asked(body, self._point, params, until))

    def _answered(self, answer: Body) -> Body:
        self._has_answered = True
        return answer

    def _asked(self, body: Body, point: Point, params: Body, until: float) -> Body:
        if until < inf:  # a node that goes on searching stops a moment after we have given up
            left_ms = max(until - time.monotonic(), 0) * 1000 + CANCELLED_AFTER_MS
            params = {**params, "cancel_after_time_interval": f"{left_ms:.0f}ms"}
        return self.connection.ask(
            "POST",
            "/_search",
            _pinned(body, point),
            {"allow_partial_search_results": "false", **params},
            tries=2,
            patience_s=0,
            until=until,
        )

    def _reopen(self, lost: Point) -> None:
        """Another point in time of the same generation: a node may have died with the first.
        Before the first answer a newer generation will do.

        Raises:
            SnapshotLost: There is no such generation any more.
        """
        with self._lock:
            if self._point is not lost:
                return
            read, point = open_point(
                self.connection, self.name, self._orphans, self.manifest.generation
            )
            is_same = (read.index, read.manifest.generation) == (
                self.read.index,
                self.manifest.generation,
            )
            if self._has_answered and not is_same:
                self._orphans.add(point.pit)
                raise SnapshotLost(
                    f"generation {self.manifest.generation} can no longer be read",
                    hint="ask again: a new snapshot will do",
                )
            self.read = read
            self._finalizer()  # what is left of it may keep a shard from being mended
            self._finalizer = weakref.finalize(self, self._orphans.add, point.pit)
            self._point = point

    def pages(
        self,
        body: Body,
        limit: int,
        *,
        page: int = PAGE,
        is_scored: bool = False,
        until: float = inf,
    ) -> Iterator[list[Body]]:
        """Hits in the order the body asks for (its sort ends with the key), page by page."""
        last: list[Any] | None = None
        while limit > 0:
            size = min(limit, page)
            after = {} if last is None else {"search_after": last}
            hits = self.search({**body, "size": size, **after}, is_scored=is_scored, until=until)
            found: list[Body] = hits["hits"]["hits"]
            if found:
                yield found
            if len(found) < size:
                return
            last = found[-1]["sort"]
            limit -= size

    def count(self, query: Body, until: float = inf) -> int:
        """How many documents a query finds."""
        return self.counts([query], until)[0]

    def counts(self, queries: Sequence[Body], until: float = inf) -> list[int]:
        """How many documents each of some queries finds, in one request."""
        bodies = [{"query": query, "size": 0, "track_total_hits": True} for query in queries]
        return [int(one["hits"]["total"]["value"]) for one in self.searches(bodies, until)]

    def searches(self, bodies: Sequence[Body], until: float = inf) -> list[Body]:
        """The answers to some searches, in one request."""
        if len(bodies) == 1:
            return [self.search(bodies[0], until=until)]
        found: list[Body] = []
        for at in range(0, len(bodies), MAX_TOGETHER):
            found += self._together(bodies[at : at + MAX_TOGETHER], self._point, until)
        return found

    def _together(self, bodies: Sequence[Body], point: Point, until: float) -> list[Body]:
        lines = [line for body in bodies for line in ({}, _pinned(body, point))]
        said = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        found: list[Body] = self.connection.ask("POST", "/_msearch", said, until=until)["responses"]
        if any("error" in answer or answer["_shards"]["failed"] for answer in found):
            return [self.search(body, until=until) for body in bodies]  # they say what is wrong
        return found

    def close(self) -> None:
        """Let go of the point in time."""
        self._finalizer()


def _pinned(body: Body, point: Point) -> Body:
    """A search of what counts at a point in time."""
    query = body["query"]
    if point.hidden:
        query = {"bool": {"must": [query], "must_not": list(point.hidden)}}
    return {
        "track_total_hits": False,
        "_source": False,
        **body,
        "query": query,
        "pit": {"id": point.pit, "keep_alive": KEEP_ALIVE},
    }
