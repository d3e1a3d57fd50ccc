"""Unknown filters: names before a colon that no filter has, and which one was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from plait.search.syntax import CANONICAL
from plait.types.notes import UNKNOWN_FILTER, Note

MAX_COMPARED = 4  # unknown filters that are compared with the known ones
GUESSABLE = tuple(spelling for spelling in CANONICAL if len(spelling) > 1)


def filter_hints(names: Iterable[str]) -> Iterator[Note]:
    """Say which filter an unknown one resembles, if it does."""
    for name in list(dict.fromkeys(names))[:MAX_COMPARED]:
        if meant := _closest(name.lower()):
            told = f"`{name}:` is not a filter; did you mean `{meant}:`?"
            yield Note(UNKNOWN_FILTER, told)


@lru_cache(maxsize=256)
def _closest(name: str) -> str:
    """The filter whose name is at most two edits away, and at most half of it; or none."""
    limit = min(2, len(name) // 2)
    near = [known for known in GUESSABLE if abs(len(name) - len(known)) <= limit]
    edits, closest = min(((_edits(name, known), known) for known in near), default=(0, ""))
    return closest if 0 < edits <= limit else ""


def _edits(one: str, other: str) -> int:
    """How many letters to insert, drop or replace."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        above, row = row, [i]
        for j, wanted in enumerate(other, start=1):
            row.append(min(row[-1] + 1, above[j] + 1, above[j - 1] + (letter != wanted)))
    return row[-1]
