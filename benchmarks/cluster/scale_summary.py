"""Summary: what a million chunks cost, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Raw = Mapping[str, Any]
KB, MB, GB = 1e3, 1e6, 1e9


def summary(raw: Raw) -> str:
    """The tables of a record, of the parts that it has."""
    lines = ["# Scale: a million chunks on OpenSearch", ""]
    if "ingest" in raw:
        lines += _writing(raw)
    if "copy" in raw:
        lines += _copied(raw["copy"])
    places = {"one": "one node", "three": "three nodes, one shard, one replica"}
    for part, title in places.items():
        if part in raw:
            lines += _searches(title, raw[part])
    for name, found in raw.get("split", {}).items():
        where = "on one node" if name == "one shard" else "on two nodes"
        lines += _searches(f"{name} {where}, no replica", found)
    return "\n".join(lines) + "\n"


def _writing(raw: Raw) -> Iterator[str]:
    ingest = raw["ingest"]
    yield "## Writing"
    yield ""
    yield (
        f"{len(ingest['repositories'])} repositories, {ingest['files']:,} files, "
        f"{ingest['chunks']:,} chunks, {ingest['source_bytes'] / MB:,.0f} MB of source; "
        f"{ingest['processes']} writing processes, one node."
    )
    yield ""
    yield "| | chunks | chunks/s | server CPU ms a chunk | client CPU ms a chunk | wall s |"
    yield "|---|---|---|---|---|---|"
    titles = {"ingest": "text, terms and grams", "embed": "vectors", "settle": "merging the rest"}
    for name, title in titles.items():
        if name in raw:
            part = raw[name]
            chunks = part.get("chunks", ingest["chunks"])
            yield (
                f"| {title} | {chunks:,} | {chunks / part['wall_s']:,.0f} "
                f"| {part['server_cpu_s'] / chunks * 1e3:.2f} "
                f"| {part['client_cpu_s'] / chunks * 1e3:.2f} | {part['wall_s']:,.0f} |"
            )
    yield ""
    if "embed" in raw:
        embed = raw["embed"]
        yield (
            f"Model {embed['model']}, {embed['dimension']} coordinates; "
            f"{embed['lacking']:,} chunks lack a vector, "
            f"{ingest['chunks'] - embed['chunks'] - embed['lacking']:,} had theirs before."
        )
        yield ""
    yield "| bytes a chunk | on disk | " + " | ".join(ingest["index"]["parts"]) + " | segments |"
    yield "|---" * (3 + len(ingest["index"]["parts"])) + "|"
    for name, title in (("ingest", "text"), ("embed", "vectors"), ("one", "merging")):
        if name in raw:
            index = raw[name]["index"]
            of = ingest["chunks"]
            cells = " | ".join(f"{size / of:,.0f}" for size in index["parts"].values())
            yield (
                f"| after {title} | {index['store_bytes'] / of:,.0f} | {cells} "
                f"| {index['segments']} |"
            )
    yield ""


def _copied(copy: Raw) -> Iterator[str]:
    size, took = copy["snapshot"]["bytes"], copy["snapshot"]["wall_s"]
    yield "## Copying"
    yield ""
    yield (
        f"A snapshot of {size / GB:.2f} GB took {took:,.0f} s; three nodes had it restored, with "
        f"a replica, after {copy['restore']['wall_s']:,.0f} s."
    )
    yield ""


def _searches(title: str, found: Raw) -> Iterator[str]:
    modes = [mode for mode in ("lexical", "dense", "hybrid") if mode in found]
    yield f"## Searches: {title}"
    yield ""
    yield "Milliseconds, p50 / p95. Store: methods of the snapshot. Bare: the same requests alone."
    if "load" in found:
        yield (
            f"{found['questions']} questions, {found['clients']} clients at most; "
            f"{found['load'][0]:.0f} processes wanted the machine's cores when it began."
        )
    yield ""
    yield (
        "| one client | whole search | store | bare | store to bare | search to bare "
        "| requests | answers KB | client CPU |"
    )
    yield "|---" * 9 + "|"
    for mode in modes:
        for kind, one in found[mode]["single"].items():
            yield (
                f"| {mode}, {kind} words | {_both(one['search_ms'])} | {_both(one['store_ms'])} "
                f"| {_both(one['bare_ms'])} | {one['store_to_bare']:.2f} "
                f"| {one['search_to_bare']:.2f} | {one['requests']:.1f} "
                f"| {one['answer_bytes'] / KB:.1f} | {_both(one['search_cpu_ms'])} |"
            )
    yield ""
    yield "| method, known words | " + " | ".join(modes) + " |"
    yield "|---" * (1 + len(modes)) + "|"
    known = {mode: found[mode]["single"]["known"]["methods"] for mode in modes}
    for method in sorted({name for one in known.values() for name in one}):
        cells = [
            f"{one[method]['p50_ms']:.1f} / {one[method]['bare_p50_ms']:.1f} bare"
            if method in one
            else ""
            for one in known.values()
        ]
        yield f"| {method} | " + " | ".join(cells) + " |"
    yield ""
    yield (
        "| many clients | plait searches/s | bare | plait p50 / p95 | bare p50 / p95 | p50 to bare "
        "| server CPU ms plait / bare | client CPU ms plait / bare |"
    )
    yield "|---" * 8 + "|"
    for mode in modes:
        ours, bare = found[mode]["many"]["plait"], found[mode]["many"]["bare"]
        yield (
            f"| {mode} | {ours['searches_per_s']:.1f} | {bare['searches_per_s']:.1f} "
            f"| {ours['p50_ms']:.0f} / {ours['p95_ms']:.0f} "
            f"| {bare['p50_ms']:.0f} / {bare['p95_ms']:.0f} "
            f"| {ours['p50_ms'] / bare['p50_ms']:.2f} "
            f"| {ours['server_cpu_ms']:.1f} / {bare['server_cpu_ms']:.1f} "
            f"| {ours['client_cpu_ms']:.1f} / {bare['client_cpu_ms']:.1f} |"
        )
    yield ""


def _both(one: Mapping[str, float]) -> str:
    return f"{one['p50']:.1f} / {one['p95']:.1f}"
