"""Commit: changes into documents, documents into a generation.

Nothing a commit writes counts until its attempt is taken off the manifest's list, in one step
with the new generation. Then the versions it replaced are deleted; until that is done the
manifest lists them, and searches leave them out. A commit that fails deletes what it wrote; one
whose process dies is cleaned up by whoever commits next.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plait.errors import IndexBusy, PlaitError
from plait.stores.changes import sound
from plait.stores.cluster.bulk import Bulk
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.documents import FILE, documents, file_term
from plait.stores.cluster.manifest import (
    FORGET_S,
    MAX_CHANGES,
    NOT_FOUND,
    RENEW_S,
    STALE_S,
    Manifest,
    Read,
    change_manifest,
    check_alive,
    end_attempt,
    give_up,
    read_manifest,
    renew_attempt,
    replace_manifest,
    without,
)
from plait.stores.cluster.view import Dead, dead_id, dead_lists
from plait.types import Change

LOOKUP = 10_000  # files asked for in one request, and listed in one document
HOLD_PAUSE_S = 0.2
WHOLE = {"allow_partial_search_results": "false"}  # no answer at all rather than half of one


class Commit:
    """One attempt to change an index.

    Args:
        connection: The way to the cluster.
        index: The index, which has a manifest.
        attempt: The number taken for it.
    """

    def __init__(self, connection: Connection, index: str, attempt: int) -> None:
        self._connection = connection
        self._index = index
        self._attempt = attempt
        self._renewed = time.monotonic()
        self._bulk = Bulk(connection, index, self._stay_alive)
        self._touched: list[tuple[str, str]] = []
        self._is_publishing = False

    def write(self, changes: Iterable[Change]) -> int:
        """Write what is new; how many changes there were. Nothing of it counts yet."""
        for change in sound(changes):
            self._touched.append((change.repo, change.path))
            if change.file is not None:
                for key, document in documents(change, self._attempt):
                    self._bulk.put(key, document, change.repo)
        self._bulk.flush()
        return len(self._touched)

    def _stay_alive(self) -> None:
        silent_s = time.monotonic() - self._renewed
        if silent_s > STALE_S / 2:
            raise IndexBusy("the commit stood still for so long that it was given up")
        if silent_s > RENEW_S:
            self._renewed = time.monotonic()
            renew_attempt(self._connection, self._index, self._attempt)

    def publish(self, *, generation: int = 0) -> Read:
        """Make it count.

        Args:
            generation: The number of the new generation; 0 for the next.

        Raises:
            IndexBusy: The collection was built anew meanwhile, or others are always faster.
        """
        connection, index = self._connection, self._index
        self._is_publishing = True
        refresh(connection, index)
        size = store_bytes(connection, index)
        for _ in range(MAX_CHANGES):
            read = read_manifest(connection, index)
            if read is None or read.manifest.closed_for:
                raise IndexBusy("the collection was rebuilt meanwhile", hint="try again")
            check_alive(read.manifest, self._attempt)
            if time.time() < read.manifest.held_until:
                self._wait_while_held()
                continue
            replaced = self._replaced(read.manifest) if read.manifest.generation else []
            lists = self._list(replaced)
            manifest = replace(
                read.manifest,
                generation=generation or read.manifest.generation + 1,
                attempts=without(read.manifest.attempts, self._attempt),
                dead={**read.manifest.dead, self._attempt: lists} if lists else read.manifest.dead,
                index_bytes=size,
                has_removed=read.manifest.has_removed or lists > 0,
            )
            done = replace_manifest(connection, read, manifest)
            if done is not None:
                return done
        raise IndexBusy(
            f"gave up after {MAX_CHANGES} conflicting writes", hint="try again in a moment"
        )

    def _wait_while_held(self) -> None:
        """Let somebody copy the index who holds it."""
        end = time.monotonic() + STALE_S / 2
        while time.monotonic() < end:
            read = read_manifest(self._connection, self._index)
            if read is None or time.time() >= read.manifest.held_until:
                return
            time.sleep(HOLD_PAUSE_S)

    def _replaced(self, manifest: Manifest) -> list[Dead]:
        """The versions of the changed files that count now."""
        found = []
        for begin in range(0, len(self._touched), LOOKUP):
            terms = [file_term(*key) for key in self._touched[begin : begin + LOOKUP]]
            hidden = sorted(manifest.attempts)  # ours among them
            query: Json = {
                "bool": {
                    "filter": [{"terms": {"file": terms}}],
                    "must_not": [{"terms": {"born": hidden}}],
                }
            }
            found += list(_versions(self._connection, self._index, query))
        known = {row.version for rows in self._dead(manifest) for row in rows}
        return [row for row in found if row.version not in known]

    def _dead(self, manifest: Manifest) -> Iterator[list[Dead]]:
        for rows in dead_lists(self._connection, self._index, manifest):
            yield rows or []

    def _list(self, replaced: Sequence[Dead]) -> int:
        """Write down what will be dead; in how many documents."""
        lists = range(0, len(replaced), LOOKUP)
        for number, begin in enumerate(lists):
            self._connection.ask(
                "PUT",
                f"/{self._index}/_doc/{dead_id(self._attempt, number)}",
                {"dead": {"rows": replaced[begin : begin + LOOKUP]}},
            )
        return len(lists)

    def abandon(self) -> Read | None:
        """Delete whatever was written, unless it counts after all: an answer may have been lost
        on the way. The manifest then.

        The number stays in the list for a while if anything was sent: it may still arrive.
        """
        connection, index = self._connection, self._index
        if self._is_publishing or self._bulk.sent:
            read = give_up(connection, index, self._attempt)
            if self._attempt not in read.manifest.attempts:
                return read
        if self._bulk.sent:
            delete_attempt(connection, index, self._attempt)
        else:
            end_attempt(connection, index, self._attempt)
        return None


# ---------------------------------------------------------------- tidying up


def tidy(connection: Connection, read: Read) -> Read:
    """Delete what is dead and what dead writers left."""
    index = read.index
    for attempt, lists in read.manifest.dead.items():
        read = _bury(connection, index, attempt, lists)
    now = time.time()
    for attempt, renewed in read.manifest.attempts.items():
        if renewed >= 0 and now - renewed > STALE_S:
            read = give_up(connection, index, attempt)
            if attempt in read.manifest.attempts:
                delete_attempt(connection, index, attempt)
        elif renewed < 0 and now + renewed > FORGET_S:
            delete_attempt(connection, index, attempt)
            end_attempt(connection, index, attempt)
    return read


def _bury(connection: Connection, index: str, attempt: int, lists: int) -> Read:
    """Delete the versions one commit replaced, then its lists of them."""
    bulk = Bulk(connection, index)
    only = Manifest("", dead={attempt: lists})
    for rows in dead_lists(connection, index, only):
        for version, repo, chunks in rows or ():
            bulk.delete(version, repo)
            for ordinal in range(chunks):
                bulk.delete(f"{version}.{ordinal}", repo)
    bulk.flush()
    refresh(connection, index)

    def edit(read: Read) -> Manifest | None:
        if attempt not in read.manifest.dead:
            return None
        return replace(read.manifest, dead=without(read.manifest.dead, attempt))

    read = change_manifest(connection, index, edit)
    for number in range(lists):
        connection.ask("DELETE", f"/{index}/_doc/{dead_id(attempt, number)}", allowed={NOT_FOUND})
    return read


def delete_attempt(connection: Connection, index: str, attempt: int) -> None:
    """Delete everything an attempt wrote. It has been given up, so nobody is looking at it."""
    body: Json = {"size": LOOKUP, "_source": False, "query": {"term": {"born": attempt}}}
    bulk = Bulk(connection, index)
    while True:
        refresh(connection, index)
        found = connection.ask("POST", f"/{index}/_search", body, WHOLE)["hits"]["hits"]
        if not found:
            return
        for hit in found:
            bulk.delete(hit["_id"], hit["_routing"])
        bulk.flush()


def refresh(connection: Connection, index: str) -> None:
    """Make everything that was written seen by searches that begin from now on.

    Raises:
        PlaitError: A shard could not do it.
    """
    answer = connection.ask("POST", f"/{index}/_refresh")
    if answer["_shards"]["failed"]:
        failures = answer["_shards"].get("failures", [{}])
        raise PlaitError(f"a shard of {index} cannot be refreshed: {failures[0]}")


def store_bytes(connection: Connection, index: str) -> int:
    """How much disk the index takes, its copies left out."""
    stats = connection.ask("GET", f"/{index}/_stats/store")
    return int(stats["_all"]["primaries"]["store"]["size_in_bytes"])


def _versions(connection: Connection, index: str, query: Json) -> Iterator[Dead]:
    """The files a query finds, as what can be deleted."""
    last: list[object] | None = None
    while True:
        body: Json = {
            "size": LOOKUP,
            "_source": False,
            "query": {"bool": {"filter": [query, {"term": {"tags": FILE}}]}},
            "docvalue_fields": ["version", "repo", "chunks"],
            "sort": [{"key": "asc"}, {"version": "asc"}],
        }
        if last:
            body["search_after"] = last
        found = connection.ask("POST", f"/{index}/_search", body, WHOLE)["hits"]["hits"]
        for hit in found:
            fields = hit["fields"]
            yield Dead(fields["version"][0], fields["repo"][0], fields["chunks"][0])
        if len(found) < LOOKUP:
            return
        last = found[-1]["sort"]
