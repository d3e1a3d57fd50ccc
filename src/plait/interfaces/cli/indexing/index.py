"""``plait index``: bring an index up to date, or say what that would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import ModelError, SettingError
from plait.interfaces.cli.arguments import parameters as params

if TYPE_CHECKING:
    from plait.answering.index import Index
    from plait.interfaces.cli.opened import Opened

# Django 5.2.8: 16.1 MB, 21,715 chunks, 10 to 13 s with two workers on two shared cores.
BYTES_PER_CHUNK = 740
BYTES_PER_SECOND_AND_WORKER = 700_000


def index(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Folders or files; by default the current one."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be indexed and how long it may take.")
    ] = False,
    explain_ignore: Annotated[
        str, typer.Option("--explain-ignore", metavar="FILE", help="Say which rule ignores FILE.")
    ] = "",
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="Rebuild from scratch; the old index stays in use until done. With --store the "
            "whole collection is replaced: repositories that are not given are removed.",
        ),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Read the whole index and report what is damaged.")
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("-v", "--verbose", help="List skipped files, parse problems and masks."),
    ] = False,
    hidden: params.HiddenOption = False,
    no_ignore: params.NoIgnoreOption = False,
    include_secrets: params.SecretsOption = False,
    store: params.StoreOption = "",
    name: Annotated[
        str,
        typer.Option(
            "--name", metavar="NAME", help="Name of the repository (default: its folder)."
        ),
    ] = "",
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", metavar="N", help="With --store: repositories at a time (default: workers)."
        ),
    ] = None,
) -> None:
    """Bring the index of each PATH up to date. The tree itself is never written to.

    With --store each PATH is a repository of the collection, several are indexed at a time,
    and what fails does not stop the others: the exit status is 2 then.
    """
    from plait.interfaces.cli.opened import open_path

    params.at_least("--jobs", jobs, 1)
    if name and len(paths or ()) > 1:
        raise SettingError("--name is for one repository", hint="index it by itself")
    if sum((dry_run, bool(explain_ignore), rebuild, check)) > 1:
        raise SettingError("--dry-run, --explain-ignore, --rebuild and --check exclude one another")
    is_sound = True
    given = paths or ["."]
    if len(given) > 1 and not (dry_run or explain_ignore or check):
        first = open_path("", hidden=hidden, no_ignore=no_ignore, store=store)
        if first.index.is_shared:
            from plait.interfaces.cli.cluster.index import IndexOptions, index_shared

            options = IndexOptions(store, hidden, no_ignore, include_secrets, verbose, jobs or 0)
            raise typer.Exit(index_shared(first.index, given, options, anew=rebuild))
    for path in given:
        opened = open_path(
            path,
            hidden=hidden,
            no_ignore=no_ignore,
            include_secrets=include_secrets,
            store=store,
            name=name,
        )
        if explain_ignore:
            _explain(opened, explain_ignore)
        elif dry_run:
            _dry_run(opened.index)
        elif check:
            is_sound = _check(opened.index) and is_sound
        else:
            _refresh(opened.index, anew=rebuild, verbose=verbose)
    if not is_sound:
        raise typer.Exit(2)


def _refresh(index: Index, *, anew: bool, verbose: bool) -> None:
    from plait.answering.freshness import NO_NEW_VECTORS
    from plait.interfaces.cli.indexing.report import details, summary
    from plait.interfaces.cli.output import emit, say
    from plait.interfaces.cli.refreshing import embedded, refreshed
    from plait.search.plan import DENSE

    if index.root.under:
        say(f"note: indexing the whole repository {index.root.directory}")
    done = refreshed(index, anew=anew)
    emit(summary(index, done.report, done.seconds))
    if index.reader.uses_vectors:
        try:
            seconds = embedded(index)
            emit([_vectors(index, seconds)])
        except ModelError as error:
            if index.settings.mode == DENSE:
                raise
            say(f"note: words are indexed; {NO_NEW_VECTORS}: {error}")
            if error.hint:
                say(f"hint: {error.hint}")
    if verbose:
        emit(details(index, done.report))


def _vectors(index: Index, seconds: float) -> str:
    from plait.interfaces.cli.output import counted

    assert index.reader.dense is not None
    encoder, snapshot = index.reader.dense.encoder, index.snapshot()
    made = snapshot.statistics().chunks - snapshot.missing_vectors(encoder.digest)
    return f"vectors of {counted(made, 'chunk')} by {encoder.name} in {seconds:.1f} s"


def _dry_run(index: Index) -> None:
    import os

    from plait.answering.freshness import difference
    from plait.errors import FormatMismatch, IndexMissing
    from plait.index.diff import compare
    from plait.interfaces.cli.indexing.report import reasons
    from plait.interfaces.cli.output import counted, emit, sized

    try:
        found = difference(index, index.snapshot())
    except (IndexMissing, FormatMismatch):  # all of it is to be built
        found = compare(index.source, {}, {})
    files, size = 0, 0
    for file in found.changed():
        files += 1
        size += len(file.content)
    unchanged = found.unchanged + found.touched
    workers = index.settings.workers or os.cpu_count() or 1
    seconds = size / BYTES_PER_SECOND_AND_WORKER / workers
    todo = f"{counted(files, 'file')} to index ({sized(size)})"
    cost = f"about {size // BYTES_PER_CHUNK:,} chunks and {max(seconds, 0.1):.1f} s"
    lines = [
        f"{index.repo}: {todo}, {unchanged:,} unchanged, {len(found.gone):,} to remove",
        f"{cost} with {counted(workers, 'worker')} (an estimate)",
    ]
    if found.skipped:
        lines.append(f"skipped: {reasons(found.skipped)}")
    emit([*lines, f"nothing was written; the index would be in {index.place}"])


def _explain(opened: Opened, file: str) -> None:
    from pathlib import Path

    from plait.interfaces.cli.output import emit

    root = opened.index.root.directory
    absolute = Path(file).expanduser().absolute()
    folder = absolute.parent.resolve() / absolute.name
    if folder.is_relative_to(root):
        path = folder.relative_to(root).as_posix()
    else:
        path = Path(file).as_posix()
    emit([opened.index.source.explain_ignore(path)])


def _check(index: Index) -> bool:
    from plait.interfaces.cli.output import emit, say

    faults = index.reader.store.check()
    if not faults:
        emit([f"{index.repo}: the index in {index.place} is sound"])
        return True
    for fault in faults:
        say(f"error: {fault}")
    say("hint: plait index --rebuild rebuilds it")
    return False
