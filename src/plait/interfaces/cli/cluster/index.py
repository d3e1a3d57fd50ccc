"""``plait index`` of several repositories into one collection."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plait.errors import PlaitError
from plait.interfaces.cli.cluster.processes import Processes, Task, check_names
from plait.interfaces.cli.output import counted, emit, say

if TYPE_CHECKING:
    from plait.answering.index import Index

WELL, FAILED = 0, 2


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What the options said."""

    store: str
    hidden: bool
    no_ignore: bool
    include_secrets: bool
    is_verbose: bool
    jobs: int  # 0 for the setting


def index_shared(
    collection: Index, paths: Sequence[str], options: IndexOptions, *, anew: bool
) -> int:
    """Index repositories; the exit status.

    Args:
        collection: The index they go into.
        paths: Where they are.
        options: What the options said.
        anew: Whether they are to be all that there is.

    Raises:
        SettingError: Two would have one name.
    """
    check_names(paths)
    if anew:
        _rebuild(paths, options)
        return WELL
    return WELL if _refresh(collection, paths, options) else FAILED


def _rebuild(paths: Sequence[str], options: IndexOptions) -> None:
    from plait.assembly import rebuild_together
    from plait.interfaces.cli.indexing.report import details, summary
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.progress import ProgressLine
    from plait.interfaces.cli.refreshing import embedded

    indexes = [
        open_path(
            path,
            hidden=options.hidden,
            no_ignore=options.no_ignore,
            include_secrets=options.include_secrets,
            store=options.store,
        ).index
        for path in paths
    ]
    line = ProgressLine()
    reports = rebuild_together(indexes, line.files)
    line.clear()
    for index, report in zip(indexes, reports, strict=True):
        emit(summary(index, report, line.seconds)[:1])
        if options.is_verbose:
            emit(details(index, report))
    emit([f"generation {reports[0].generation} in {indexes[0].place} now contains only these"])
    embedded(indexes[0])


def _refresh(collection: Index, paths: Sequence[str], options: IndexOptions) -> bool:
    """Index repositories several at a time; whether all went well."""
    from plait.interfaces.cli.refreshing import embedded

    processes = collection.settings.workers or os.cpu_count() or 1
    jobs = min(options.jobs or processes, len(paths))
    workers = max(1, processes // jobs)
    tasks = [
        Task(
            path, options.store, options.hidden, options.no_ignore, workers, options.include_secrets
        )
        for path in paths
    ]
    failed = 0
    without_vectors: PlaitError | None = None
    for outcome in Processes(jobs).outcomes(tasks):
        if outcome.error:
            failed += 1
            _say_error(f"{outcome.path}: {outcome.error}", outcome.hint)
            continue
        emit([outcome.line, *(outcome.details if options.is_verbose else ())])
        try:
            embedded(collection)
        except PlaitError as error:  # words are indexed, and the next time may do better
            without_vectors = error
        else:
            without_vectors = None
    done = counted(len(paths) - failed, "repository")
    emit([f"{done} of {len(paths):,} indexed in {collection.place}"])
    if without_vectors:
        _say_error(f"vectors: {without_vectors}", without_vectors.hint)
    return not failed and not without_vectors


def _say_error(message: str, hint: str) -> None:
    say(f"error: {message}")
    if hint:
        say(f"hint: {hint}")
