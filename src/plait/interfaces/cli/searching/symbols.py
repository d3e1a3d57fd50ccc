"""``plait symbols``: the outline of a file, or symbols by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.types import Chunk, Snapshot

LIMIT = 50
DEPTH = 2_000  # chunks looked at before they are ordered by how well the name fits


def symbols(
    query: Annotated[
        str, typer.Argument(metavar="[QUERY|FILE]", help="A name or part of one, or a file.")
    ] = "",
    path: params.ScopeArgument = "",
    limit: Annotated[
        int, typer.Option("-n", "--limit", metavar="N", help="How many, of those found by name.")
    ] = LIMIT,
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    color: params.ColorOption = "auto",
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Print symbols: the outline of FILE, or those whose names hold the words of QUERY."""
    from plait.interfaces.cli.opened import current, open_path, say_notes

    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    opened = open_path(path, store=store)
    file = opened.locate(query) if query else opened.index.root.file
    if file and not opened.index.repo:  # a file from here means the repository here
        opened = open_path(".", store=store)
    now = current(opened, fresh=refresh)
    say_notes(now)
    if file:
        found, is_outline = outline(now.snapshot, opened.index.repo, file), True
        if not found:
            _say_why_empty(opened, file)
    else:
        found, is_outline = named(opened, now.snapshot, query)[:limit], False
    show(opened, found, query or file, now.snapshot.generation, "json" if as_json else form, color)
    if not found and not is_outline:
        from plait.interfaces.cli.output import say

        say(f"no symbol has a name with {query!r} in it" if query else "no symbols")
    raise typer.Exit(0 if found else 1)


def outline(snapshot: Snapshot, repo: str, path: str) -> list[Chunk]:
    """The chunks of a file that define a symbol, in order."""
    ids = snapshot.outline(repo, path)
    chunks = snapshot.fetch(ids)
    return [chunks[key] for key in ids if chunks[key].symbol and not chunks[key].part]


def named(opened: Opened, snapshot: Snapshot, query: str) -> list[Chunk]:
    """Symbols whose names hold the words of a query, the closest first."""
    from plait.lanes import tokens
    from plait.types import And, Defines, Expression, Field, Or, Tag, Term

    terms = list(dict.fromkeys(tokens.analyse(query).split()))
    words = tokens.split(query)
    wanted: Expression = Tag("is", "symbol")
    if query:
        in_name = And(tuple(Term(term, Field.NAME) for term in terms)) if terms else Or(())
        wanted = And((wanted, Or((Defines(query), in_name))))
    found = chunks_of(snapshot, wanted, opened)
    own = [chunk for chunk in found if _own_name_holds(chunk, query, terms)] if query else found

    def distance(chunk: Chunk) -> tuple[bool, bool, int]:
        assert chunk.symbol is not None
        name, full = chunk.symbol.name, chunk.symbol.qualified_name
        is_same = query in (name, full)
        is_near = query.lower() in (name.lower(), full.lower())
        return (not is_same, not is_near, abs(len(tokens.split(name)) - len(words)))

    return sorted(own or found, key=distance) if query else found


def chunks_of(snapshot: Snapshot, wanted: object, opened: Opened) -> list[Chunk]:
    """The chunks that define what is wanted, best first."""
    hits = snapshot.match(wanted, opened.index.scope(), DEPTH).hits  # type: ignore[arg-type]  # an Expression
    chunks = snapshot.fetch([hit.chunk for hit in hits])
    return [
        chunks[hit.chunk] for hit in hits if chunks[hit.chunk].symbol and not chunks[hit.chunk].part
    ]


def _own_name_holds(chunk: Chunk, query: str, terms: Sequence[str]) -> bool:
    from plait.lanes import tokens

    assert chunk.symbol is not None
    own = set(tokens.analyse(chunk.symbol.name).split())
    return own.issuperset(terms) or query.lower() == chunk.symbol.qualified_name.lower()


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
