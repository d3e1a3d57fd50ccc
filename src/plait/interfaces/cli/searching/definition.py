"""``plait def``: where a symbol is defined."""

from __future__ import annotations

from typing import Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params


def define(
    name: Annotated[str, typer.Argument(metavar="NAME", help="send, Client.send, ...")],
    path: params.ScopeArgument = "",
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    color: params.ColorOption = "auto",
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Print where NAME is defined, plain or qualified. Exit 1 if nowhere."""
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.output import say
    from plait.interfaces.cli.refreshing import current, say_notes
    from plait.interfaces.cli.searching.symbols import show
    from plait.search.definitions import definitions

    params.chosen("--color", color, params.COLORS)
    opened = open_path(path, store=store)
    index = opened.index
    now = current(index, fresh=refresh)
    say_notes(now.notes)
    answer = definitions(now.snapshot, index.reader.lexical, name, index.scope())
    form = "json" if as_json else form
    show(opened, answer.found, name, now.snapshot.generation, form, color)
    if answer.found:
        return
    say(f"no symbol is named {name!r}")
    if answer.near:
        say(f"hint: did you mean {', '.join(answer.near)}?")
    raise typer.Exit(1)
