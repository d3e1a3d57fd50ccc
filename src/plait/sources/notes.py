"""Notes: what a listing could not do as it should, for the user to read.

A tree can be made so that every folder is worth a note, so only the first are kept.
"""

from __future__ import annotations

from plait.types.notes import SOURCE, Note

MAX_NOTES = 8


class Notes:
    """Sentences in the order in which they came up, each once, and how many were one too many."""

    def __init__(self) -> None:
        self._kept: dict[str, None] = {}
        self._more = 0

    def add(self, sentence: str) -> None:
        """Keep a sentence, or count it if there are enough."""
        if sentence in self._kept:
            return
        if len(self._kept) < MAX_NOTES:
            self._kept[sentence] = None
        else:
            self._more += 1

    def all(self) -> tuple[Note, ...]:
        """What there is to say."""
        more = (f"and {self._more:,} more of the kind",) if self._more else ()
        return tuple(Note(SOURCE, sentence) for sentence in (*self._kept, *more))
