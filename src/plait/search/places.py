"""Places: a line of a file, and the chunk that is meant by it."""

from __future__ import annotations

from typing import NamedTuple

from plait.types import Chunk, Snapshot


class Place(NamedTuple):
    """A line of a file, counted from 1."""

    file: str
    line: int


def parse_place(text: str) -> Place | None:
    """The place that ``FILE:LINE`` names; None if it is not written so."""
    file, colon, number = text.rpartition(":")
    if not (colon and file and number.isdecimal() and int(number)):
        return None
    return Place(file, int(number))


def chunk_around(snapshot: Snapshot, repo: str, place: Place) -> Chunk | None:
    """The innermost chunk around a line of an indexed file; None if there is none.

    It is the one that begins last: a header may reach a little way into its first member.
    """
    chunks = snapshot.fetch(snapshot.outline(repo, place.file)).values()
    around = [chunk for chunk in chunks if chunk.span.first <= place.line <= chunk.span.last]
    return max(around, key=lambda chunk: (chunk.span.first, -chunk.span.last), default=None)
