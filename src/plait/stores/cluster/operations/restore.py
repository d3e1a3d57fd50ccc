"""Restore: a collection out of a snapshot, under its own name or another.

The index comes back beside whatever there is, under the next number. What belonged to commits
that were being written when it was copied is deleted, then the alias names it. So searches see
the old collection, or the new one, whole.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from plait.errors import IndexBusy, PlaitError, SettingError, StoreDegraded, StoreError
from plait.stores.cluster.bulk import Bulk
from plait.stores.cluster.commit import WHOLE, refresh, tidy
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.manifest import (
    NOT_FOUND,
    Manifest,
    Read,
    change_manifest,
    read_manifest,
    require,
)
from plait.stores.cluster.operations.copies import VECTORS, described
from plait.stores.cluster.operations.hold import pauses_s
from plait.stores.cluster.schema import alias_of, index_name, vectors_index

GREEN_S = 60.0  # copies are waited for so long before the index is checked
PAGE = 1_000
SCROLL = "5m"
NUMBERED = re.compile(r"plait-.*\.[0-9]{6,}")


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back."""

    index: str
    generation: int
    faults: tuple[str, ...]  # found by reading everything; none if all is well
    seconds: float


def restore(
    connection: Connection,
    repository: str,
    name: str,
    check: Callable[[], Sequence[str]],
    *,
    is_replacing: bool = False,
    within_s: float = 6 * 3_600.0,
) -> Restored:
    """Bring a collection back.

    Args:
        connection: The way to the cluster, and to the collection that is made.
        repository: Where snapshots are.
        name: Of the snapshot.
        check: Reads the whole collection and gives what is wrong with it.
        is_replacing: Whether it takes the place of one that is there.
        within_s: How long it may take.

    Raises:
        SettingError: There is no such snapshot, or there is a collection already.
        StoreError: It could not be done in time.
    """
    begin = time.monotonic()
    end = begin + within_s
    collection = connection.address.collection
    alias = alias_of(collection)
    indexes = [one for one in described(connection, repository, name)["indices"] if _is_ours(one)]
    if len(indexes) != 1:
        raise SettingError(f"{name} is not the snapshot of one collection of plait's")
    numbers = _numbers(connection, collection)
    if numbers and not is_replacing:
        raise SettingError(
            f"there is a collection {collection!r} already",
            hint="--replace puts the snapshot in its place, or restore to another collection",
        )
    made = index_name(collection, max(numbers, default=0) + 1)
    try:
        _bring(connection, repository, name, indexes[0], made, end)
        _bring_vectors(connection, repository, name, end)
        _clean(connection, made)
        _put_in_place(connection, alias, made)
    except BaseException:
        with suppress(PlaitError):  # the first thing that went wrong is what is told
            _undo(connection, alias, made)
        raise
    _wait_for_copies(connection, made)
    faults = tuple(check())
    generation = require(connection, alias).manifest.generation
    return Restored(made, generation, faults, time.monotonic() - begin)


def _undo(connection: Connection, alias: str, made: str) -> None:
    """Take away what was restored, unless it is in its place already."""
    now = read_manifest(connection, alias)
    if now is not None and now.index == made:
        return

    def edit(read: Read) -> Manifest | None:
        if read.manifest.closed_for != made:
            return None
        return replace(read.manifest, closed_for="")

    if now is not None:
        change_manifest(connection, now.index, edit)
    connection.ask("DELETE", f"/{made}", allowed={NOT_FOUND})


def _is_ours(index: str) -> bool:
    return NUMBERED.fullmatch(index) is not None


def _numbers(connection: Connection, collection: str) -> list[int]:
    """Which indexes of the collection there are."""
    alias = alias_of(collection)
    found = connection.ask("GET", f"/{alias}.*/_alias", params={"expand_wildcards": "all"})
    ends = [name[len(alias) + 1 :] for name in found]
    return [int(end) for end in ends if end.isdecimal()]


def _bring(
    connection: Connection, repository: str, name: str, index: str, made: str, end: float
) -> None:
    """Restore one index of a snapshot under a new name, and wait until it can be read."""
    body: Json = {
        "indices": index,
        "include_global_state": False,
        "include_aliases": False,
        "rename_pattern": "^.*$",
        "rename_replacement": made,
    }
    params = {"wait_for_completion": "false"}
    connection.ask("POST", f"/_snapshot/{repository}/{name}/_restore", body, params, tries=1)
    pauses = pauses_s()
    while not _can_be_read(connection, made):
        if time.monotonic() >= end:
            raise StoreError(f"the snapshot {name} was not restored in time; it was given up")
        time.sleep(next(pauses))


def _can_be_read(connection: Connection, index: str) -> bool:
    """Whether the first copy of every shard is there. The colour of an index does not tell:
    shards that are being restored do not turn it red."""
    found = connection.ask("GET", f"/{index}/_settings", allowed={NOT_FOUND})
    if found.get("status") == NOT_FOUND:  # not even begun
        return False
    shards = int(found[index]["settings"]["index"]["number_of_shards"])
    told = connection.ask("GET", f"/_cluster/health/{index}")
    return bool(told["active_primary_shards"] >= shards)


