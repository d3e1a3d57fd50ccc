"""Meaning: an index whose chunks all have a vector, and a place in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from plait.errors import IndexBusy, ModelError, QueryError, SourceError, StoreUnwritable
from plait.interfaces.cli.opened import Current, Opened, current, embedded, open_path

if TYPE_CHECKING:
    from plait.types import Chunk, Encoder, Snapshot

NO_MODEL = "there is no model to compare code by"
FOLDER_HINT = "name the folder it is in after FILE:LINE"


@dataclass(frozen=True, slots=True)
class Meaning:
    """An index, the generation to answer from, and the model its vectors are of."""

    opened: Opened
    now: Current
    encoder: Encoder
    notes: tuple[str, ...]


def with_vectors(path: str, *, fresh: bool | None = None, store: str = "") -> Meaning:
    """Open the index of a path and give every chunk its vector, however long that takes.

    Args:
        path: A folder or a file.
        fresh: Whether to bring the index up to date first; None for the setting.
        store: Where the index is; "" for the setting.

    Raises:
        ModelError: There is no model.
    """
    opened = open_path(path, mode="dense", store=store)
    index = opened.index
    if index.dense is None:
        raise ModelError(NO_MODEL, hint="set model to a folder that holds one")
    is_refreshed = index.refreshes if fresh is None else fresh
    now = current(opened, fresh=is_refreshed)
    notes = list(now.notes)
    if is_refreshed and not notes:
        try:
            embedded(index)
        except (IndexBusy, StoreUnwritable) as trouble:
            notes.append(f"{trouble}; chunks that have no vector yet are not compared")
        now = Current(index.snapshot(), now.stale)
    encoder = index.dense.encoder
    missing = now.snapshot.missing_vectors(encoder.digest)
    if missing:
        notes.append(
            f"{missing:,} of {now.snapshot.statistics().chunks:,} chunks have no vector yet; "
            "they were left out (plait index makes them)"
        )
    return Meaning(opened, now, encoder, tuple(notes))


def parsed_place(place: str) -> tuple[str, int] | None:
    """File and line of ``FILE:LINE``; None if it is not written so."""
    file, colon, number = place.rpartition(":")
    if not (colon and file and number.isdecimal() and int(number)):
        return None
    return file, int(number)


def chunk_at(opened: Opened, snapshot: Snapshot, place: str) -> Chunk:
    """The smallest chunk around a line.

    Raises:
        QueryError: It is not written as a place.
        SourceError: There is no such file, or no chunk at that line.
    """
    parsed = parsed_place(place)
    if parsed is None:
        raise QueryError(f"not a place in a file: {place!r}", hint="write FILE:LINE, as in a.py:12")
    file, line = parsed
    path = opened.locate(file)
    if not path:
        raise SourceError(
            f"no such file below {opened.index.root.directory}: {file}", hint=FOLDER_HINT
        )
    ids = snapshot.outline(opened.index.repo, path)
    if not ids:
        raise SourceError(opened.index.source.explain_ignore(path))
    chunks = snapshot.fetch(ids).values()
    around = [chunk for chunk in chunks if chunk.span.first <= line <= chunk.span.last]
    if not around:
        last = max(chunk.span.last for chunk in chunks)
        raise SourceError(f"{file} has no chunk at line {line}; its last one ends at {last}")
    return min(around, key=lambda chunk: chunk.span.last - chunk.span.first)
