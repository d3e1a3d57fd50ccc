"""``plait def``: where a symbol is defined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.opened import Opened
    from plait.types import Snapshot

NEAR = 5


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
    from plait.interfaces.cli.opened import current, open_path, say_notes
    from plait.interfaces.cli.output import say
    from plait.interfaces.cli.searching.symbols import chunks_of, show
    from plait.types import Defines

    params.chosen("--color", color, params.COLORS)
    wanted = name.removesuffix("()").replace("::", ".").replace("#", ".")
    opened = open_path(path, store=store)
    now = current(opened, fresh=refresh)
    say_notes(now)
    found = chunks_of(now.snapshot, Defines(wanted), opened)
    last = wanted.rpartition(".")[2]
    found.sort(key=lambda chunk: chunk.symbol is None or chunk.symbol.name != last)
    show(opened, found, name, now.snapshot.generation, "json" if as_json else form, color)
    if found:
        return
    say(f"no symbol is named {name!r}")
    near = _near(opened, now.snapshot, wanted)
    if near:
        say(f"hint: did you mean {', '.join(near)}?")
    raise typer.Exit(1)


def _near(opened: Opened, snapshot: Snapshot, name: str) -> list[str]:
    """Names that a slip of the finger, or a part of the name, would have meant."""
    from difflib import SequenceMatcher

    from plait.interfaces.cli.searching.symbols import chunks_of, named
    from plait.types import Defines, Or

    last = name.rpartition(".")[2]
    whole = last.replace("_", "").lower()
    spellings = [*snapshot.spellings(last.lower(), NEAR), *snapshot.spellings(whole, NEAR)]
    found = chunks_of(snapshot, Or(tuple(Defines(one) for one in spellings)), opened)
    for spelling in () if found else spellings:
        found += named(opened, snapshot, spelling)
    found += named(opened, snapshot, last)
    closeness = {
        chunk.symbol.qualified_name: SequenceMatcher(None, last, chunk.symbol.name).ratio()
        for chunk in found
        if chunk.symbol
    }
    return sorted(closeness, key=lambda full: (-closeness[full], full))[:NEAR]
