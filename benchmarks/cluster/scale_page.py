"""The page on scale: what more chunks would cost, as ``docs/scale.md``.

    python -m benchmarks.cluster.scale_page

It is made of the newest record of ``benchmarks.cluster.scale`` and of the assumptions that it
lists; run it again after a new record, or with other assumptions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.cluster.scale_model import (
    GB,
    MANY_SHARDS,
    MAX_SHARD_BYTES,
    TB,
    Machine,
    Measured,
    Needed,
    Plan,
    measured,
    needed,
)
from benchmarks.cluster.scale_text import ASSUMED, HEAD, OTHERS, PUBLISHED, SIZES, SizeText
from benchmarks.record import RECORDS, ROOT

PAGE = ROOT / "docs" / "scale.md"
NAME = re.compile(r"(\d{4}-\d\d-\d\d)-cluster-scale(?:-(\d+))?")
FIGURES = (
    "| | searches/s | on disk | in objects | vectors in memory | shards | machines | decided by "
    "| dollars a month | written in days | words ms | hybrid ms |"
)


def newest_record(records: Path = RECORDS) -> Path:
    """The last run of the benchmark."""
    named = [(NAME.fullmatch(folder.name), folder) for folder in records.iterdir()]
    runs = [(found[1], int(found[2] or 1), folder) for found, folder in named if found]
    return max(runs)[2]


def page(raw: Mapping[str, Any], record: str) -> str:
    """The whole page."""
    found, machine = measured(raw), Machine()
    parts = [
        HEAD.format(record=record),
        "\n".join(_measured(found)),
        _assumed(found, machine),
        "\n".join(_sizes(found, machine)),
        "\n".join(_published()),
        OTHERS,
    ]
    return "\n".join(parts)


def _measured(found: Measured) -> Iterator[str]:
    yield "## What was measured"
    yield ""
    yield "| | of one chunk, or of one search |"
    yield "|---|---|"
    yield f"| source | {found.source_bytes:,.0f} bytes |"
    yield f"| words, grams, properties and text on disk | {found.text_bytes:,.0f} bytes |"
    yield (
        f"| its vector, to be searched | {found.code_bytes:,.0f} bytes and "
        f"{found.graph_bytes:,.0f} of links |"
    )
    yield f"| its vector, kept by its text | {found.kept_bytes:,.0f} bytes |"
    yield (
        f"| writing it | {found.write_ms:.2f} ms of a server's core: "
        f"{1e3 / found.write_ms:,.0f} chunks a second and core |"
    )
    yield (
        f"| giving it a vector | {found.embed_ms:.2f} ms of a server's core: "
        f"{1e3 / found.embed_ms:,.0f} a second and core |"
    )
    yield (
        f"| what the writer does for both, parsing left out | {found.client_ms:.2f} ms "
        "of a client's core |"
    )
    yield (
        f"| a search by words, of {found.chunks:,} chunks | {found.words_ms:.1f} ms of servers' "
        f"cores; one client waits {found.words_p50_ms:.0f} ms (p95 {found.words_p95_ms:.0f}) |"
    )
    yield f"| a search by meaning | {found.meaning_ms:.1f} ms of servers' cores |"
    yield (
        f"| a hybrid search | one client waits {found.hybrid_p50_ms:.0f} ms "
        f"(p95 {found.hybrid_p95_ms:.0f}) |"
    )
    yield ""


def _assumed(found: Measured, machine: Machine) -> str:
    return "## What is assumed\n\n" + ASSUMED.format(
        chunks=found.chunks,
        shard=MAX_SHARD_BYTES / GB,
        many=MANY_SHARDS,
        cores=machine.cores,
        memory=machine.memory_gb,
        heap=machine.heap_gb,
        disk=machine.disk_tb,
        core=machine.core_hour,
        gb=machine.memory_hour,
        ssd=machine.disk_month,
        objects=machine.object_month,
    )


def _sizes(found: Measured, machine: Machine) -> Iterator[str]:
    yield "## Sizes"
    yield ""
    yield FIGURES
    yield "|---" * 12 + "|"
    for size in SIZES:
        yield _row(
            f"{size.title.partition(':')[0]}, as it is", size.chunks, size.now, found, machine
        )
        if size.then != size.now:
            yield _row("with the plan", size.chunks, size.then, found, machine)
    yield ""
    for size in SIZES:
        yield from _size(size, found)


def _size(size: SizeText, found: Measured) -> Iterator[str]:
    yield f"### {size.title}"
    yield ""
    yield f"{_bytes(size.chunks * found.source_bytes)} of source."
    yield ""
    yield f"*Breaks first:* {size.breaks}"
    yield ""
    yield f"*The plan:* {size.plan}"
    if size.then != size.now:
        plan = size.then
        yield ""
        yield (
            f"Assumed: {plan.unique:.0%} of the chunks are unique, {plan.hot:.0%} of those are "
            f"hot, {plan.bits} bits a coordinate in memory, a search looks at {plan.visited:.1%}."
        )
    yield ""


def _published() -> Iterator[str]:
    yield "## What others publish"
    yield ""
    yield "| | size | figures | source |"
    yield "|---|---|---|---|"
    for one in PUBLISHED:
        yield f"| {' | '.join(one)} |"
    yield ""


def _row(title: str, chunks: float, plan: Plan, found: Measured, machine: Machine) -> str:
    made: Needed = needed(chunks, plan, found, machine)
    cells = [
        title,
        f"{plan.load:g}",
        _bytes(made.disk_bytes),
        _bytes(made.object_bytes) if made.object_bytes else "",
        _bytes(made.memory_bytes),
        f"{made.shards:,}",
        f"{made.machines:,}",
        made.decided_by,
        f"{_rounded(made.dollars):,.0f}",
        f"{made.ingest_days:.2g}",
        f"{_rounded(made.words_ms):,.0f}",
        f"{_rounded(made.hybrid_ms):,.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _rounded(value: float) -> float:
    """Two digits are all a model is worth."""
    return float(f"{value:.2g}")


def _bytes(size: float) -> str:
    for unit, name in ((1e15, "PB"), (TB, "TB"), (GB, "GB")):
        if size >= unit:
            return (
                f"{size / unit:.2g} {name}" if size < 100 * unit else f"{size / unit:,.0f} {name}"
            )
    return f"{size / 1e6:,.0f} MB"


def main() -> None:
    """Write the page."""
    folder = newest_record()
    raw = json.loads((folder / "raw.json").read_text(encoding="utf-8"))
    PAGE.write_text(page(raw, folder.name), encoding="utf-8")


if __name__ == "__main__":
    main()
