"""Copies: a collection into a snapshot of OpenSearch, and back.

A snapshot holds each shard as it was when its copying began, which is not the same moment for
all of them. So nothing is published until the copying of every shard has begun, and what was
replaced before has been deleted. Vectors that are kept by their texts are copied after the
collection, in a snapshot of their own: a chunk that names a text then finds its vector.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import NamedTuple

from plait.errors import SettingError, StoreError
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.manifest import NOT_FOUND
from plait.stores.cluster.operations.hold import held, pauses_s
from plait.stores.cluster.schema import alias_of, vectors_index

VECTORS = ".vectors"  # the name of the second snapshot ends so
NAME = re.compile(r"[A-Za-z0-9_.-]{1,200}")
MISSING = (
    "a file-system repository is made by: plait store repository NAME --location PATH",
    "any other by the cluster's administrator",
)


@dataclass(frozen=True, slots=True)
class Copied:
    """What a snapshot holds."""

    name: str
    index: str
    generation: int
    shards: int
    seconds: float
    held_s: float  # how long nothing could be published


def register(connection: Connection, repository: str, location: str) -> None:
    """Make a place in a shared file system known as one that snapshots can be put in.

    Raises:
        SettingError: The nodes may not write there.
    """
    check_name(repository)
    answer = connection.ask(
        "PUT",
        f"/_snapshot/{repository}",
        {"type": "fs", "settings": {"location": location, "compress": True}},
        allowed={400, 500},
        tries=1,
    )
    if "status" in answer:
        raise SettingError(
            f"{location} cannot hold snapshots of {connection.address}: {_reason(answer)}",
            hint="every node must list the folder in path.repo and be able to write to it",
        )


def snapshot(
    connection: Connection, repository: str, name: str, within_s: float = 6 * 3_600.0
) -> Copied:
    """Copy a collection as it is now.

    Raises:
        SettingError: There is no such repository, or it has a snapshot of that name.
        IndexMissing: Nothing was ever committed.
        StoreError: It could not be done in time, or not of every shard.
    """
    begin = time.monotonic()
    collection = connection.address.collection
    _check_free(connection, repository, name)
    with held(connection, alias_of(collection)) as hold:
        _start(connection, repository, name, hold.index, hold.generation)
        try:
            while not _has_begun(connection, repository, name):
                hold.wait()
            hold.confirm()
        except BaseException:
            delete(connection, repository, name)
            raise
    shards = _finished(connection, repository, name, begin + within_s)
    if _exists(connection, vectors_index(collection)):
        second = name + VECTORS
        _start(connection, repository, second, vectors_index(collection), hold.generation)
        shards += _finished(connection, repository, second, begin + within_s)
    return Copied(name, hold.index, hold.generation, shards, time.monotonic() - begin, hold.seconds)


class Listed(NamedTuple):
    """A snapshot of a collection."""

    name: str
    collection: str
    generation: int
    state: str
    when: str


def listed(connection: Connection, repository: str) -> list[Listed]:
    """The snapshots of collections in a repository, the oldest first.

    Raises:
        SettingError: There is no such repository.
    """
    _check_there(connection, repository)
    told = connection.ask("GET", f"/_snapshot/{repository}/_all")["snapshots"]
    found = []
    for one in told:
        said = one.get("metadata") or {}
        if said.get("made_by") == "plait" and not one["snapshot"].endswith(VECTORS):
            found.append(
                Listed(
                    one["snapshot"],
                    said["collection"],
                    said["generation"],
                    one["state"],
                    one["start_time"],
                )
            )
    return found


def delete(connection: Connection, repository: str, name: str) -> None:
    """Forget a snapshot; what others share with it stays."""
    for one in (name + VECTORS, name):
        connection.ask("DELETE", f"/_snapshot/{repository}/{one}", allowed={NOT_FOUND})


# ---------------------------------------------------------------- snapshots


def _check_there(connection: Connection, repository: str) -> None:
    check_name(repository)
    found = connection.ask("GET", f"/_snapshot/{repository}", allowed={NOT_FOUND})
    if found.get("status") == NOT_FOUND:
        raise SettingError(
            f"no repository for snapshots is called {repository!r}", hint="; ".join(MISSING)
        )


def _check_free(connection: Connection, repository: str, name: str) -> None:
    _check_there(connection, repository)
    check_name(name)
    for one in (name, name + VECTORS):
        known = connection.ask("GET", f"/_snapshot/{repository}/{one}", allowed={NOT_FOUND})
        if known.get("status") != NOT_FOUND:
            raise SettingError(f"{repository} has a snapshot {one!r} already")


def _start(connection: Connection, repository: str, name: str, index: str, generation: int) -> None:
    body = {
        "indices": index,
        "include_global_state": False,
        "partial": False,
        "metadata": {
            "made_by": "plait",
            "collection": connection.address.collection,
            "generation": generation,
        },
    }
    path, params = f"/_snapshot/{repository}/{name}", {"wait_for_completion": "false"}
    answer = connection.ask("PUT", path, body, params, allowed={400}, tries=1)
    if answer.get("status") == 400:
        raise SettingError(f"{name!r} cannot be made: {_reason(answer)}")


def _has_begun(connection: Connection, repository: str, name: str) -> bool:
    """Whether the copying of every shard has begun."""
    found = connection.ask("GET", f"/_snapshot/{repository}/{name}/_status")["snapshots"][0]
    counted = found["shards_stats"]
    return found["state"] != "INIT" and counted["total"] > 0 and not counted["initializing"]


def _finished(connection: Connection, repository: str, name: str, end: float) -> int:
    """Wait for a snapshot; of how many shards it is."""
    pauses = pauses_s()
    while True:
        told = _told(connection, repository, name)
        if told["state"] != "IN_PROGRESS":
            break
        if time.monotonic() > end:
            delete(connection, repository, name)
            raise StoreError(f"the snapshot {name} was not made in time; it was given up")
        time.sleep(next(pauses))
    if told["state"] != "SUCCESS":
        why = "; ".join(str(one.get("reason", "")) for one in told.get("failures", ())[:3])
        delete(connection, repository, name)
        raise StoreError(f"the snapshot {name} could not be made ({told['state']}): {why}")
    return int(told["shards"]["successful"])


def described(connection: Connection, repository: str, name: str) -> Json:
    """What a cluster says of a snapshot.

    Raises:
        SettingError: There is none of that name.
    """
    _check_there(connection, repository)
    check_name(name)
    return _told(connection, repository, name)


def _told(connection: Connection, repository: str, name: str) -> Json:
    found = connection.ask("GET", f"/_snapshot/{repository}/{name}", allowed={NOT_FOUND})
    if found.get("status") == NOT_FOUND:
        raise SettingError(
            f"{repository} has no snapshot {name!r}",
            hint=f"they are listed by: plait store snapshots {repository}",
        )
    told: Json = found["snapshots"][0]
    return told


def check_name(name: str) -> None:
    """A name stands in an address.

    Raises:
        SettingError: It cannot.
    """
    if not NAME.fullmatch(name):
        raise SettingError(f"not a name: {name!r}", hint="letters, digits, '-', '_' and '.'")


def _exists(connection: Connection, index: str) -> bool:
    found = connection.ask("GET", f"/{index}/_settings", allowed={NOT_FOUND})
    return found.get("status") != NOT_FOUND


def _reason(answer: Json) -> str:
    error = answer.get("error", {})
    causes = [error]
    while isinstance(causes[-1], dict) and causes[-1].get("caused_by"):
        causes.append(causes[-1]["caused_by"])
    last = causes[-1]
    return str(last.get("reason", "")) if isinstance(last, dict) else str(last)
