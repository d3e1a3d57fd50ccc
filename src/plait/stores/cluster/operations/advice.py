"""Advice: how many shards and copies a collection should have, and how much disk.

A shard is one Lucene index: it is searched by one thread, moves between nodes as a whole, and
is slow to heal once it is large. So there are enough of them that none gets too large and
every node has work, and no more than that, because each costs memory and a part of every
search. The number is chosen when a collection is made; another needs a build anew.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

GB = 1_000_000_000
SHARD_BYTES = 30 * GB
SHARD_CHUNKS = 40_000_000
SPREAD_CHUNKS = 5_000_000  # above so many, a search is worth the work of every node
GROWTH = 2.0  # what is planned for, as a multiple of what is there
ROOM = 1.5  # merging writes a second copy, and a node takes nothing more when 85 % full
USUAL_BYTES_PER_CHUNK = 2_000.0  # until something was measured


@dataclass(frozen=True, slots=True)
class Advice:
    """What a collection should be made with, and why."""

    shards: int
    replicas: int
    disk_bytes: int  # on all nodes together
    reasons: tuple[str, ...]

    @property
    def options(self) -> str:
        """As it is said in an address."""
        return f"?shards={self.shards}&replicas={self.replicas}"


def advice(chunks: int, bytes_per_chunk: float, nodes: int, growth: float = GROWTH) -> Advice:
    """What suits a collection.

    Args:
        chunks: How many there are.
        bytes_per_chunk: On disk, measured on this collection, its vectors included; 0 if
            nothing was measured yet.
        nodes: How many hold data.
        growth: How many times larger it may get before it is built anew.
    """
    nodes = max(nodes, 1)
    planned = math.ceil(chunks * growth)
    size = planned * (bytes_per_chunk or USUAL_BYTES_PER_CHUNK)
    by_bytes, by_chunks = math.ceil(size / SHARD_BYTES), math.ceil(planned / SHARD_CHUNKS)
    shards = max(1, by_bytes, by_chunks)
    reasons = [
        f"planned for {planned:,} chunks and {_sized(size)}: "
        f"{growth:g} times the {chunks:,} there are, "
        + (f"{bytes_per_chunk:,.0f} bytes each" if bytes_per_chunk else "size not measured yet")
    ]
    if shards > 1:
        reasons.append(
            f"at least {shards} shards: none above {SHARD_BYTES // GB} GB "
            f"or {SHARD_CHUNKS // 1_000_000} million chunks"
        )
    if planned > SPREAD_CHUNKS and nodes > 1:
        reasons.append(f"above {SPREAD_CHUNKS:,} chunks every one of {nodes} nodes takes part")
        shards = max(shards, nodes)
    if shards > 1 and shards % nodes:
        shards = math.ceil(shards / nodes) * nodes
        reasons.append(f"{shards} shards are the same number on each of {nodes} nodes")
    replicas = 1 if nodes > 1 else 0
    reasons.append(
        "one copy of each shard, so that a node can be lost"
        if replicas
        else "no copies: on one node they have no place, and losing it loses the index"
    )
    disk = math.ceil(size * (1 + replicas) * ROOM)
    reasons.append(f"half as much disk again for merging: {_sized(disk)} in all")
    return Advice(shards, replicas, disk, tuple(reasons))


def _sized(size_bytes: float) -> str:
    return f"{size_bytes / GB:,.1f} GB" if size_bytes >= GB else f"{size_bytes / 1e6:,.1f} MB"
