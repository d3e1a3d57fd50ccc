"""``plait status``: what an index holds and whether it is up to date."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import typer

from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.interfaces.status_schemas import StatusOut
    from plait.types import Encoder, Snapshot

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
    from plait.answering.freshness import difference
    from plait.errors import IndexMissing
    from plait.index.diff import masked_in
    from plait.index.reasons import load_reasons
    from plait.index.stamps import load_stamps
    from plait.interfaces.cli.indexing.report import as_text
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.output import emit, emit_json, say
    from plait.interfaces.status_schemas import status_out

    form = params.chosen("--format", "json" if as_json else form, ("text", "json"))
    index = open_path(path, store=store).index
    if index.is_shared:
        from plait.interfaces.cli.cluster.status import status_shared

        raise typer.Exit(status_shared(index, form))
    try:
        built = index.reader.as_built()
    except IndexMissing as missing:
        say(f"{index.root.directory} is not indexed yet")
        say(f"hint: {missing.hint}")
        raise typer.Exit(1) from None
    snapshot = built.snapshot
    found = difference(index, snapshot)
    encoder = (
        index.reader.dense.encoder if index.reader.uses_vectors and index.reader.dense else None
    )
    out = status_out(
        snapshot.statistics(),
        root=str(index.root.directory),
        repo=index.repo,
        index=index.place,
        generation=snapshot.generation,
        stale=len(found.unread) + len(found.gone),
        repos=snapshot.repos(),
        model=encoder.name if encoder else None,
        vectors=_made(snapshot, encoder),
        secret_files=found.skipped["secret"],
        masked=masked_in(load_stamps(index.writer.stamps_path)),
        as_text=Counter(load_reasons(index.writer.stamps_path).values()),
        built_otherwise=built.otherwise,
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
    if built.otherwise:
        fresh = "to be rebuilt"
    rows = [
        ("root", out["root"]),
        ("generation", f"{out['generation']}, {fresh}"),
        ("files", f"{out['files']:,}"),
        ("chunks", f"{out['chunks']:,}"),
        ("symbols", f"{out['symbols']:,}"),
        ("secrets", _secrets(out, is_shown=built.shows_secrets)),
        ("languages", ", ".join(named) or "none"),
        ("vectors", _vectors(out["model"], out["vectors"], out["chunks"])),
        ("source", sized(source)),
        ("index", f"{sized(stored)}{ratio}"),
        ("stored in", out["index"]),
    ]
    if built.otherwise:
        rows.insert(2, ("built", f"{built.otherwise}; the next search rebuilds it"))
    if len(out["repos"]) > 1:
        rows.append(("shared by", ", ".join(out["repos"])))
    if out["as_text"]:
        rows.append(("as text", as_text(out["as_text"])))
    emit([f"{label:<11} {value}" for label, value in rows])


def _secrets(out: StatusOut, *, is_shown: bool) -> str:
    from plait.interfaces.cli.indexing.report import masked_secrets
    from plait.interfaces.cli.output import counted

    if is_shown:
        by = "the index was built" if out["built_otherwise"] else "include_secrets says"
        return f"shown, as {by}"
    if out["built_otherwise"]:
        return "masked, as the index was built"
    left_out = f"{counted(out['secret_files'], 'file')} left out"
    return f"{left_out}, {masked_secrets(out['masked_secrets'], out['masked_files'])}"


def _made(snapshot: Snapshot, encoder: Encoder | None) -> int:
    """How many chunks have a vector; a model that does not answer is no reason to say nothing."""
    from plait.errors import ModelError
    from plait.interfaces.cli.output import say

    if encoder is None:
        return 0
    try:
        return snapshot.statistics().chunks - snapshot.missing_vectors(encoder.digest)
    except ModelError as error:
        say(f"note: vectors cannot be counted: {error}")
        return 0


def _vectors(model: str | None, made: int, chunks: int) -> str:
    """How far meaning covers what is indexed."""
    if model is None:
        return "none are used; mode is lexical, or there is no model"
    return f"{'all' if made == chunks else f'{made:,} of {chunks:,}'} chunks, by {model}"
