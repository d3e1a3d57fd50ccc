"""Model: from what a million chunks cost here to what more of them would cost.

Nothing but arithmetic over measured figures and assumptions that are named. What is assumed of
growth: bytes grow with the chunks; what a search by words looks through grows with the chunks;
what a search by meaning does grows with the shards it visits and, within a shard, with the
logarithm of its chunks; loading and explaining ten results does not grow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

GB, TB = 1e9, 1e12
HOURS = 730.0  # of a month
MS_PER_S, S_PER_H = 1e3, 3_600.0
MAX_SHARD_BYTES = 10 * GB
MANY_SHARDS = 20  # of so many, one is as slow as the slowest twentieth


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


class Mode(NamedTuple):
    """What one search takes of the index that was measured, and how that grows."""

    core_ms: float  # of servers
    p50_ms: float  # that one client waits
    p95_ms: float
    growing: float  # share of it that grows with the chunks
    deepening: float = 0.0  # share that grows with their logarithm


class Measured(NamedTuple):
    """What was measured of one index; bytes and milliseconds of cores are of one chunk."""

    chunks: int
    source_bytes: float
    text_bytes: float  # on disk: postings, text, columns
    code_bytes: float  # of the vectors, as they are searched
    graph_bytes: float  # of the links between them
    kept_bytes: float  # of vectors by their text, never searched
    write_ms: float  # of a server's core
    embed_ms: float  # with the merging that comes of it
    client_ms: float  # of writing and embedding, without parsing
    words: Mode
    hybrid: Mode

    @property
    def vector_bytes(self) -> float:
        """What a vector takes on disk to be searched."""
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
    write_hours: float
    core_ms: float  # of one hybrid search
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
    embed_s = embed["server_cpu_s"] / embed["chunks"] + raw["settle"]["server_cpu_s"] / vectors
    client_s = ingest["client_cpu_s"] / chunks + embed["client_cpu_s"] / embed["chunks"]
    return Measured(
        chunks=chunks,
        source_bytes=ingest["source_bytes"] / chunks,
        text_bytes=(one["index"]["store_bytes"] - codes - links) / chunks,
        code_bytes=codes / vectors,
        graph_bytes=links / vectors,
        kept_bytes=embed["kept"]["store_bytes"] / vectors,
        write_ms=ingest["server_cpu_s"] / chunks * MS_PER_S,
        embed_ms=embed_s * MS_PER_S,
        client_ms=client_s * MS_PER_S,
        words=_mode(one["lexical"]),
        hybrid=_mode(one["hybrid"]),
    )


def _mode(found: Mapping[str, Any]) -> Mode:
    known = found["single"]["known"]
    methods, whole_ms = known["methods"], known["bare_ms"]["p50"]

    def share(method: str) -> float:
        return float(methods[method]["bare_p50_ms"] / whole_ms) if method in methods else 0.0

    return Mode(
        found["many"]["bare"]["server_cpu_ms"],
        known["search_ms"]["p50"],
        known["search_ms"]["p95"],
        share("match"),
        share("nearest"),
    )


def needed(chunks: float, plan: Plan, found: Measured, machine: Machine) -> Needed:
    """What a number of chunks takes under a plan."""
    unique = chunks * plan.unique
    searched = unique * (found.text_bytes + plan.hot * found.vector_bytes)
    on_disk = unique * plan.hot * (found.text_bytes + found.vector_bytes + found.kept_bytes)
    in_objects = unique * (1 - plan.hot) * found.text_bytes
    in_memory = unique * plan.hot * (found.code_bytes * plan.bits / 8 + found.graph_bytes)
    shards = max(1, math.ceil(searched / MAX_SHARD_BYTES))
    visited = max(shards * plan.visited, 1.0)
    growth = unique / shards / found.chunks  # of a shard, over what was measured
    core_ms = _core_ms(found, growth, visited)
    wanted = {
        "disk": plan.copies * on_disk / (machine.disk_tb * TB),
        "memory": plan.copies * in_memory / machine.cache_bytes,
        "CPU": plan.load * core_ms / MS_PER_S / (machine.cores * machine.busy),
        "copies": float(plan.copies),
    }
    decided_by = max(wanted, key=lambda name: wanted[name])
    machines = math.ceil(wanted[decided_by])
    write_s = plan.copies * unique * (found.write_ms + plan.hot * found.embed_ms) / MS_PER_S
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
        write_hours=write_s / (machines * machine.cores) / S_PER_H,
        core_ms=core_ms,
        words_ms=_wait_ms(found.words, found, growth, visited),
        hybrid_ms=_wait_ms(found.hybrid, found, growth, visited),
    )


def _core_ms(found: Measured, growth: float, visited: float) -> float:
    """Milliseconds of cores that one hybrid search takes of so many shards."""
    mode = found.hybrid
    per_shard = mode.growing * growth + mode.deepening * _deeper(found, growth)
    return mode.core_ms * (per_shard * visited + 1 - mode.growing - mode.deepening)


def _wait_ms(mode: Mode, found: Measured, growth: float, visited: float) -> float:
    """How long somebody waits, until the last of so many shards has answered."""
    of_one = mode.p95_ms if visited >= MANY_SHARDS else mode.p50_ms
    fixed = 1 - mode.growing - mode.deepening
    return of_one * (mode.growing * growth + mode.deepening * _deeper(found, growth) + fixed)


def _deeper(found: Measured, growth: float) -> float:
    """How much longer a graph is followed in a shard that is so many times as large."""
    return math.log2(max(found.chunks * growth, 2)) / math.log2(found.chunks)
