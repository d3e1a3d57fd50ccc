"""Opened: the index a verb works on, and how its paths are shown to who asked."""

from __future__ import annotations

import atexit
import math
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from plait.errors import (
    IndexBusy,
    ModelError,
    PlaitError,
    SourceError,
    StoreError,
    StoreUnwritable,
)
from plait.interfaces.cli.output import counted, say, sized
from plait.interfaces.cli.progress import QUIET_SECONDS, ProgressLine

if TYPE_CHECKING:
    from plait.assembly import Index
    from plait.index.diff import Diff
    from plait.index.refresh import Report
    from plait.types import Snapshot

SEARCH_WAIT_SECONDS = 0.2  # for another writer, if there is something to answer from
UNCHANGED = "stopped; the index is unchanged"
NO_VECTORS = "stopped; words are indexed, vectors are not all made"
MIN_EMBEDDING_SECONDS = 5.0  # a search spends so long on new vectors, or as long as on words


@dataclass(frozen=True, slots=True)
class Opened:
    """An index and the path it was opened for."""

    given: str
    index: Index

    def inner(self, repo: str, path: str) -> str:
        """A path of the index, relative to the path given."""
        root = self.index.root
        if repo != self.index.repo or not root.under:
            return path
        return path.removeprefix(f"{root.under}/")

    def shown(self, repo: str, path: str) -> str:
        """A path of the index, as it can be opened from here."""
        if repo != self.index.repo:
            return f"{repo}:{path}"
        if self.index.root.file:
            return os.path.normpath(self.given)
        return os.path.normpath(os.path.join(self.given, self.inner(repo, path)))  # noqa: PTH118 - as typed

    def locate(self, file: str) -> str:
        """The indexed path of a file named from here or from the path given; "" if outside."""
        for base in (Path(), Path(self.given)):
            try:
                real = (base / file).expanduser().resolve(strict=True)
            except (OSError, ValueError, RuntimeError):
                continue
            if real.is_file() and real.is_relative_to(self.index.root.directory):
                return real.relative_to(self.index.root.directory).as_posix()
        return ""


def open_path(
    path: str,
    *,
    hidden: bool = False,
    no_ignore: bool = False,
    include_secrets: bool = False,
    mode: str = "",
    store: str = "",
    name: str = "",
) -> Opened:
    """Open the index of a path, with the flags that change what is indexed and how it is asked.

    Args:
        path: A folder or a file; "" for the current one, or for all that a shared store holds.
        hidden: Also files whose names begin with a dot.
        no_ignore: Do not respect ignore files.
        include_secrets: Leave out no file, and mask nothing, because it is secret.
        mode: How to rank; "" for the setting.
        store: Where the index is; "" for the setting.
        name: What the repository is called; "" for the name of its folder.

    Raises:
        SourceError: There is no such path.
    """
    if "://" in path or path.startswith("git@"):
        raise SourceError(
            f"git URLs are not available yet: {path}", hint="clone it and name the folder"
        )
    from plait.assembly import index_of, settings_for
    from plait.sources import root_of

    root = root_of(Path(path or "."))
    settings, notes = settings_for(root, store)
    settings = replace(
        settings,
        hidden=hidden or settings.hidden,
        no_ignore=no_ignore or settings.no_ignore,
        include_secrets=include_secrets or settings.include_secrets,
        mode=mode or settings.mode,
    )
    index = index_of(root, settings, name, is_whole=not path)
    atexit.register(_close, index)
    for note in (*root.notes, *notes):
        say(f"note: {note}")
    return Opened(path, index)


def _close(index: Index) -> None:
    with suppress(PlaitError):  # what a store holds for us ends by itself, only later
        index.close()


def refreshed(index: Index, *, anew: bool = False) -> tuple[Report, float]:
    """Bring an index up to date, showing progress; what was done, and in how many seconds.

    Raises:
        IndexBusy: Another process is writing.
        KeyboardInterrupt: With a sentence about the state of the index.
    """
    line = ProgressLine()
    try:
        report = index.refresh(anew=anew, watch=line.files)
    except KeyboardInterrupt:
        line.clear()
        raise KeyboardInterrupt(UNCHANGED) from None
    line.clear()
    for note in (*index.source.notes, *report.notes):
        if note not in index.root.notes:  # those were told when it was opened
            say(f"note: {note}")
    if line.seconds > QUIET_SECONDS and not report.did_nothing:
        files = counted(report.added + report.changed, "file")
        say(f"indexed {files} ({sized(report.bytes)}) in {line.seconds:.1f} s")
    return report, line.seconds


