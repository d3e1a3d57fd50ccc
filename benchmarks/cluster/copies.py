"""Copies: a collection on other nodes, or in more shards, without writing it again.

A snapshot of the files of an index is restored by another cluster; an index of one shard is
split into two by OpenSearch itself, which links the files and deletes in each half what belongs
to the other. Both keep every document, so figures differ by nothing but where it lies.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.cluster.engine import Place
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.schema import MANIFEST

ARCHIVE = "scale"  # a repository of snapshots
PAUSE_S = 2.0
COPY_S = 1_800.0
GREEN = {"wait_for_status": "green", "wait_for_no_relocating_shards": "true"}


def snapshot(place: Place, folder: str) -> dict[str, float]:
    """Write the files of a collection down; how long it took and how large it is."""
    connection = Connection(place.address)
    _use(connection, folder)
    index = place.index_name(connection)
    began = time.monotonic()
    connection.ask("DELETE", f"/_snapshot/{ARCHIVE}/all", allowed={404})
    connection.ask(
        "PUT", f"/_snapshot/{ARCHIVE}/all", {"indices": index, "include_global_state": False}
    )
    while True:
        (found,) = connection.ask("GET", f"/_snapshot/{ARCHIVE}/all/_status")["snapshots"]
        if found["state"] == "SUCCESS":
            break
        if found["state"] == "FAILED" or time.monotonic() - began > COPY_S:
            raise TimeoutError(f"the snapshot is {found['state']}")
        time.sleep(PAUSE_S)
    connection.close()
    return {
        "wall_s": time.monotonic() - began,
        "bytes": found["stats"]["total"]["size_in_bytes"],
    }


def restore(place: Place, folder: str, replicas: int) -> dict[str, float]:
    """Have a collection from a snapshot; how long until every copy is there."""
    connection = Connection(place.address)
    _use(connection, folder)
    began = time.monotonic()
    connection.ask(
        "POST",
        f"/_snapshot/{ARCHIVE}/all/_restore",
        {
            "include_global_state": False,
            "include_aliases": True,
            "index_settings": {"index.number_of_replicas": replicas},
        },
    )
    wait_green(connection)
    took_s = time.monotonic() - began
    connection.close()
    return {"wall_s": took_s}


def split(place: Place, shards: int, allocation: str = "") -> dict[str, float]:
    """Cut the index behind a collection's name into shards; the name goes with them.

    Args:
        place: The collection, whose index has one shard.
        shards: How many there will be.
        allocation: Names of the nodes they may lie on; "" for all.
    """
    connection = Connection(place.address)
    old = place.index_name(connection)
    new = f"{old}s{shards}"
    began = time.monotonic()
    connection.ask("PUT", f"/{old}/_settings", {"index.blocks.write": True})
    connection.ask(
        "PUT",
        f"/{old}/_split/{new}",
        {
            "settings": {
                "index.number_of_shards": shards,
                "index.number_of_replicas": 0,
                "index.blocks.write": None,
            }
        },
    )
    wait_green(connection)
    _tell(connection, new, shards)
    actions: list[dict[str, Any]] = [
        {"remove": {"index": old, "alias": place.alias}},
        {"add": {"index": new, "alias": place.alias}},
    ]
    connection.ask("POST", "/_aliases", {"actions": actions})
    if allocation:
        spread(connection, new, allocation)
    connection.ask("POST", f"/{new}/_forcemerge", params={"only_expunge_deletes": "true"})
    took_s = time.monotonic() - began
    connection.close()
    return {"wall_s": took_s}


def spread(connection: Connection, index: str, nodes: str) -> None:
    """Have the shards of an index on some nodes only, by their names."""
    settings = {"index.routing.allocation.include._name": nodes}
    connection.ask("PUT", f"/{index}/_settings", settings)
    wait_green(connection)


def wait_green(connection: Connection) -> None:
    """Wait until every copy of every shard is where it belongs.

    Raises:
        TimeoutError: That takes too long.
    """
    end = time.monotonic() + COPY_S
    while time.monotonic() < end:
        health = connection.ask("GET", "/_cluster/health", params=GREEN, allowed={408})
        if not health.get("timed_out", True):
            return
    raise TimeoutError("the cluster does not become green")


def _use(connection: Connection, folder: str) -> None:
    """Let a cluster know where snapshots are."""
    connection.ask("PUT", f"/_snapshot/{ARCHIVE}", {"type": "fs", "settings": {"location": folder}})


def _tell(connection: Connection, index: str, shards: int) -> None:
    """Say in the manifest of an index how many shards it has."""
    kept = connection.ask("GET", f"/{index}/_doc/{MANIFEST}")["_source"]
    kept["manifest"]["shards"] = shards
    connection.ask("PUT", f"/{index}/_doc/{MANIFEST}", kept, {"refresh": "true"})
