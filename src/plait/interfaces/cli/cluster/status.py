"""``plait status`` of a collection on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from plait.interfaces.cli.output import counted, emit, emit_json, say, sized

if TYPE_CHECKING:
    from plait.answering.index import Index
    from plait.stores.cluster.operations.status import Contents, Node, Shard, Standing

SCHEMA = "plait.collection/1"
WELL, MISSING, FAILED = 0, 1, 2
SHOWN_REPOS = 10
SHOWN_SHARDS = 20

Row = tuple[str, str]


def status_shared(index: Index, form: str) -> int:
    """Print how a cluster and a collection are doing; the exit status."""
    from plait.assembly import open_operations

    encoder = (
        index.reader.dense.encoder if index.reader.uses_vectors and index.reader.dense else None
    )
    with closing(open_operations(index.settings)) as operations:
        found = operations.status(encoder.digest if encoder else "")
    if form == "json":
        emit_json(_out(found, encoder.name if encoder else None))
    else:
        emit(f"{label:<12} {value}" for label, value in _rows(index, found))
    for warning in found.warnings:
        say(f"warning: {warning}")
    for fault in found.faults:
        say(f"error: {fault}")
    if found.faults:
        return FAILED
    if found.is_missing:
        say(f"nothing is indexed in {found.address}")
        say(f"hint: plait index --store {found.address} PATH... indexes something")
        return MISSING
    return WELL


def _out(found: Standing, model: str | None) -> dict[str, object]:
    """As JSON: what was found, and what is computed of it."""
    out: dict[str, object] = {"schema": SCHEMA, "model": model, **asdict(found)}
    if found.contents:
        per_chunk = {"bytes_per_chunk": found.contents.bytes_per_chunk}
        out["contents"] = {**asdict(found.contents), **per_chunk}
    return out


def _rows(index: Index, found: Standing) -> Iterator[Row]:
    yield "cluster", f"{found.cluster}, {found.health}"
    for node in found.nodes:
        yield "node", _node(node)
    yield "collection", found.address
    if found.contents:
        yield from _contents(index, found.contents)
    for shard in found.shards[:SHOWN_SHARDS]:
        yield "shard", _shard(shard)
    if len(found.shards) > SHOWN_SHARDS:
        yield "", f"and {len(found.shards) - SHOWN_SHARDS} more; --json lists them"
    if found.advice:
        shards, copies = found.advice.shards, found.advice.replicas
        advised = f"{counted(shards, 'shard')}, {counted(copies, 'replica')}"
        disk = f"{sized(found.advice.disk_bytes)} of disk"
        yield "advice", f"{advised}, {disk}: {found.advice.options}"
        yield from (("", reason) for reason in found.advice.reasons)


def _node(node: Node) -> str:
    heap = f"heap {sized(node.heap_bytes)} of {sized(node.heap_max_bytes)}"
    used = node.disk_bytes - node.disk_free_bytes
    disk = f"disk {sized(used)} used, {sized(node.disk_free_bytes)} free"
    return f"{node.name}: {heap}, {disk}" + ("" if node.holds_data else ", holds no data")


def _shard(shard: Shard) -> str:
    kind = "first" if shard.is_primary else "copy"
    where = f"on {shard.node}" if shard.node else "on no node"
    size = f"{counted(shard.documents, 'document')}, {sized(shard.size_bytes)}"
    return f"{shard.index} {shard.number} ({kind}): {size}, {shard.state} {where}"


def _contents(index: Index, held: Contents) -> Iterator[Row]:
    yield "index", held.index
    held_back = "; held while it is copied" if held.is_held else ""
    yield "generation", f"{held.generation}{held_back}"
    named = ", ".join(held.repos[:SHOWN_REPOS])
    more = len(held.repos) - SHOWN_REPOS
    yield "repositories", f"{len(held.repos):,}: {named}" + (f" and {more:,} more" * (more > 0))
    yield "files", f"{held.files:,}"
    yield "chunks", f"{held.chunks:,}"
    yield "symbols", f"{held.symbols:,}"
    if held.vectors_missing is not None:
        missing = held.vectors_missing
        yield "vectors", f"{missing:,} chunks have none" if missing else "all chunks have one"
    size = held.index_bytes + held.vectors_bytes
    ratio = f", {size / held.source_bytes:.2f} of the source" if held.source_bytes else ""
    each = f"{held.bytes_per_chunk:,.0f} bytes a chunk"
    kept = f"{sized(held.vectors_bytes)} of it vectors by their texts"
    yield "on disk", f"{sized(size)} without copies ({kept}), {each}{ratio}"
    yield (
        "writing",
        (
            f"{counted(held.attempts, 'commit')} not published, "
            f"{counted(held.dead_files, 'replaced file')} not deleted yet"
        ),
    )
    if index.repo:
        from plait.answering.freshness import stale_files

        stale = stale_files(index, index.snapshot())
        yield "tree", f"{counted(stale, 'file')} of {index.repo} may have changed since"
