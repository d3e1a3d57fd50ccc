"""``plait explain``: why does this line rank as it does for this query?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.types import Chunk, Expression, Snapshot


def explain(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What was searched for.")],
    place: Annotated[str, typer.Argument(metavar="FILE:LINE", help="The line asked about.")],
    path: params.PathArgument = ".",
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Print how the chunk at FILE:LINE earns its score. Exit 1 if it does not match."""
    from plait.interfaces.cli.meaning.vectors import chunk_at
    from plait.interfaces.cli.opened import current, open_path, say_notes
    from plait.interfaces.cli.output import emit_json
    from plait.interfaces.schemas import EXPLAIN_SCHEMA, ExplainOut, reason_out
    from plait.search.parse import parse
    from plait.sources import canonical
    from plait.types import Query, Reason

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    opened = open_path(path, store=store)
    now = current(opened, fresh=refresh, vectors=True)
    say_notes(now)
    chunk = chunk_at(opened, now.snapshot, place)
    parsed = parse(query, canonical)
    typed = Query(query, parsed.wanted, opened.index.scope())
    asked = opened.index.lexical.ask(typed, now.snapshot)
    missing = list(_missing(now.snapshot, asked.wanted, chunk))
    rank, reason = opened.index.searcher(now.snapshot).explain(typed, chunk.id) or (None, None)
    matches = reason is not None or _holds(now.snapshot, asked.wanted, chunk)
    if reason is None:
        nothing = Reason("no match", 0.0, words="does not match")
        reason = asked.reasons([chunk.id])[chunk.id] if matches else nothing
    out: ExplainOut = {
        "schema": EXPLAIN_SCHEMA,
        "query": query,
        "generation": now.snapshot.generation,
        "path": opened.inner(chunk.repo, chunk.path),
        "start_line": chunk.span.first,
        "end_line": chunk.span.last,
        "symbol": chunk.symbol.qualified_name if chunk.symbol else None,
        "matches": matches,
        "rank": rank,
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
    from plait.interfaces.cli.output import emit, say
    from plait.search.searcher import MAX_LIMIT
    from plait.types import Reason

    assert isinstance(out, dict)
    assert isinstance(reason, Reason)
    where = f"{opened.shown(chunk.repo, chunk.path)}:{chunk.span.first}-{chunk.span.last}"
    name = f" {out['symbol']} {chunk.kind}" if chunk.symbol else ""
    lines = [f"{where}{name}"]
    if out["matches"]:
        rank = out["rank"]
        deep = f"not among the first {MAX_LIMIT:,} chunks"
        order = f"rank {rank:,} among chunks" if rank else deep
        lines += [order, *reason.lines()]
    else:
        lines.append("does not match")
    if out["missing"]:
        lines.append(f"not in this chunk: {', '.join(out['missing'])}")
    emit(lines)
    for hint in hints:
        say(f"hint: {hint}")


def _holds(snapshot: Snapshot, wanted: Expression, chunk: Chunk) -> bool:
    """Whether a chunk satisfies an expression, conditions included."""
    from plait.types import Scope

    count = len(snapshot.outline(chunk.repo, chunk.path))
    scope = Scope(repos=frozenset({chunk.repo}), file=chunk.path)
    found = snapshot.match(wanted, scope, count)
    return any(hit.chunk == chunk.id for hit in found.hits)


def _missing(snapshot: Snapshot, wanted: Expression, chunk: Chunk) -> Iterator[str]:
    """The words and conditions of a query that a chunk does not have."""
    from plait.search.relax import render
    from plait.types import And, Or

    if isinstance(wanted, And | Or):
        for part in wanted.parts:
            yield from _missing(snapshot, part, chunk)
    elif not _holds(snapshot, wanted, chunk):
        yield render(wanted)
