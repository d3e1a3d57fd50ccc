"""Freshness: the generation a search answers from, brought up to date first if possible.

A search must not fail because another process is writing or the index may only be read. It
then answers from the generation there is, and says how far behind that one is. New vectors
get no more time than new words took: the rest is found by words until they are made.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from plait.errors import IndexBusy, ModelError, StoreError, StoreUnwritable
from plait.index.diff import Diff, compare
from plait.index.stamps import load_stamps
from plait.search.plan import DENSE
from plait.types.notes import LEFT_OUT, NO_VECTORS, STALE, Note

if TYPE_CHECKING:
    from plait.answering.tree import IndexedTree
    from plait.index.refresh import Progress, Report
    from plait.types import Snapshot

NO_NEW_VECTORS = "no new vectors could be made"
SEARCH_WAIT_SECONDS = 0.2  # for another writer, if there is something to answer from
MIN_EMBEDDING_SECONDS = 5.0  # a search spends so long on new vectors, or as long as on words


class Watch(Protocol):
    """Who wants to be told how far a refresh has come; called often, it returns at once."""

    def files(self, progress: Progress) -> None:
        """Files have been indexed."""
        ...

    def refreshed(self, done: Refreshed) -> None:
        """All words are indexed; vectors come next, if they are wanted."""
        ...

    def vectors(self, done: int, of: int) -> None:
        """Chunks have been given their vectors."""
        ...


class Unwatched:
    """Nobody wants to be told."""

    def files(self, progress: Progress) -> None: ...

    def refreshed(self, done: Refreshed) -> None: ...

    def vectors(self, done: int, of: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What bringing an index up to date has done."""

    report: Report
    seconds: float
    notes: tuple[Note, ...]  # what a user should know about the files that were read


@dataclass(frozen=True, slots=True)
class Current:
    """The generation a search answers from; ``stale`` is None if nobody looked."""

    snapshot: Snapshot
    stale: int | None
    notes: tuple[Note, ...] = ()  # what the answer may lack
    refreshed: Refreshed | None = None  # None: it was not brought up to date


def refreshed(index: IndexedTree, watch: Watch | None = None, *, anew: bool = False) -> Refreshed:
    """Bring the words of an index up to date.

    Raises:
        IndexBusy: Another process is writing.
    """
    watch = watch or Unwatched()
    start = time.monotonic()
    report = index.refresh(anew=anew, watch=watch.files)
    told = (*index.source.notes, *report.notes)
    notes = tuple(note for note in told if note not in index.root.notes)
    done = Refreshed(report, time.monotonic() - start, notes)
    watch.refreshed(done)
    return done


def embedded(index: IndexedTree, watch: Watch | None = None, within_s: float = math.inf) -> float:
    """Make the vectors that the settings ask for, as far as the time allows; the seconds taken.

    Raises:
        IndexBusy: Another process is writing.
        ModelError: The model does not answer.
    """
    start = time.monotonic()
    if index.reader.uses_vectors:
        index.embed((watch or Unwatched()).vectors, within_s)
    return time.monotonic() - start


def current(
    index: IndexedTree,
    watch: Watch | None = None,
    *,
    fresh: bool | None = None,
    look: bool = False,
    vectors: bool = False,
    is_patient: bool = False,
) -> Current:
    """The newest generation, refreshed first if that is wanted and possible.

    Args:
        index: What is searched.
        watch: Who is told how far it has come.
        fresh: Whether to refresh; None for the setting.
        look: Count the stale files even if the index is not refreshed.
        vectors: Whether vectors are refreshed too, as far as that takes no longer than words.
        is_patient: Whether to wait for other writers as long as is set, and for all vectors.

    Raises:
        IndexMissing: There is no index and none was to be made.
        IndexBusy: Another process is making the first one.
        StoreUnwritable: There is no index, and none can be made.
        ModelError: Vectors alone are searched, and the model does not answer.
    """
    if index.refreshes if fresh is None else fresh:
        return _refreshed_if_free(index, watch, vectors=vectors, is_patient=is_patient)
    snapshot = index.snapshot()
    is_known = look and bool(index.repo)  # of all repositories nobody can tell
    return Current(snapshot, stale_files(index, snapshot) if is_known else None)


def _refreshed_if_free(
    index: IndexedTree, watch: Watch | None, *, vectors: bool, is_patient: bool
) -> Current:
    writer = index
    if not is_patient and index.reader.has_generation:
        writer = index.waiting(min(index.settings.wait_s, SEARCH_WAIT_SECONDS))
    try:
        done = refreshed(writer, watch)
    except (IndexBusy, StoreUnwritable) as trouble:
        return _as_it_was(index, trouble)
    notes: tuple[Note, ...] = ()
    if vectors:
        try:
            within_s = max(done.seconds, MIN_EMBEDDING_SECONDS)
            embedded(writer, watch, math.inf if is_patient else within_s)
        except (IndexBusy, StoreUnwritable) as trouble:
            notes = (Note(NO_VECTORS, f"{trouble}; what is new is found by words alone"),)
        except ModelError as error:  # words are indexed by then, and answer without it
            if index.settings.mode == DENSE:
                raise
            notes = (Note(NO_VECTORS, f"{NO_NEW_VECTORS}: {error}"),)
    return Current(index.snapshot(), 0, notes, done)


def _as_it_was(index: IndexedTree, trouble: StoreError) -> Current:
    """The generation that answers although the index cannot be brought up to date."""
    try:
        snapshot = index.snapshot()
    except StoreError:  # there is none to answer from
        raise trouble from None
    stale = stale_files(index, snapshot)
    note = f"{trouble}; answered from generation {snapshot.generation}"
    if isinstance(trouble, StoreUnwritable):
        note = f"the index could not be brought up to date: {note}"
    behind = f"{note}, {stale:,} file{'s' * (stale != 1)} behind"
    return Current(snapshot, stale, (Note(STALE, behind),))


def left_out(index: IndexedTree, snapshot: Snapshot) -> tuple[Note, ...]:
    """Why the file that was named is not in the index, as a note; none if it is."""
    if not index.root.file or snapshot.outline(index.repo, index.root.file):
        return ()
    told = index.source.explain_ignore(index.root.file)
    is_new = " is indexed as " in told  # and nobody refreshed
    return () if is_new else (Note(LEFT_OUT, told),)


def difference(index: IndexedTree, snapshot: Snapshot) -> Diff:
    """What the tree has that the snapshot may not."""
    return compare(
        index.source, snapshot.digests(index.repo), load_stamps(index.writer.stamps_path)
    )


def stale_files(index: IndexedTree, snapshot: Snapshot) -> int:
    """How many files were added, removed or touched since."""
    found = difference(index, snapshot)
    return len(found.unread) + len(found.gone)
