"""``plait explain``: why does this line rank as it does for this query?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import QueryError, SourceError
from plait.interfaces.cli import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.stores.embedded.snapshot import EmbeddedSnapshot
    from plait.types import Asked, Chunk, ChunkId, Expression

DEPTH = 1_000  # chunks ranked to say which place one has


def explain(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What was searched for.")],
    place: Annotated[str, typer.Argument(metavar="FILE:LINE", help="The line asked about.")],
    path: params.PathArgument = ".",
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    no_refresh: params.NoRefreshOption = False,
) -> None:
    """Print how the chunk at FILE:LINE earns its score. Exit 1 if it does not match."""
    from plait.interfaces.cli.opened import current, open_path
    from plait.interfaces.cli.output import emit_json
    from plait.interfaces.schemas import EXPLAIN_SCHEMA, ExplainOut, reason_out
    from plait.search.parse import parse
    from plait.sources import canonical
    from plait.types import Query, Reason

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    file, line = _parsed(place)
    opened = open_path(path)
    now = current(opened, fresh=False if no_refresh else None)
    chunk = _chunk_at(opened, now.snapshot, file, line)
    parsed = parse(query, canonical)
    asked = opened.index.lexical.ask(
        Query(query, parsed.wanted, opened.index.scope()), now.snapshot
    )
    missing = list(_missing(now.snapshot, asked.wanted, chunk))
    matches = _holds(now.snapshot, asked.wanted, chunk)
    reason = asked.reasons([chunk.id])[chunk.id] if matches else Reason("does not match", 0.0)
    out: ExplainOut = {
        "schema": EXPLAIN_SCHEMA,
        "query": query,
        "generation": now.snapshot.generation,
        "path": opened.inner(chunk.repo, chunk.path),
        "start_line": chunk.span.first,
        "end_line": chunk.span.last,
        "symbol": chunk.symbol.qualified_name if chunk.symbol else None,
        "matches": matches,
        "rank": _rank(asked, chunk.id) if matches else None,
        "missing": missing,
        "reason": reason_out(reason),
    }
    if form == "json":
        emit_json(out)
    else:
        _print(opened, out, reason, chunk, parsed.hints)
    raise typer.Exit(0 if matches else 1)


def _print(
    opened: Opened, out: object, reason: object, chunk: Chunk, hints: tuple[str, ...]
) -> None:
    from plait.interfaces.cli.output import emit, say, visible
    from plait.types import Reason

    assert isinstance(out, dict)
    assert isinstance(reason, Reason)
    where = f"{opened.shown(chunk.repo, chunk.path)}:{chunk.span.first}-{chunk.span.last}"
    name = f" {out['symbol']} {chunk.kind}" if chunk.symbol else ""
    lines = [visible(f"{where}{name}")]
    if out["matches"]:
        rank = out["rank"]
        order = f"rank {rank:,} among chunks" if rank else f"not among the first {DEPTH:,} chunks"
        lines += [order, *reason.lines()]
    else:
        lines.append("does not match")
    if out["missing"]:
        lines.append(f"not in this chunk: {', '.join(out['missing'])}")
    emit(lines)
    for hint in hints:
        say(f"hint: {hint}")


def _parsed(place: str) -> tuple[str, int]:
    file, colon, number = place.rpartition(":")
    if not (colon and file and number.isdecimal() and int(number)):
        raise QueryError(f"not a place in a file: {place!r}", hint="write FILE:LINE, as in a.py:12")
    return file, int(number)


def _chunk_at(opened: Opened, snapshot: EmbeddedSnapshot, file: str, line: int) -> Chunk:
    path = opened.locate(file)
    if not path:
        raise SourceError(f"no such file below {opened.index.root.directory}: {file}")
    ids = snapshot.outline(opened.index.repo, path)
    if not ids:
        raise SourceError(opened.index.source.explain_ignore(path))
    chunks = snapshot.fetch(ids).values()
    around = [chunk for chunk in chunks if chunk.span.first <= line <= chunk.span.last]
    if not around:
        last = max(chunk.span.last for chunk in chunks)
        raise SourceError(f"{file} has no chunk at line {line}; its last one ends at {last}")
    return min(around, key=lambda chunk: chunk.span.last - chunk.span.first)


def _holds(snapshot: EmbeddedSnapshot, wanted: Expression, chunk: Chunk) -> bool:
    """Whether a chunk satisfies an expression, conditions included."""
    from plait.types import Scope

    count = len(snapshot.outline(chunk.repo, chunk.path))
    scope = Scope(repos=frozenset({chunk.repo}), file=chunk.path)
    found = snapshot.match(wanted, scope, count)
    return any(hit.chunk == chunk.id for hit in found.hits)


def _rank(asked: Asked, key: ChunkId) -> int | None:
    hits = asked.ranking(DEPTH).hits
    return next((rank for rank, hit in enumerate(hits, start=1) if hit.chunk == key), None)


def _missing(snapshot: EmbeddedSnapshot, wanted: Expression, chunk: Chunk) -> Iterator[str]:
    """The words and conditions of a query that a chunk does not have."""
    from plait.search.relax import render
    from plait.types import All, Any

    if isinstance(wanted, All | Any):
        for part in wanted.parts:
            yield from _missing(snapshot, part, chunk)
    elif not _holds(snapshot, wanted, chunk):
        yield render(wanted)
