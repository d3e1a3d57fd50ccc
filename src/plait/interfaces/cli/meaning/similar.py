"""``plait similar``: code like this, and which of it is a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.answering.filters import Filters
    from plait.interfaces.cli.meaning.vectors import Compared
    from plait.types import Query


def similar(
    place: Annotated[
        str, typer.Argument(metavar="[FILE:LINE]", help="A line of the code to compare with.")
    ] = "",
    path: params.PathArgument = ".",
    limit: params.LimitOption = None,
    duplicates: Annotated[
        bool,
        typer.Option("--duplicates", help="Only copies; without FILE:LINE, all copies in PATH."),
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
    from plait.answering.filters import Filters
    from plait.interfaces.cli.meaning.vectors import with_vectors
    from plait.search.places import parse_place

    form = params.chosen(
        "--format", "json" if as_json else form or "auto", ("auto", *params.FORMATS)
    )
    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    if duplicates and parse_place(place) is None:
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
    compared = with_vectors(path, fresh=refresh, store=store)
    query = _query(compared, place, filters, limit)
    if place:
        _near(compared, query, form, color, copies_only=duplicates)
    _groups(compared, query, form, color)


def _query(compared: Compared, place: str, filters: Filters, limit: int | None) -> Query:
    """What a neighbour has to satisfy; the place stands for the text of a query."""
    from plait.answering.filters import restricted
    from plait.types import And, Query

    opened, meaning = compared
    index = opened.index
    query = Query(place, And(()), index.scope(), limit or index.settings.limit, per_file=0)
    return restricted(query, filters, meaning.snapshot.repos(), opened.under)


def _near(compared: Compared, query: Query, form: str, color: str, *, copies_only: bool) -> None:
    from plait.answering.places import chunk_at
    from plait.interfaces.cli.meaning import similar_printing
    from plait.search.similar import similar

    opened, meaning = compared
    chunk = chunk_at(opened.index, meaning.snapshot, opened.place(query.text))
    found = similar(
        meaning.snapshot,
        meaning.encoder.digest,
        chunk,
        query.limit,
        where=query.wanted,
        scope=query.scope,
        copies_only=copies_only,
    )
    similar_printing.near(compared, query, chunk, found, form, color)
    raise typer.Exit(0 if found.near else 1)


def _groups(compared: Compared, query: Query, form: str, color: str) -> None:
    from plait.interfaces.cli.meaning import similar_printing
    from plait.search.duplicates import duplicates

    params.chosen("--format", form, ("auto", "text", "json"))
    found = duplicates(
        compared.meaning.snapshot,
        compared.meaning.encoder.digest,
        where=query.wanted,
        scope=query.scope,
    )
    similar_printing.groups(compared, found, query.limit, form, color)
    raise typer.Exit(0 if found.groups else 1)
