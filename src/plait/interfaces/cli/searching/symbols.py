"""``plait symbols``: the outline of a file, or symbols by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.types import Chunk

LIMIT = 50


def symbols(
    query: Annotated[
        str, typer.Argument(metavar="[QUERY|FILE]", help="A name or part of one, or a file.")
    ] = "",
    path: params.ScopeArgument = "",
    limit: Annotated[
        int,
        typer.Option("-n", "--limit", metavar="N", help="How many of the symbols found by name."),
    ] = LIMIT,
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    color: params.ColorOption = "auto",
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Print the outline of FILE, or the symbols whose names contain the words of QUERY."""
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.refreshing import current, say_notes
    from plait.search.symbols import outline, symbols_named

    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    opened = open_path(path, store=store)
    file = opened.locate(query) if query else opened.index.root.file
    if file and not opened.index.repo:  # a file from here means the repository here
        opened = open_path(".", store=store)
    index = opened.index
    now = current(index, fresh=refresh)
    say_notes(now.notes)
    if file:
        found = outline(now.snapshot, index.repo, file)
        if not found:
            _say_why_empty(opened, file)
    else:
        found = symbols_named(now.snapshot, index.reader.lexical, query, index.scope())[:limit]
    show(opened, found, query or file, now.snapshot.generation, "json" if as_json else form, color)
    if not found and not file:
        from plait.interfaces.cli.output import say

        say(f"no symbol has a name with {query!r} in it" if query else "no symbols")
    raise typer.Exit(0 if found else 1)


def _say_why_empty(opened: Opened, file: str) -> None:
    from plait.interfaces.cli.output import say

    say(f"no symbols in {file}: {opened.index.source.explain_ignore(file)}")


def show(
    opened: Opened,
    found: Iterable[Chunk],
    query: str,
    generation: int,
    form: str,
    color: str,
) -> None:
    """Print symbols as lines or as JSON."""
    from plait.interfaces.cli.output import emit_json, emit_styled
    from plait.interfaces.schemas import SYMBOLS_SCHEMA, SymbolsOut, symbol_out

    if params.chosen("--format", form, ("text", "json")) == "json":
        out: SymbolsOut = {
            "schema": SYMBOLS_SCHEMA,
            "query": query,
            "generation": generation,
            "symbols": [symbol_out(chunk, opened.inner) for chunk in found],
        }
        emit_json(out)
        return
    rows = []
    for chunk in found:
        symbol = chunk.symbol
        assert symbol is not None
        signature = " ".join(symbol.signature.text.split())
        rows.append(
            [
                (opened.shown(chunk.repo, chunk.path), "magenta"),
                (f":{symbol.span.first}: ", "green"),
                (f"{symbol.kind} ", "dim"),
                (symbol.qualified_name, "bold cyan"),
                (f"  {signature}" if signature else "", ""),
            ]
        )
    emit_styled(rows, color)
