"""Places in an index: the chunk at a line, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plait.errors import SourceError
from plait.search.places import Place, chunk_around

if TYPE_CHECKING:
    from plait.answering.index import Index
    from plait.types import Chunk, Snapshot


def chunk_at(index: Index, snapshot: Snapshot, place: Place) -> Chunk:
    """The innermost chunk around a line.

    Args:
        index: What the place is in.
        snapshot: A generation of it.
        place: A line of a file, whose path begins at the root of the tree.

    Raises:
        SourceError: The file is not indexed, or there is no chunk at that line.
    """
    found = chunk_around(snapshot, index.repo, place)
    if found is not None:
        return found
    ids = snapshot.outline(index.repo, place.file)
    if not ids:
        raise SourceError(index.source.explain_ignore(place.file))
    last = max(chunk.span.last for chunk in snapshot.fetch(ids).values())
    raise SourceError(
        f"{place.file} has no chunk at line {place.line}; its last one ends at {last}"
    )
