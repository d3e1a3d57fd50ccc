"""Words fit to be shown: what texts are cut into to give a group of code its name."""

from __future__ import annotations

from functools import lru_cache

from plait.search.shingles import KEYWORDS
from plait.words import IDENTIFIER, STOP_WORDS, split

SILENT = STOP_WORDS | {word.lower() for word in KEYWORDS} - {"string", "match", "range"}


def shown_words(text: str) -> list[str]:
    """The parts of a text's identifiers, lower-cased and not stemmed, without empty ones.

    Stop words and keywords say nothing of what code is about.
    """
    found = IDENTIFIER.findall(text)
    return [part for word in found for part in _parts(word)]


@lru_cache(maxsize=100_000)
def _parts(identifier: str) -> tuple[str, ...]:
    return tuple(part for part in split(identifier) if part not in SILENT)
