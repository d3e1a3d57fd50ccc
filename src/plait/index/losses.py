"""Losses: how long one run puts up with parsers that fail, language by language.

One file may cost what a worker may use, and no more; a thousand of them would still cost
hours. So a run adds up the time that went into files whose parser was lost. When a language
has used up its share, its remaining files are cut into lines without being parsed, and the
run says so. Other languages are not touched.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping

from plait.types.notes import PLAIN_TEXT, Note

# Of wall time: six files at the limit of a worker's processor time, two at that of its patience.
MAX_LOST_SECONDS = 60.0


class Losses:
    """Time lost in one run, by language; shared by the threads that wait for workers."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._lock = threading.Lock()

    def add(self, language: str, seconds: float) -> None:
        """So much time went into a file of a language, and its parser was lost."""
        with self._lock:
            self._seconds[language] += seconds

    def are_too_many(self, language: str) -> bool:
        """Whether a language has used up its share."""
        with self._lock:
            return self._seconds.get(language, 0.0) >= MAX_LOST_SECONDS


def untried(language: str) -> str:
    """Why a file was not parsed though nothing is known to be wrong with it."""
    return f"too much time was lost to other files of {language}"


def notes_on(languages: Mapping[str, int]) -> tuple[Note, ...]:
    """What to say of the files that were not tried, counted by language."""
    return tuple(
        Note(
            PLAIN_TEXT,
            f"parsers of {language} failed for {MAX_LOST_SECONDS:g} s in all: the other files of "
            f"it ({count:,}) are indexed as plain text, without symbols; leave out what takes so "
            "long (plait index -v names it), then plait index --rebuild",
        )
        for language, count in sorted(languages.items())
    )
