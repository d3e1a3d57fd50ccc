"""What nodes use: CPU time by the operating system, disk and segments by their own account."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from benchmarks.speed.clock import cpu_seconds
from plait.stores.cluster.connection import Connection

T = TypeVar("T")
TICKS = os.sysconf("SC_CLK_TCK")
LUCENE_PARTS = {  # of a segment's files, by how their names end
    "postings": ("doc", "tim", "tip", "tmd", "psm", "pos"),
    "sources": ("fdt", "fdx", "fdm"),
    "columns": ("dvd", "dvm"),
    "vectors": ("vec", "vem", "vemf", "veq", "vemq", "vex"),
    "points": ("kdd", "kdi", "kdm"),
    "norms": ("nvd", "nvm"),
}


class Used(NamedTuple):
    """Seconds that a piece of work took."""

    wall_s: float
    client_cpu_s: float  # of this process and of its children that have ended
    server_cpu_s: float  # of all nodes


def node_cpu_s(pids: Sequence[int]) -> float:
    """CPU time of processes since they began."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])  # in user and in system mode
    return total / TICKS


def used_by(work: Callable[[], T], pids: Sequence[int]) -> tuple[T, Used]:
    """What the work gave, and what it took here and on the nodes."""
    client, server, wall = cpu_seconds(), node_cpu_s(pids), time.monotonic()
    result = work()
    return result, Used(time.monotonic() - wall, cpu_seconds() - client, node_cpu_s(pids) - server)


def index_figures(connection: Connection, index: str) -> dict[str, Any]:
    """Bytes, documents and segments of an index, its copies left out, by what they are for."""
    stats = connection.ask("GET", f"/{index}/_stats", params={"include_segment_file_sizes": "true"})
    primaries = stats["_all"]["primaries"]
    sizes = primaries["segments"].get("file_sizes", {})
    by_part = {
        part: sum(sizes.get(end, {}).get("size_in_bytes", 0) for end in ends)
        for part, ends in LUCENE_PARTS.items()
    }
    return {
        "documents": primaries["docs"]["count"],
        "deleted": primaries["docs"]["deleted"],
        "store_bytes": primaries["store"]["size_in_bytes"],
        "translog_bytes": primaries["translog"]["size_in_bytes"],
        "segments": primaries["segments"]["count"],
        "file_sizes": {end: one["size_in_bytes"] for end, one in sizes.items()},
        "parts": by_part,
    }