def _wait_for_copies(connection: Connection, index: str) -> None:
    """Wait a while until every copy is there, which may take a node that is not."""
    end, pauses = time.monotonic() + GREEN_S, pauses_s()
    while connection.ask("GET", f"/_cluster/health/{index}")["status"] != "green":
        if time.monotonic() >= end:
            return
        time.sleep(next(pauses))


def _bring_vectors(connection: Connection, repository: str, name: str, end: float) -> None:
    """Restore the vectors that are kept by their texts; where there are some, add to them."""
    second = name + VECTORS
    told = connection.ask("GET", f"/_snapshot/{repository}/{second}", allowed={NOT_FOUND})
    if told.get("status") == NOT_FOUND:  # no vector was ever made
        return
    (index,) = told["snapshots"][0]["indices"]
    wanted = vectors_index(connection.address.collection)
    is_there = connection.ask("GET", f"/{wanted}/_settings", allowed={NOT_FOUND})
    if is_there.get("status") == NOT_FOUND:
        _bring(connection, repository, second, index, wanted, end)
        return
    beside = f"{wanted}.restored"
    connection.ask("DELETE", f"/{beside}", allowed={NOT_FOUND})
    try:
        _bring(connection, repository, second, index, beside, end)
        _add(connection, beside, wanted, end)
    finally:
        connection.ask("DELETE", f"/{beside}", allowed={NOT_FOUND})


def _add(connection: Connection, source: str, target: str, end: float) -> None:
    """Copy every document. A text's vector is the same wherever it is kept."""
    bulk = Bulk(connection, target)
    for hit in _hits(connection, source, {"match_all": {}}):
        if time.monotonic() >= end:
            raise StoreError("vectors were not restored in time; it was given up")
        bulk.put(hit["_id"], hit["_source"])
    bulk.flush()


def _hits(connection: Connection, index: str, query: Json) -> Iterator[Json]:
    """Every document of an index that nobody changes which a query finds.

    Raises:
        StoreDegraded: Some shard does not answer.
    """
    refresh(connection, index)
    body = {"query": query, "size": PAGE, "sort": ["_doc"]}
    params = {**WHOLE, "scroll": SCROLL}
    found = connection.ask("POST", f"/{index}/_search", body, params)
    try:
        while found["hits"]["hits"]:
            if found["_shards"]["failed"]:
                raise StoreDegraded(f"a part of {index} cannot be read")
            yield from found["hits"]["hits"]
            rest = {"scroll": SCROLL, "scroll_id": found["_scroll_id"]}
            found = connection.ask("POST", "/_search/scroll", rest, tries=1)
    finally:
        ended = {"scroll_id": [found["_scroll_id"]]}
        connection.ask("DELETE", "/_search/scroll", ended, allowed={NOT_FOUND})


def _clean(connection: Connection, index: str) -> None:
    """Delete what commits had written that did not count, and let the manifest say so."""
    read = require(connection, index)
    unfinished = sorted(read.manifest.attempts)
    written = {"terms": {"born": unfinished}}
    begun_later = {"range": {"born": {"gte": read.manifest.next_attempt}}}
    bulk = Bulk(connection, index)
    count = 0
    for hit in _hits(connection, index, {"bool": {"should": [written, begun_later]}}):
        bulk.delete(hit["_id"], hit["_routing"])
        count += 1
    bulk.flush()
    refresh(connection, index)

    def edit(read: Read) -> Manifest:
        return replace(
            read.manifest,
            attempts={},
            retired={},
            closed_for="",
            held_until=0.0,
            has_removed=read.manifest.has_removed or count > 0,
        )

    tidy(connection, change_manifest(connection, index, edit))


def _put_in_place(connection: Connection, alias: str, made: str) -> None:
    """Let the alias name the restored index, and nothing more be published in the one before."""
    old = read_manifest(connection, alias)
    actions: list[Json] = [{"add": {"index": made, "alias": alias}}]
    if old is not None:
        last = _close(connection, old.index, made)
        retired = {**last.retired, old.index: time.time()}
        _succeed(connection, made, last.generation + 1, retired)
        actions.insert(0, {"remove": {"index": old.index, "alias": alias}})
    connection.ask("POST", "/_aliases", {"actions": actions})


def _close(connection: Connection, index: str, successor: str) -> Manifest:
    def edit(read: Read) -> Manifest:
        if read.manifest.closed_for not in ("", successor):
            raise IndexBusy("another process is rebuilding the collection", hint="try again later")
        return replace(read.manifest, closed_for=successor)

    return change_manifest(connection, index, edit).manifest


def _succeed(
    connection: Connection, index: str, generation: int, retired: dict[str, float]
) -> None:
    def edit(read: Read) -> Manifest:
        return replace(read.manifest, generation=generation, retired=retired)

    change_manifest(connection, index, edit)
