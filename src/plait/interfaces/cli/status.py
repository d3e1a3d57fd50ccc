"""``plait status``: what an index holds and whether it is up to date."""

from __future__ import annotations

import typer

from plait.interfaces.cli import parameters as params

TOP_LANGUAGES = 8


def status(
    path: params.ScopeArgument = "",
    form: params.PlainFormatOption = "text",
    as_json: params.JsonOption = False,
    store: params.StoreOption = "",
) -> None:
    """Print what the index of PATH holds. Exit 0 if there is one, 1 if there is none.

    With --store: how the cluster and the collection are doing. Exit 2 if searches or commits
    fail because of it.
    """
    from plait.errors import IndexMissing
    from plait.interfaces.cli.opened import open_path, stale_files
    from plait.interfaces.cli.output import emit, emit_json, say
    from plait.interfaces.schemas import status_out

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    index = open_path(path, store=store).index
    if index.is_shared:
        from plait.interfaces.cli.status_shared import status_shared

        raise typer.Exit(status_shared(index, form))
    try:
        snapshot = index.snapshot()
    except IndexMissing as missing:
        say(f"{index.root.directory} is not indexed yet")
        say(f"hint: {missing.hint}")
        raise typer.Exit(1) from None
    encoder = index.dense.encoder if index.uses_vectors and index.dense else None
    out = status_out(
        snapshot.statistics(),
        root=str(index.root.directory),
        repo=index.repo,
        index=index.place,
        generation=snapshot.generation,
        stale=stale_files(index, snapshot),
        repos=snapshot.repos(),
        model=encoder.name if encoder else None,
        vectors=snapshot.statistics().chunks - snapshot.lacking(encoder.digest) if encoder else 0,
    )
    if form == "json":
        emit_json(out)
        return
    from plait.interfaces.cli.output import counted, sized

    ordered = sorted(out["languages"].items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{name} {count:,}" for name, count in ordered[:TOP_LANGUAGES]]
    if len(ordered) > TOP_LANGUAGES:
        named.append(f"{len(ordered) - TOP_LANGUAGES} more")
    source, stored = out["source_bytes"], out["index_bytes"]
    ratio = f", {stored / source:.2f} of the source" if source else ""
    stale = out["stale"]
    fresh = f"{counted(stale, 'file')} may have changed since" if stale else "up to date"
    rows = [
        ("root", out["root"]),
        ("generation", f"{out['generation']}, {fresh}"),
        ("files", f"{out['files']:,}"),
        ("chunks", f"{out['chunks']:,}"),
        ("symbols", f"{out['symbols']:,}"),
        ("languages", ", ".join(named) or "none"),
        ("vectors", _vectors(out["model"], out["vectors"], out["chunks"])),
        ("source", sized(source)),
        ("index", f"{sized(stored)}{ratio}"),
        ("stored in", out["index"]),
    ]
    if len(out["repos"]) > 1:
        rows.append(("shared by", ", ".join(out["repos"])))
    emit([f"{label:<11} {value}" for label, value in rows])


def _vectors(model: str | None, made: int, chunks: int) -> str:
    """How far meaning covers what is indexed."""
    if model is None:
        return "none are used; mode is lexical, or there is no model"
    return f"{'all' if made == chunks else f'{made:,} of {chunks:,}'} chunks, by {model}"
