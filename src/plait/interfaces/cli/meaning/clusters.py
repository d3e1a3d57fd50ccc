"""``plait clusters``: what a body of code is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.cli.meaning.vectors import Compared
    from plait.interfaces.cli.output import Line
    from plait.search.clusters import Clustering

LIMIT = 20


def clusters(
    path: params.PathArgument = ".",
    limit: Annotated[
        int, typer.Option("-n", "--limit", metavar="N", help="How many clusters to print.")
    ] = LIMIT,
    count: Annotated[
        int | None,
        typer.Option("--k", metavar="K", help="How many clusters to form (default: by size)."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include prose and data, not only definitions.")
    ] = False,
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    color: params.ColorOption = "auto",
    refresh: params.RefreshOption = None,
    store: params.StoreOption = "",
) -> None:
    """Print the subjects of the code below PATH, the largest first. Exit 1 if there are none."""
    from plait.interfaces.cli.meaning.vectors import with_vectors
    from plait.interfaces.words import shown_words
    from plait.search.clusters import CODE
    from plait.search.clusters import clusters as made
    from plait.types import And

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    params.chosen("--color", color, params.COLORS)
    params.at_least("--limit", limit, 1)
    params.at_least("--k", count, 1)
    compared = with_vectors(path, fresh=refresh, store=store)
    index, meaning = compared.opened.index, compared.meaning
    found = made(
        meaning.snapshot,
        meaning.encoder.digest,
        shown_words,
        where=And(()) if everything else CODE,
        scope=index.scope(),
        count=count or 0,
        folder=index.writer.folder / "clusters",
    )
    (_print_json if form == "json" else _print)(compared, found, limit, color)
    raise typer.Exit(0 if found.clusters else 1)


def _print_json(compared: Compared, found: Clustering, limit: int, _: str) -> None:
    from plait.interfaces.cli.output import emit_json
    from plait.interfaces.similar_schemas import clusters_out

    opened, meaning = compared
    out = clusters_out(
        found,
        limit,
        opened.inner,
        repo=opened.index.repo,
        model=meaning.encoder.name,
        generation=meaning.snapshot.generation,
        notes=meaning.notes,
    )
    emit_json(out)


def _print(compared: Compared, found: Clustering, limit: int, color: str) -> None:
    from plait.interfaces.cli.output import counted, emit_styled, say

    emit_styled(_lines(compared, found, limit), color)
    for note in compared.meaning.notes:
        say(f"note: {note}")
    if not found.clusters:
        say("no definitions with vectors; --all looks at prose and data too")
        return
    told = f"{counted(len(found.clusters), 'cluster')} of {counted(len(found.members), 'chunk')}"
    if found.is_kept and found.changed:
        told += f", kept from before ({found.changed:.1%} changed since)"
    rest = len(found.clusters) - limit
    say(f"{told}; {rest} more with --limit {len(found.clusters)}" if rest > 0 else told)


def _lines(compared: Compared, found: Clustering, limit: int) -> Iterator[Line]:
    from plait.interfaces.cli.meaning.similar_printing import place
    from plait.interfaces.cli.output import counted
    from plait.interfaces.escaping import visible

    opened = compared.opened
    for rank, cluster in enumerate(found.clusters[:limit], start=1):
        if rank > 1:
            yield []
        yield [
            (f"{rank:>3}. ", "dim"),
            (visible(" ".join(cluster.words)) or "(no words)", "bold"),
            (f"  {counted(cluster.size, 'chunk')}", "green"),
        ]
        folders = (
            f"{visible(opened.shown(opened.index.repo, one.folder))} {one.share:.0%}"
            for one in cluster.folders
        )
        yield [(f"     {', '.join(folders)}", "dim")]
        for chunk in cluster.central:
            yield [("       ", ""), *place(opened, chunk)]
