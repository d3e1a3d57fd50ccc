"""Refresh: bring the index of a source up to date, at the cost of what has changed.

Files are read in path order, prepared by workers and committed in that same order, so the
index comes out the same however many workers there are. Everything that changed becomes
visible at once, in one generation, or not at all.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from plait.errors import IndexMissing, WorkerLost
from plait.index.diff import Diff, compare, masked_in
from plait.index.losses import Losses, notes_on
from plait.index.prepare import MODULE, TOO_DEEP, Prepared, prepared
from plait.index.reasons import keep_reasons, load_reasons
from plait.index.stamps import kept_stamps, load_stamps
from plait.lanes.lexical import Lexical
from plait.private.folders import PrivateFolder
from plait.symbols.workers import Worker, WorkerPool
from plait.types import Change, Source, SourceFile, Store
from plait.types.notes import Note

FILES_PER_WORKER = 40  # starting a worker and its grammars costs as much as parsing about this many


@dataclass(slots=True)
class Progress:
    """How far a refresh has come; one object, updated in place."""

    files: int = 0
    of_files: int = 0
    bytes: int = 0
    chunks: int = 0


@dataclass(slots=True)
class Report:
    """What a refresh did."""

    generation: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    bytes: int = 0
    chunks: int = 0
    skipped: Counter[str] = field(default_factory=Counter)  # by reason
    with_errors: list[str] = field(default_factory=list)  # paths whose syntax is not sound
    # Why files are indexed as plain text, by path; those of earlier runs included.
    as_text: dict[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    masked: tuple[int, int] = (0, 0)  # secrets of the whole tree, and the files they stand in

    @property
    def did_nothing(self) -> bool:
        return not (self.added or self.changed or self.removed)


def refresh(
    source: Source,
    store: Store,
    lexical: Lexical,
    *,
    stamps_path: Path,
    private: PrivateFolder | None = None,
    workers: int = 0,
    comments: bool = True,
    anew: bool = False,
    watch: Callable[[Progress], None] = lambda _: None,
) -> Report:
    """Index what has changed in a source.

    Args:
        stamps_path: Where the stamps of this source are remembered.
        private: The folder of ours which that is in.
        workers: Parse processes; 0 for one per core.
        comments: Whether comments and docstrings are indexed; if not, they are blanked.
        anew: Forget the index and build it from nothing, in one step.
        watch: Called after every file.
    """
    known, generation = ({}, 0) if anew else _known(store, source.name)
    stamps = {} if anew else load_stamps(stamps_path)
    diff = compare(source, known, stamps)
    before = load_reasons(stamps_path)
    report = Report(as_text={} if anew else dict(before))
    if diff.unread or diff.gone or not generation:
        count = min(workers or os.cpu_count() or 1, len(diff.unread) // FILES_PER_WORKER + 1)
        with WorkerPool(MODULE, count) as pool:
            prepare = partial(prepared, lexical=lexical, comments=comments, losses=Losses())
            changes = changes_of(diff, pool, prepare, report, watch)
            report.generation = store.commit(changes, anew=anew)
    else:
        report.generation = generation
    if diff.stamps != stamps:
        report.notes += kept_stamps(stamps_path, diff.stamps, private)
    if report.as_text != before:
        keep_reasons(stamps_path, report.as_text, private)
    report.unchanged = diff.unchanged + diff.touched
    report.skipped = diff.skipped
    report.masked = masked_in(diff.stamps)
    return report


def _known(store: Store, repo: str) -> tuple[dict[str, str], int]:
    """Digests of a repository's files and their generation, 0 if there is no index."""
    try:
        snapshot = store.snapshot()
    except IndexMissing:
        return {}, 0
    try:
        return dict(snapshot.digests(repo)), snapshot.generation
    finally:
        snapshot.close()


def changes_of(
    diff: Diff,
    pool: WorkerPool,
    prepare_one: Callable[[Worker, SourceFile], Prepared],
    report: Report,
    watch: Callable[[Progress], None],
) -> Iterator[Change]:
    """Every change a difference comes to, as its files are read and parsed."""
    progress = Progress(of_files=len(diff.unread))
    untried: Counter[str] = Counter()
    progress_of = {path: n for n, (path, _) in enumerate(diff.unread, start=1)}

    def prepare(worker: Worker, file: SourceFile) -> Prepared | SourceFile:
        try:
            return prepare_one(worker, file)
        except WorkerLost:
            return file

    for done in pool.map(prepare, diff.changed()):
        path = done.path if isinstance(done, SourceFile) else done.change.path
        progress.files = progress_of[path]  # those before it were the same or not worth indexing
        if isinstance(done, SourceFile):  # not even lines could be cut; nothing we know does this
            diff.skipped["unreadable"] += 1
            if done.path in diff.known:
                diff.gone.add(done.path)
            continue
        file = done.change.file
        assert file is not None
        report.added += file.path not in diff.known
        report.changed += file.path in diff.known
        report.bytes += len(file.content)
        report.chunks += len(done.change.entries)
        report.as_text.pop(file.path, None)
        if done.as_text:
            report.as_text[file.path] = done.as_text
            untried[file.language] += not (done.was_lost or done.as_text == TOO_DEEP)
        elif done.has_errors:
            report.with_errors.append(file.path)
        progress.bytes, progress.chunks = report.bytes, report.chunks
        watch(progress)
        yield done.change
    if progress.files < progress.of_files:
        progress.files = progress.of_files
        watch(progress)
    report.notes += notes_on(+untried)
    for path in sorted(diff.gone):
        report.removed += 1
        report.as_text.pop(path, None)
        yield Change(diff.source.name, path)
