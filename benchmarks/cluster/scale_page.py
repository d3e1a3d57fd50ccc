"""The page on scale: what more chunks would cost, as ``docs/scale.md``.

    python -m benchmarks.cluster.scale_page

It is made of the newest record of ``benchmarks.cluster.scale`` and of the assumptions that it
lists; run it again after a new record, or with other assumptions.
"""

from __future__ import annotations

import re
import textwrap
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
from benchmarks.cluster.scale_text import (
    ASSUMED,
    HEAD,
    OTHERS,
    PUBLISHED,
    SIZES,
    SMALL,
    SPREAD,
    SizeText,
)
from tools.record import RECORDS, ROOT, read_raw

WIDTH = 96
PAGE = ROOT / "docs" / "scale.md"
NAME = re.compile(r"(\d{4}-\d\d-\d\d)-cluster-scale(?:-(\d+))?")
FIGURES = (
    "| | searches/s | on disk | in objects | vectors in memory | shards | machines | decided by "
    "| dollars a month | written in hours | words ms | hybrid ms |"
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
        "\n".join(_spread(raw)),
        _assumed(found, machine),
        "\n".join(_sizes(found)),
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
    for title, mode in (("search by words", found.words), ("hybrid search", found.hybrid)):
        yield (
            f"| a {title}, of {found.chunks:,} chunks | {mode.core_ms:.0f} ms of servers' "
            f"cores; one client waits {mode.p50_ms:.0f} ms (p95 {mode.p95_ms:.0f}) |"
        )
    yield ""


def _spread(raw: Mapping[str, Any]) -> Iterator[str]:
    """The same searches on one node and on several."""
    split = raw.get("split", {})
    places = {
        "one node": raw["one"],
        "three nodes, a replica": raw.get("three"),
        "three nodes, one shard on one": split.get("one shard"),
        "three nodes, two shards on two": split.get("two shards"),
    }
    yield (
        "| p50 / p95 ms, times the p50 of bare requests | one client, words | one client, hybrid "
        "| 16 clients, words | 16 clients, hybrid | hybrid searches/s |"
    )
    yield "|---" * 6 + "|"
    for title, found in places.items():
        if found:
            single = [_single(found[mode]["single"]["known"]) for mode in ("lexical", "hybrid")]
            many = [_many(found[mode]["many"]) for mode in ("lexical", "hybrid")]
            rate = f"{found['hybrid']['many']['plait']['searches_per_s']:.0f}"
            yield f"| {title} | {' | '.join([*single, *many, rate])} |"
    yield ""
    yield SPREAD


def _single(found: Mapping[str, Any]) -> str:
    times = found["search_ms"]
    return f"{times['p50']:.0f} / {times['p95']:.0f}, {found['search_to_bare']:.2f}"


def _many(found: Mapping[str, Any]) -> str:
    ours, bare = found["plait"], found["bare"]
    return f"{ours['p50_ms']:.0f} / {ours['p95_ms']:.0f}, {ours['p50_ms'] / bare['p50_ms']:.2f}"


def _assumed(found: Measured, machine: Machine) -> str:
    return "## What is assumed\n\n" + ASSUMED.format(
        chunks=found.chunks,
        shard=MAX_SHARD_BYTES / GB,
        many=MANY_SHARDS,
        cores=machine.cores,
        memory=machine.memory_gb,
        heap=machine.heap_gb,
        disk=machine.disk_tb,
        few=SMALL.cores,
        little=SMALL.memory_gb,
        growing=found.hybrid.growing,
        deepening=found.hybrid.deepening,
        core=machine.core_hour,
        gb=machine.memory_hour,
        ssd=machine.disk_month,
        objects=machine.object_month,
    )


def _sizes(found: Measured) -> Iterator[str]:
    yield "## Sizes"
    yield ""
    yield FIGURES
    yield "|---" * 12 + "|"
    for size in SIZES:
        yield _row(
            f"{size.title.partition(':')[0]}, as it is", size.chunks, size.now, found, size.machine
        )
        if size.then != size.now:
            yield _row("with the plan", size.chunks, size.then, found, size.machine)
    yield ""
    for size in SIZES:
        yield from _size(size, found)


def _size(size: SizeText, found: Measured) -> Iterator[str]:
    now, then = (needed(size.chunks, plan, found, size.machine) for plan in (size.now, size.then))
    yield f"### {size.title}"
    yield ""
    yield from _wrapped(
        f"{_bytes(size.chunks * found.source_bytes)} of source. A hybrid search takes "
        f"{_seconds(now.core_ms)} of cores if it looks at everything."
    )
    yield from _wrapped(f"*Breaks first:* {size.breaks}")
    yield from _wrapped(f"*The plan:* {size.plan}")
    if size.then != size.now:
        plan = size.then
        yield from _wrapped(
            f"Assumed: {plan.unique:.0%} of the chunks are unique, {plan.hot:.0%} of those are "
            f"hot, a coordinate has {plan.bits} of 8 bits in memory, and a search looks at "
            f"{plan.visited:.1%} of the index, which takes {_seconds(then.core_ms)} of cores."
        )


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    yield ""


def _seconds(milliseconds: float) -> str:
    return f"{_rounded(milliseconds / 1e3):,.10g} s"


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
        f"{_rounded(made.write_hours):,.10g}",
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
    raw = read_raw(folder)
    PAGE.write_text(page(raw, folder.name), encoding="utf-8")


if __name__ == "__main__":
    main()
