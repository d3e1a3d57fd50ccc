"""Status: how a cluster and a collection on it are doing, and what is wrong, in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from plait.errors import IndexMissing, StoreDegraded
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.manifest import NOT_FOUND, require
from plait.stores.cluster.operations.advice import Advice, advice
from plait.stores.cluster.schema import alias_of, vectors_index
from plait.stores.cluster.view import dead_lists
from plait.types import Snapshot

FULL = "index.blocks.read_only_allow_delete"  # set by a cluster when a disk is full
SERVING = frozenset({"started", "relocating"})
ALMOST_FULL = 0.90  # of a disk; a node then gives shards away
DATA_ROLES = frozenset({"data", "data_content", "data_hot", "data_warm", "data_cold"})


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a cluster."""

    name: str
    holds_data: bool
    heap_bytes: int
    heap_max_bytes: int
    disk_bytes: int
    disk_free_bytes: int

    @property
    def disk_share(self) -> float:
        """How much of the disk is taken, by whatever."""
        return 1 - self.disk_free_bytes / self.disk_bytes if self.disk_bytes else 0.0


@dataclass(frozen=True, slots=True)
class Shard:
    """One copy of one shard."""

    index: str
    number: int
    is_primary: bool
    state: str
    node: str  # "" if it is on none
    documents: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a collection holds."""

    index: str
    generation: int
    repos: tuple[str, ...]
    files: int
    chunks: int
    symbols: int
    source_bytes: int
    vectors_missing: int | None  # None if no model is asked for
    index_bytes: int  # without copies
    vectors_bytes: int  # the same of the index that keeps vectors by their texts
    attempts: int  # commits that are being written, or were given up
    dead_files: int  # replaced, and not deleted yet
    is_held: bool  # somebody copies it; nothing is published meanwhile

    @property
    def bytes_per_chunk(self) -> float:
        """On disk, without copies."""
        return (self.index_bytes + self.vectors_bytes) / self.chunks if self.chunks else 0.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How a cluster and a collection are doing."""

    address: str
    cluster: str
    health: str  # green, yellow or red
    nodes: tuple[Node, ...]
    is_missing: bool  # nothing was ever indexed there
    contents: Contents | None  # None: there is nothing, or it cannot be read
    shards: tuple[Shard, ...]
    advice: Advice | None
    faults: tuple[str, ...]  # because of which searches or commits fail
    warnings: tuple[str, ...]


def standing(connection: Connection, snapshot_of: Callable[[], Snapshot], model: str) -> Standing:
    """Look at a cluster and a collection.

    Args:
        connection: The way there.
        snapshot_of: Gives the collection's newest snapshot.
        model: The digest of the model whose vectors are counted; "" for none.

    Raises:
        StoreUnreachable: No node answers.
    """
    collection = connection.address.collection
    found = connection.ask("GET", f"/_alias/{alias_of(collection)}", allowed={NOT_FOUND})
    names = [name for name, one in found.items() if isinstance(one, dict) and "aliases" in one]
    health = connection.ask("GET", "/_cluster/health")
    nodes = _nodes(connection)
    shards = _shards(connection, [*names, vectors_index(collection)]) if names else ()
    faults = [*_lost(shards), *_full(connection, names)]
    contents = None
    if names:
        try:
            contents = _contents(connection, snapshot_of(), model)
        except IndexMissing:
            names = []
        except StoreDegraded as error:
            faults.append(str(error))
    holding = sum(node.holds_data for node in nodes)
    return Standing(
        address=str(connection.address),
        cluster=health["cluster_name"],
        health=health["status"],
        nodes=nodes,
        is_missing=not names,
        contents=contents,
        shards=shards,
        advice=advice(contents.chunks, contents.bytes_per_chunk, holding) if contents else None,
        faults=tuple(faults),
        warnings=tuple(_warnings(nodes, shards)),
    )