def embedded(index: Index, within_s: float = math.inf) -> float:
    """Make the vectors that the settings ask for, showing progress; in how many seconds.

    Raises:
        IndexBusy: Another process is writing.
        KeyboardInterrupt: With a sentence about the state of the index.
    """
    line = ProgressLine()
    if index.uses_vectors:
        try:
            index.embed(line.vectors, within_s)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(NO_VECTORS) from None
        finally:
            line.clear()
    return line.seconds


@dataclass(frozen=True, slots=True)
class Current:
    """The generation a search answers from; ``stale`` is None if nobody looked."""

    snapshot: Snapshot
    stale: int | None
    notes: tuple[str, ...] = ()


def current(
    opened: Opened, *, fresh: bool | None = None, look: bool = False, vectors: bool = False
) -> Current:
    """The newest generation, refreshed first if that is wanted and possible.

    Args:
        fresh: Whether to refresh; None for the setting.
        look: Count the stale files even if the index is not refreshed.
        vectors: Whether vectors are refreshed too, as far as that takes no longer than words.

    Raises:
        IndexMissing: There is no index and none was to be made.
        IndexBusy: Another process is making the first one.
        StoreUnwritable: There is no index, and none can be made.
    """
    index = opened.index
    if index.refreshes if fresh is None else fresh:
        return _refreshed_if_free(index, vectors=vectors)
    snapshot = index.snapshot()
    is_known = look and bool(index.repo)  # of all repositories nobody can tell
    return Current(snapshot, stale_files(index, snapshot) if is_known else None)


def _refreshed_if_free(index: Index, *, vectors: bool) -> Current:
    from plait.assembly import NO_NEW_VECTORS
    from plait.search.plan import DENSE

    writer = index
    if index.has_generation:
        writer = index.waiting(min(index.settings.wait_s, SEARCH_WAIT_SECONDS))
    try:
        _, seconds = refreshed(writer)
    except (IndexBusy, StoreUnwritable) as trouble:
        return _as_it_was(index, trouble)
    notes: tuple[str, ...] = ()
    if vectors:
        try:
            embedded(writer, max(seconds, MIN_EMBEDDING_SECONDS))
        except (IndexBusy, StoreUnwritable) as trouble:
            notes = (f"{trouble}; what is new is found by words alone",)
        except ModelError as error:  # words are indexed by then, and answer without it
            if index.settings.mode == DENSE:
                raise
            notes = (f"{NO_NEW_VECTORS}: {error}",)
    return Current(index.snapshot(), 0, notes)


def _as_it_was(index: Index, trouble: StoreError) -> Current:
    """The generation that answers although the index cannot be brought up to date."""
    try:
        snapshot = index.snapshot()
    except StoreError:  # there is none to answer from
        raise trouble from None
    stale = stale_files(index, snapshot)
    note = f"{trouble}; answered from generation {snapshot.generation}"
    if isinstance(trouble, StoreUnwritable):
        note = f"the index could not be brought up to date: {note}"
    return Current(snapshot, stale, (f"{note}, {counted(stale, 'file')} behind",))


def left_out(opened: Opened, snapshot: Snapshot) -> tuple[str, ...]:
    """Why the file that was named is not in the index, as a note; none if it is."""
    index = opened.index
    if not index.root.file or snapshot.outline(index.repo, index.root.file):
        return ()
    told = index.source.explain_ignore(index.root.file)
    return () if " is indexed as " in told else (told,)  # it is new, and nobody refreshed


def say_notes(now: Current) -> None:
    """Tell a person what an answer from this generation may lack."""
    for note in now.notes:
        say(f"note: {note}")


def difference(index: Index, snapshot: Snapshot) -> Diff:
    """What the tree has that the snapshot may not."""
    from plait.index.diff import compare
    from plait.index.stamps import load_stamps

    return compare(index.source, snapshot.digests(index.repo), load_stamps(index.stamps_path))


def stale_files(index: Index, snapshot: Snapshot) -> int:
    """How many files were added, removed or touched since."""
    found = difference(index, snapshot)
    return len(found.unread) + len(found.gone)
