"""Words: the parts that identifiers are made of, stems, and words that say nothing.

Both halves of a search cut text the same way: what is stored of code, and what is asked.
"""

from __future__ import annotations

import re

from Stemmer import Stemmer

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


class Stems(dict[str, str]):
    """The stem of a lower-cased part, "" if it is too long, computed when first asked for."""

    def __init__(self, *, stemming: bool) -> None:
        self._stem = Stemmer("english", 0).stemWord if stemming else str

    def __missing__(self, part: str) -> str:
        stem: str = self._stem(part) if len(part) <= MAX_TERM else ""
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[part] = stem
        return stem


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
