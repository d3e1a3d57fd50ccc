"""Linking: what a file says about other code, dealt out to its chunks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Generic, TypeVar

from plait.symbols.mentions import Mentioned, Placed
from plait.types import Chunk, Links

T = TypeVar("T")


class _Row(Generic[T]):
    """Values by their place in a file."""

    def __init__(self, placed: Placed[T]) -> None:
        self._places = [place for place, _ in placed]
        self._values = [value for _, value in placed]

    def between(self, begin: int, end: int) -> list[T]:
        places = self._places
        if not places:
            return []
        return self._values[bisect_left(places, begin) : bisect_left(places, end)]


def links_of(chunks: Sequence[Chunk], found: Mentioned) -> list[Links]:
    """The links of each chunk. Where chunks overlap, each has what lies in it."""
    references, imports = _Row(found.references), _Row(found.imports)
    bindings = _Row(found.bindings)
    made = []
    for chunk in chunks:
        begin, end, _ = chunk.body
        made.append(
            Links.of(
                references.between(begin, end),
                imports.between(begin, end),
                bindings.between(begin, end),
                chunk.span.first,
            )
        )
    return made
