"""Meaning: an index whose chunks all have a vector, to compare code by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from plait.answering.freshness import Current, Watch, current, embedded
from plait.errors import IndexBusy, ModelError, StoreUnwritable
from plait.types.notes import NO_VECTORS, Note

if TYPE_CHECKING:
    from plait.answering.index import Index
    from plait.types import Encoder, Snapshot

NO_MODEL = "there is no model to compare code by"


@dataclass(frozen=True, slots=True)
class Meaning:
    """The generation to answer from, and the model its vectors are of."""

    snapshot: Snapshot
    stale: int | None
    encoder: Encoder
    notes: tuple[Note, ...]  # what the answer may lack


def with_vectors(index: Index, watch: Watch | None = None, *, fresh: bool | None = None) -> Meaning:
    """Give every chunk its vector, however long that takes.

    Args:
        index: What is compared. Its mode has to be one that uses vectors.
        watch: Who is told how far it has come.
        fresh: Whether to bring the index up to date first; None for the setting.

    Raises:
        ModelError: There is no model.
    """
    if index.reader.dense is None:
        raise ModelError(NO_MODEL, hint="set model to a folder that holds one")
    is_refreshed = index.refreshes if fresh is None else fresh
    now = current(index, watch, fresh=is_refreshed)
    notes = list(now.notes)
    if is_refreshed and not notes:
        try:
            embedded(index, watch)
        except (IndexBusy, StoreUnwritable) as trouble:
            told = f"{trouble}; chunks that have no vector yet are not compared"
            notes.append(Note(NO_VECTORS, told))
        now = Current(index.snapshot(), now.stale)
    encoder = index.reader.dense.encoder
    missing = now.snapshot.missing_vectors(encoder.digest)
    if missing:
        told = (
            f"{missing:,} of {now.snapshot.statistics().chunks:,} chunks have no vector yet; "
            "they were left out (plait index makes them)"
        )
        notes.append(Note(NO_VECTORS, told))
    return Meaning(now.snapshot, now.stale, encoder, tuple(notes))
