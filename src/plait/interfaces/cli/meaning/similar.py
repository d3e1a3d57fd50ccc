"""``plait similar``: code like this, and which of it is a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.arguments.filters import Filters
    from plait.interfaces.cli.meaning.vectors import Meaning
    from plait.types import Query


def similar(
    place: Annotated[
        str, typer.Argument(metavar="[FILE:LINE]", help="A line of the code to compare with.")
    ] = "",
    path: params.PathArgument = ".",
    limit: params.LimitOption = None,
    duplicates: Annotated[
        bool,
        typer.Option("--duplicates", help="Only copies; without FILE:LINE all there are in PATH."),
    ] = False,
    language: params.LanguageOption = None,
    path_like: params.PathLikeOption = None,
    glob: params.GlobOption = None,
    repo: params.RepoOption = None,
    kind: params.KindOption = None,
    form: params.FormatOption = "",
    as_json: params.JsonOption = False,
    color: params.ColorOption = "auto",
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Print the code most like that at FILE:LINE. Exit 0 if any, 1 if none, 2 on error."""
    from plait.interfaces.cli.arguments.filters import Filters
    from plait.interfaces.cli.meaning.vectors import parsed_place, with_vectors

    form = params.chosen(
        "--format", "json" if as_json else form or "auto", ("auto", *params.FORMATS)
    )
    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    if duplicates and parsed_place(place) is None:
        if path != ".":
            raise SettingError(f"not a place in a file: {place!r}", hint="write FILE:LINE")
        place, path = "", place or "."
    elif not place:
        raise SettingError(
            "name the code to compare with", hint="plait similar FILE:LINE, as in a.py:12"
        )
    filters = Filters(
        tuple(language or ()),
        tuple(path_like or ()),
        tuple(glob or ()),
        tuple(repo or ()),
        tuple(kind or ()),
    )
    meaning = with_vectors(path, fresh=refresh, store=store)
    query = _query(meaning, place, filters, limit)
    if place:
        _near(meaning, query, form, color, copies_only=duplicates)
    _groups(meaning, query, form, color)


def _query(meaning: Meaning, place: str, filters: Filters, limit: int | None) -> Query:
    """What a neighbour has to satisfy; the place stands for the text of a query."""
    from plait.interfaces.cli.arguments.filters import restricted
    from plait.types import And, Query

    index = meaning.opened.index
    query = Query(place, And(()), index.scope(), limit or index.settings.limit, per_file=0)
    return restricted(query, index.root, filters, meaning.now.snapshot.repos())


def _near(meaning: Meaning, query: Query, form: str, color: str, *, copies_only: bool) -> None:
    from plait.interfaces.cli.meaning import similar_printing
    from plait.interfaces.cli.meaning.vectors import chunk_at
    from plait.search.similar import similar

    snapshot = meaning.now.snapshot
    chunk = chunk_at(meaning.opened, snapshot, query.text)
    found = similar(
        snapshot,
        meaning.encoder.digest,
        chunk,
        query.limit,
        where=query.wanted,
        scope=query.scope,
        copies_only=copies_only,
    )
    similar_printing.near(meaning, query, chunk, found, form, color)
    raise typer.Exit(0 if found.near else 1)


def _groups(meaning: Meaning, query: Query, form: str, color: str) -> None:
    from plait.interfaces.cli.meaning import similar_printing
    from plait.search.clusters import CODE
    from plait.search.duplicates import duplicates
    from plait.types import And

    params.chosen("--format", form, ("auto", "text", "json"))
    found = duplicates(
        meaning.now.snapshot,
        meaning.encoder.digest,
        where=CODE if query.wanted == And(()) else And((CODE, query.wanted)),
        scope=query.scope,
    )
    similar_printing.groups(meaning, found, query.limit, form, color)
    raise typer.Exit(0 if found.groups else 1)
