"""Chunks at lines: the smallest chunk around a line, for several lines at once."""

from __future__ import annotations

from collections.abc import Iterable

from plait.types import Chunk, ChunkId, Contents, FileKey

Place = tuple[FileKey, int]  # a line of a file, counted from 1
BACK = 12  # chunks before a line that are looked at first: those within a chunk come behind it


def chunks_at(snapshot: Contents, places: Iterable[Place]) -> dict[Place, Chunk]:
    """The smallest chunk around each of these lines; a line in none is left out.

    The chunks of a file are in the order of their first lines, so the last that begins before a
    line is found by halving, for all lines in the same few steps: on a cluster each step is a
    request. It may lie within the chunk that is wanted, which then is one of those before it.
    """
    wanted = list(dict.fromkeys(places))
    outlines = {key: snapshot.outline(*key) for key in dict.fromkeys(key for key, _ in wanted)}
    known: dict[ChunkId, Chunk] = {}
    spans = {place: (0, len(outlines[place[0]])) for place in wanted}
    while middles := {
        place: (low + high) // 2 for place, (low, high) in spans.items() if low < high
    }:
        ids = {outlines[place[0]][middle] for place, middle in middles.items()}
        known |= snapshot.fetch(ids - known.keys())
        for place, middle in middles.items():
            chunk = known.get(outlines[place[0]][middle])
            begins_before = chunk is not None and chunk.span.first <= place[1]
            low, high = spans[place]
            spans[place] = (middle + 1, high) if begins_before else (low, middle)
    for back in (BACK, None):
        before = {
            place: outlines[place[0]][:end][-back if back else 0 :]
            for place, (end, _) in spans.items()
            if back or _around(place, outlines[place[0]][:end], known) is None
        }
        wider = {key for ids in before.values() for key in ids} - known.keys()
        known |= snapshot.fetch(wider)
    found = {
        place: _around(place, outlines[place[0]][:end], known) for place, (end, _) in spans.items()
    }
    return {place: chunk for place, chunk in found.items() if chunk is not None}


def _around(place: Place, before: Iterable[ChunkId], known: dict[ChunkId, Chunk]) -> Chunk | None:
    """The last of these chunks that has the line."""
    around = (known[key] for key in reversed(list(before)) if key in known)
    return next((chunk for chunk in around if chunk.span.last >= place[1]), None)