def _nodes(connection: Connection) -> tuple[Node, ...]:
    found = connection.ask("GET", "/_nodes/stats/jvm,fs")["nodes"].values()
    return tuple(sorted((_node(one) for one in found), key=lambda node: node.name))


def _node(told: Json) -> Node:
    heap, disk = told["jvm"]["mem"], told["fs"]["total"]
    return Node(
        name=told["name"],
        holds_data=bool(DATA_ROLES.intersection(told["roles"])),
        heap_bytes=heap["heap_used_in_bytes"],
        heap_max_bytes=heap["heap_max_in_bytes"],
        disk_bytes=disk["total_in_bytes"],
        disk_free_bytes=disk["available_in_bytes"],
    )


def _shards(connection: Connection, names: Sequence[str]) -> tuple[Shard, ...]:
    params = {"format": "json", "bytes": "b"}
    rows: list[Json] = []
    for name in names:
        told = connection.ask("GET", f"/_cat/shards/{name}", params=params, allowed={NOT_FOUND})
        rows += told.get("text", ())
    shards = [
        Shard(
            index=row["index"],
            number=int(row["shard"]),
            is_primary=row["prirep"] == "p",
            state=row["state"].lower(),
            node=row["node"] or "",
            documents=int(row["docs"] or 0),
            size_bytes=int(row["store"] or 0),
        )
        for row in rows
    ]
    return tuple(sorted(shards, key=lambda one: (one.index, one.number, not one.is_primary)))


def _contents(connection: Connection, snapshot: Snapshot, model: str) -> Contents:
    collection = connection.address.collection
    read = require(connection, alias_of(collection))
    manifest, held = read.manifest, snapshot.statistics()
    dead = dead_lists(connection, read.index, manifest)
    return Contents(
        index=read.index,
        generation=snapshot.generation,
        repos=tuple(snapshot.repos()),
        files=held.files,
        chunks=held.chunks,
        symbols=held.symbols,
        source_bytes=held.source_bytes,
        vectors_missing=snapshot.missing_vectors(model) if model else None,
        index_bytes=_bytes(connection, read.index),
        vectors_bytes=_bytes(connection, vectors_index(collection)),
        attempts=len(manifest.attempts),
        dead_files=sum(len(rows or ()) for rows in dead),
        is_held=time.time() < manifest.held_until,
    )


def _bytes(connection: Connection, index: str) -> int:
    """How much disk an index takes, its copies left out; 0 if there is none."""
    stats = connection.ask("GET", f"/{index}/_stats/store", allowed={NOT_FOUND})
    primaries = stats.get("_all", {}).get("primaries", {})
    return int(primaries.get("store", {}).get("size_in_bytes", 0))


# ---------------------------------------------------------------- what is wrong


def _lost(shards: Sequence[Shard]) -> Iterator[str]:
    """Parts of the collection that cannot be read."""
    for index, number in sorted({(one.index, one.number) for one in shards}):
        copies = [one for one in shards if (one.index, one.number) == (index, number)]
        if not any(one.state in SERVING for one in copies if one.is_primary):
            yield f"shard {number} of {index} is on no node: it can be neither read nor written"


def _full(connection: Connection, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        told = connection.ask("GET", f"/{name}/_settings", params={"flat_settings": "true"})
        if told.get(name, {}).get("settings", {}).get(FULL) == "true":
            yield (
                f"a disk is full: {name} can be read but not written "
                "until there is room (make some, or add nodes)"
            )


def _warnings(nodes: Sequence[Node], shards: Sequence[Shard]) -> Iterator[str]:
    waiting = [one for one in shards if not one.is_primary and one.state not in SERVING]
    if waiting:
        yield (
            f"{len(waiting)} of the copies that the collection should have "
            f"{'are' if len(waiting) > 1 else 'is'} missing: losing a node may lose shards"
        )
    for node in nodes:
        if node.holds_data and node.disk_share > ALMOST_FULL:
            yield (
                f"the disk of {node.name} is {node.disk_share:.0%} full; "
                "at 95 % the cluster lets nothing more be written"
            )
