"""Tokens: how code and questions are cut into the terms both are found by.

``findUserByEmail``, ``find_user_by_email`` and ``FIND_USER_BY_EMAIL`` must meet each other
and the words "find user by email". So an identifier gives its parts, split at case, digits
and underscores, each once and stemmed, and itself as a whole, lower-cased and without
underscores. Keeping the whole beside its parts was measured best (split alone loses
0.02 nDCG, whole words alone 0.03).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from Stemmer import Stemmer

from plait.errors import SettingError

BOTH, PARTS, WHOLE = "both", "parts", "whole"
IDENTIFIER = re.compile(r"\w+")
# Makes a space of every ASCII character that is in no identifier.
ASCII_WORDS = bytes(byte if chr(byte).isalnum() or byte == ord("_") else 32 for byte in range(128))
ASCII_WORDS += bytes(range(128, 256))  # never met: only ASCII texts are translated
ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
UNICODE_PIECE = re.compile(r"[^\W\d_]+|\d+")
MAX_TERM = 64  # longer runs are data, not names
CACHE_SIZE = 200_000  # identifiers remembered; code repeats itself, so most are met again

# Words that carry no meaning in a question. They are indexed all the same, so that a query
# made of nothing else still finds something.
STOP_WORDS = frozenset(
    """a about all an and any are as at be been being but by can cannot could did do does doing
    for from had has have having he her his how i if in into is it its itself just me my no nor
    not of off on once only or other our out over own same she should so some such than that the
    their them then there these they this those through to too under until up us very was we were
    what when where which while who whom why will with would you your""".split()
)
# Words people wrap around what they are looking for.
QUESTION_WORDS = frozenset(
    """code codebase defined definition explain file files find handle handled handles happen
    happens implement implementation implemented implements locate logic look show used uses using
    work working works""".split()
)


class _Stems(dict[str, str]):
    """The stem of a lower-cased part, "" if it is too long, computed when first asked for."""

    def __init__(self, *, stemming: bool) -> None:
        self._stem = Stemmer("english", 0).stemWord if stemming else str

    def __missing__(self, part: str) -> str:
        stem: str = self._stem(part) if len(part) <= MAX_TERM else ""
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[part] = stem
        return stem


class _Terms(dict[str, str]):
    """Terms of an identifier, space-separated, computed when first asked for."""

    def __init__(self, *, stemming: bool, identifiers: str) -> None:
        self._stems = _Stems(stemming=stemming)
        self._keeps_parts = identifiers != WHOLE
        self._keeps_whole = identifiers != PARTS

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
        if self._keeps_whole:
            whole = identifier.replace("_", "").lower()
            if len(whole) <= MAX_TERM:
                terms[whole] = None
        terms.pop("", None)
        return " ".join(terms)


def split(identifier: str) -> list[str]:
    """The lower-cased parts of an identifier, in order."""
    if identifier.isascii():
        return [*map(str.lower, ASCII_PART.findall(identifier))]
    parts: list[str] = []
    for piece in UNICODE_PIECE.findall(identifier):
        start = 0
        for at in range(1, len(piece)):
            rises = piece[at].isupper() and not piece[at - 1].isupper()
            ends_capitals = (
                piece[at].isupper() and piece[at - 1].isupper() and piece[at + 1 : at + 2].islower()
            )
            if rises or ends_capitals:
                parts.append(piece[start:at].lower())
                start = at
        parts.append(piece[start:].lower())
    return parts


def identifiers(text: str) -> list[str]:
    """Every identifier of a text, in order: what ``IDENTIFIER`` finds, sooner."""
    if text.isascii():
        return text.encode().translate(ASCII_WORDS).decode().split()
    return IDENTIFIER.findall(text)


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
        words = [word for word in IDENTIFIER.findall(text) if self._terms[word]]
        telling = [word for word in words if word.lower() not in STOP_WORDS]
        telling = (
            [word for word in telling if word.lower() not in QUESTION_WORDS] or telling or words
        )
        return list(
            _distinct((term, word) for word in telling for term in self._terms[word].split())
        )


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
