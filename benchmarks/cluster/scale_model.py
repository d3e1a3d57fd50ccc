"""Model: from what a million chunks cost here to what more of them would cost.

Nothing but arithmetic over measured figures and assumptions that are named. What is assumed of
growth: bytes grow with the chunks; the work of a search by words grows with the chunks it looks
through; the work of a search by meaning grows with the shards it visits and, within a shard,
with the logarithm of its chunks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

GB, TB = 1e9, 1e12
HOURS = 730.0  # of a month
MS_PER_S = 1e3


@dataclass(frozen=True, slots=True)
class Machine:
    """What one machine has, and what it costs."""

    cores: int = 16
    memory_gb: float = 128.0
    heap_gb: float = 30.0
    disk_tb: float = 4.0
    busy: float = 0.5  # of its cores, at most
    core_hour: float = 0.04048  # dollars
    memory_hour: float = 0.004445  # dollars a GB
    disk_month: float = 0.08  # dollars a GB
    object_month: float = 0.02  # dollars a GB

    @property
    def cache_bytes(self) -> float:
        """Memory that is left for files."""
        return (self.memory_gb - self.heap_gb) * GB

    @property
    def month(self) -> float:
        """Dollars a month, without disk."""
        return HOURS * (self.cores * self.core_hour + self.memory_gb * self.memory_hour)


class Measured(NamedTuple):
    """What was measured of one index, per chunk or per search."""

    chunks: int
    source_bytes: float  # the following are of one chunk
    text_bytes: float  # on disk: postings, text, columns
    code_bytes: float  # of the vectors, as they are searched
    graph_bytes: float  # of the links between them
    kept_bytes: float  # of vectors by their text, never searched
    write_ms: float  # of a server's core
    embed_ms: float  # with the merging that comes of it
    client_ms: float  # of writing and embedding, without parsing
    words_ms: float  # of servers' cores, for one search by words
    meaning_ms: float
    words_p50_ms: float  # of one client that waits
    words_p95_ms: float
    hybrid_p50_ms: float
    hybrid_p95_ms: float

    @property
    def vector_bytes(self) -> float:
        """What wants to be in memory of a vector."""
        return self.code_bytes + self.graph_bytes


class Plan(NamedTuple):
    """How a size is met."""

    load: float  # searches a second
    unique: float = 1.0  # share of the chunks that are no copy of another
    hot: float = 1.0  # share of those that have vectors and lie on disks of their own
    bits: int = 8  # of a coordinate, in memory
    visited: float = 1.0  # share of the index that a search looks at
    copies: int = 2


class Needed(NamedTuple):
    """What a plan takes."""

    disk_bytes: float
    object_bytes: float
    memory_bytes: float
    shards: int
    machines: int
    decided_by: str
    dollars: float  # a month
    ingest_days: float
    words_ms: float  # to wait
    hybrid_ms: float


def measured(raw: Mapping[str, Any]) -> Measured:
    """The figures of a record."""
    ingest, embed, one = raw["ingest"], raw["embed"], raw["one"]
    chunks = ingest["chunks"]
    vectors = chunks - embed["lacking"]
    sizes = one["index"]["file_sizes"]
    codes = sum(sizes.get(end, 0) for end in ("vec", "vem", "vemf"))
    links = sizes.get("vex", 0)
    many = {mode: one[mode]["many"]["bare"]["server_cpu_ms"] for mode in ("lexical", "dense")}
    words = one["lexical"]["single"]["known"]["search_ms"]
    hybrid = one["hybrid"]["single"]["known"]["search_ms"]
    return Measured(
        chunks=chunks,
        source_bytes=ingest["source_bytes"] / chunks,
        text_bytes=(one["index"]["store_bytes"] - codes - links) / chunks,
        code_bytes=codes / vectors,
        graph_bytes=links / vectors,
        kept_bytes=embed["kept"]["store_bytes"] / vectors,
        write_ms=ingest["server_cpu_s"] / chunks * MS_PER_S,
        embed_ms=(embed["server_cpu_s"] / embed["chunks"] + raw["settle"]["server_cpu_s"] / vectors)
        * MS_PER_S,
        client_ms=(ingest["client_cpu_s"] / chunks + embed["client_cpu_s"] / embed["chunks"])
        * MS_PER_S,
        words_ms=many["lexical"],
        meaning_ms=many["dense"],
        words_p50_ms=words["p50"],
        words_p95_ms=words["p95"],
        hybrid_p50_ms=hybrid["p50"],
        hybrid_p95_ms=hybrid["p95"],
    )


MAX_SHARD_BYTES = 30 * GB
MANY_SHARDS = 20  # of so many, one is as slow as the slowest twentieth


def needed(chunks: float, plan: Plan, found: Measured, machine: Machine) -> Needed:
    """What a number of chunks takes under a plan."""
    unique = chunks * plan.unique
    searched = unique * (found.text_bytes + plan.hot * found.vector_bytes)
    on_disk = unique * plan.hot * (found.text_bytes + found.vector_bytes + found.kept_bytes)
    in_objects = unique * (1 - plan.hot) * found.text_bytes
    in_memory = unique * plan.hot * (found.code_bytes * plan.bits / 8 + found.graph_bytes)
    shards = max(1, math.ceil(searched / MAX_SHARD_BYTES))
    shard_chunks = unique / shards
    core_ms = plan.visited * _core_ms(unique, shards, shard_chunks, found)
    wanted = {
        "disk": plan.copies * on_disk / (machine.disk_tb * TB),
        "memory": plan.copies * in_memory / machine.cache_bytes,
        "CPU": plan.load * core_ms / MS_PER_S / (machine.cores * machine.busy),
        "copies": float(plan.copies),
    }
    decided_by = max(wanted, key=lambda name: wanted[name])
    machines = math.ceil(wanted[decided_by])
    write_s = unique * (found.write_ms + plan.hot * found.embed_ms) / MS_PER_S
    dollars = (
        machines * machine.month
        + plan.copies * on_disk / GB * machine.disk_month
        + in_objects / GB * machine.object_month
    )
    return Needed(
        disk_bytes=plan.copies * on_disk,
        object_bytes=in_objects,
        memory_bytes=plan.copies * in_memory,
        shards=shards,
        machines=machines,
        decided_by=decided_by,
        dollars=dollars,
        ingest_days=plan.copies * write_s / (machines * machine.cores) / 86_400,
        words_ms=_wait(found.words_p50_ms, found.words_p95_ms, shards * plan.visited)
        * shard_chunks
        / found.chunks,
        hybrid_ms=_wait(found.hybrid_p50_ms, found.hybrid_p95_ms, shards * plan.visited)
        * shard_chunks
        / found.chunks,
    )


def _core_ms(unique: float, shards: int, shard_chunks: float, found: Measured) -> float:
    """Milliseconds of cores that one hybrid search takes, if it visits everything."""
    words = found.words_ms * unique / found.chunks
    deeper = math.log2(max(shard_chunks, 2)) / math.log2(found.chunks)
    return words + found.meaning_ms * shards * deeper


def _wait(p50_ms: float, p95_ms: float, shards: float) -> float:
    """How long somebody waits for the last of some shards."""
    return p95_ms if shards >= MANY_SHARDS else p50_ms
