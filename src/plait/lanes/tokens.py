"""Tokens: how code and questions are cut into the terms both are found by.

``findUserByEmail``, ``find_user_by_email`` and ``FIND_USER_BY_EMAIL`` must meet each other
and the words "find user by email". So an identifier gives its parts, split at case, digits
and underscores, each once and stemmed, and itself as a whole, lower-cased and without
underscores. Keeping the whole beside its parts was measured best (split alone loses
0.02 nDCG, whole words alone 0.03).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from plait.errors import SettingError
from plait.words import (
    CACHE_SIZE,
    IDENTIFIER,
    MAX_TERM,
    QUESTION_WORDS,
    STOP_WORDS,
    Stems,
    identifiers,
    split,
)

BOTH, PARTS, WHOLE = "both", "parts", "whole"
JOINED = (2, 3)  # adjacent words of a question that may be one identifier
MAX_JOINED = 16  # words of a question that are joined


def whole(identifier: str) -> str:
    """An identifier as the one term that stands for all of it."""
    return identifier.replace("_", "").lower()


class _Terms(dict[str, str]):
    """Terms of an identifier, space-separated, computed when first asked for."""

    def __init__(self, *, stemming: bool, identifiers: str) -> None:
        self._stems = Stems(stemming=stemming)
        self._keeps_parts = identifiers != WHOLE
        self.keeps_whole = identifiers != PARTS

    def __missing__(self, identifier: str) -> str:
        parts = split(identifier)
        if len(parts) == 1:
            joined = self._stems[parts[0]]
        else:
            joined = self._compound(identifier, parts) if parts else ""
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[identifier] = joined
        return joined

    def _compound(self, identifier: str, parts: list[str]) -> str:
        terms = dict.fromkeys(map(self._stems.__getitem__, parts) if self._keeps_parts else ())
        if self.keeps_whole:
            joined = whole(identifier)
            if len(joined) <= MAX_TERM:
                terms[joined] = None
        terms.pop("", None)
        return " ".join(terms)


class Analyser:
    """Cuts texts into terms. Built once for each kind by ``analyser``; its caches are shared.

    Args:
        stemming: Whether words are reduced to their stems.
        identifiers: What a compound identifier gives: its parts, itself as a whole, or both.
    """

    def __init__(self, *, stemming: bool = True, identifiers: str = BOTH) -> None:
        self._terms = _Terms(stemming=stemming, identifiers=identifiers)

    def analyse(self, text: str) -> str:
        """All terms of a text, space-separated, in order, with repeats."""
        return " ".join(filter(None, map(self._terms.__getitem__, identifiers(text))))

    def question_terms(self, text: str) -> list[tuple[str, str]]:
        """The distinct terms of a question as (term, word it came from), in order.

        Stop words and question words are left out unless nothing else remains.
        """
        words = self._words(text)
        telling = [word for word in words if word.lower() not in STOP_WORDS]
        return self._distinct_terms(
            [word for word in telling if word.lower() not in QUESTION_WORDS] or telling or words
        )

    def faint_terms(self, text: str) -> list[tuple[str, str]]:
        """The terms of a question's question words, which may be what is looked for."""
        return self._distinct_terms(
            word for word in self._words(text) if word.lower() in QUESTION_WORDS
        )

    def joined_terms(self, text: str) -> list[tuple[str, str]]:
        """Adjacent words of a question as the identifier that they would make, with the words.

        A stop word may be inside, as in ``int_to_string``, but not at an end.
        """
        if not self._terms.keeps_whole:
            return []
        words = IDENTIFIER.findall(text)[:MAX_JOINED]
        ends = [word.lower() not in STOP_WORDS for word in words]
        runs = (
            words[begin : begin + size]
            for size in JOINED
            for begin in range(len(words) - size + 1)
            if ends[begin] and ends[begin + size - 1]
        )
        joined = ((whole("".join(run)), " ".join(run)) for run in runs)
        return list(_distinct((term, run) for term, run in joined if 0 < len(term) <= MAX_TERM))

    def _words(self, text: str) -> list[str]:
        return [word for word in IDENTIFIER.findall(text) if self._terms[word]]

    def _distinct_terms(self, words: Iterable[str]) -> list[tuple[str, str]]:
        return list(_distinct((term, word) for word in words for term in self._terms[word].split()))


@lru_cache(maxsize=8)
def analyser(stemming: bool = True, identifiers: str = BOTH) -> Analyser:
    """The analyser of this kind.

    Raises:
        SettingError: There is no such way to cut identifiers.
    """
    if identifiers not in (BOTH, PARTS, WHOLE):
        raise SettingError(f"identifiers must be both, parts or whole, got {identifiers!r}")
    return Analyser(stemming=stemming, identifiers=identifiers)


analyse = analyser().analyse
question_terms = analyser().question_terms


def pairs(terms: str) -> str:
    """Adjacent terms joined two by two, space-separated."""
    row = terms.split()
    return " ".join(f"{left}_{right}" for left, right in pairwise(row))


def _distinct(pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    seen: set[str] = set()
    for term, word in pairs:
        if term not in seen:
            seen.add(term)
            yield term, word
