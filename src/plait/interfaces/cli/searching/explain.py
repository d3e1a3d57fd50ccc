"""``plait explain``: why does this line rank as it does for this query?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.search.why import Explained


def explain(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What was searched for.")],
    place: Annotated[str, typer.Argument(metavar="FILE:LINE", help="The line to explain.")],
    path: params.PathArgument = ".",
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Explain the score of the chunk at FILE:LINE. Exit 1 if it does not match."""
    from plait.answering.places import chunk_at
    from plait.answering.questions import question
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.output import emit_json
    from plait.interfaces.cli.refreshing import current, say_notes
    from plait.interfaces.schemas import explained_out
    from plait.search.why import explained

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    opened = open_path(path, store=store)
    index = opened.index
    now = current(index, fresh=refresh, vectors=True)
    say_notes(now.notes)
    chunk = chunk_at(index, now.snapshot, opened.place(place))
    asked = question(query, index.scope())
    searcher = index.reader.searcher(now.snapshot)
    found = explained(now.snapshot, searcher, index.reader.lexical, asked.query, chunk)
    if form == "json":
        emit_json(explained_out(found, query, now.snapshot.generation, opened.inner))
    else:
        _print(opened, found, asked.hints)
    raise typer.Exit(0 if found.matches else 1)


def _print(opened: Opened, found: Explained, hints: tuple[str, ...]) -> None:
    from plait.interfaces.cli.output import emit, say
    from plait.search.searcher import MAX_LIMIT

    chunk = found.chunk
    where = f"{opened.shown(chunk.repo, chunk.path)}:{chunk.span.first}-{chunk.span.last}"
    name = f" {chunk.symbol.qualified_name} {chunk.kind}" if chunk.symbol else ""
    lines = [f"{where}{name}"]
    unit = "files" if found.shown else "chunks"
    if found.rank:
        lines.append(f"rank {found.rank:,} among {unit}")
    elif found.matches:
        lines.append(f"not among the first {MAX_LIMIT:,} {unit}")
    if found.shown and found.shown.id != chunk.id:
        span = found.shown.span
        lines.append(f"its file is shown by lines {span.first}-{span.last}")
    if found.matches:
        lines += found.reason.lines()
    else:
        lines.append("does not match")
    if found.missing:
        lines.append(f"not in this chunk: {', '.join(found.missing)}")
    emit(lines)
    for hint in hints:
        say(f"hint: {hint}")
