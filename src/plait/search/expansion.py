"""Expansion: words that the first results share are looked for too.

A question rarely has all the words of its answer. The words that several of the best chunks
share and few others have are likely to belong to the subject, so a second search asks for
them as well, for far less than a word that was typed (pseudo-relevance feedback after
Rocchio, 1971, with tf-idf as the worth of a word). They are guesses: each is named in the
answer and in the reasons of what it moved, and each can be refused.

A query that says exactly what it wants (one word, a phrase, a pattern, a symbol, filters
alone) is never expanded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from plait.expressions import alternatives, conjunction, conjuncts
from plait.types import (
    Chunk,
    ChunkId,
    Expression,
    Field,
    Not,
    Or,
    PathLike,
    Query,
    Refers,
    Snapshot,
    Tag,
    Term,
    Text,
)
from plait.types.notes import EXPANDED, Note

# Chosen on development questions; docs/expansion.md has the figures.
FEEDBACK = 3  # chunks whose words are considered
SHARED_BY = 2  # of them that must have a word
MOST_ADDED = 3
WEIGHT = 0.05  # of the best word; the others weigh in proportion to their worth
MAX_SHARE = 0.1  # of all chunks that may have a word; a more frequent one tells nothing
MIN_LETTERS = 3


CONDITIONS = (Tag, PathLike, Refers, Not)  # what may stand beside the words of a question


class Vocabulary(Protocol):
    """The lane that looks for words: what it knows about them."""

    @property
    def name(self) -> str: ...

    def terms(self, chunk: Chunk) -> Mapping[Field, str]:
        """The terms under which a chunk is found, space-separated."""
        ...

    def terms_with_words(self, text: str) -> Iterator[tuple[str, str]]:
        """The terms of a text, each with the word it stands for."""
        ...


class Expanded(NamedTuple):
    """A query that also looks for words that were not typed, and these words."""

    query: Query
    words: tuple[str, ...]

    @property
    def note(self) -> Note:
        """The sentence that says what was added."""
        named = ", ".join(f'"{word}"' for word in self.words)
        return Note(EXPANDED, f"also looked for {named}, which the first results share")


@dataclass(frozen=True, slots=True)
class Expansion:
    """What widens questions.

    Args:
        lane: The lane that looks for words.
        is_default: Whether a query that does not say is expanded.
    """

    lane: Vocabulary
    is_default: bool = False

    def fits(self, query: Query) -> bool:
        """Whether a query is to be expanded, being a question in words."""
        is_wanted = self.is_default if query.expand is None else query.expand
        return is_wanted and len(_question(query.wanted).split()) > 1

    def expand(self, query: Query, best: Sequence[ChunkId], snapshot: Snapshot) -> Expanded | None:
        """Widen a query by what the best chunks share; None if that is nothing of worth."""
        chunks = list(snapshot.fetch(best[:FEEDBACK]).values())
        refused = (_question(query.wanted), *query.without)
        known = {term for text in refused for term, _ in self.lane.terms_with_words(text)}
        worths = _worths([self._counts(chunk) for chunk in chunks], known, snapshot)
        if not worths:
            return None
        words = self._words([term for _, term in worths], chunks)
        top = worths[0][0]
        added = tuple(
            Term(
                term,
                weight=round(WEIGHT * worth / top, 3),
                word=f"{words[term]}, added by expansion",
            )
            for worth, term in worths
        )
        wanted = _widened(query.wanted, added)
        return Expanded(replace(query, wanted=wanted), tuple(words.values()))

    def _counts(self, chunk: Chunk) -> Counter[str]:
        return Counter(self.lane.terms(chunk)[Field.WORDS].split())

    def _words(self, terms: Iterable[str], chunks: Iterable[Chunk]) -> dict[str, str]:
        """Each term as the chunks first write it, for people to read."""
        words = dict.fromkeys(terms, "")
        missing = set(words)
        for chunk in chunks:
            for term, word in self.lane.terms_with_words(chunk.text) if missing else ():
                if term in missing:
                    words[term] = word
                    missing.remove(term)
        return {term: word or term for term, word in words.items()}


def _worths(
    counts: Sequence[Counter[str]], known: set[str], snapshot: Snapshot
) -> list[tuple[float, str]]:
    """The words of most worth that enough chunks share, best first, each with its tf-idf."""
    shared = Counter(term for each in counts for term in each)
    often = {
        term: math.fsum(1 + math.log(each[term]) for each in counts if term in each)
        for term, sharing in shared.items()
        if sharing >= SHARED_BY and len(term) >= MIN_LETTERS
        if not (term in known or term.isdecimal())
    }
    chunks = snapshot.statistics().chunks
    rarest = _rarity(SHARED_BY, chunks)
    best: list[tuple[float, str]] = []
    for term in sorted(often, key=lambda term: (-often[term], term)):
        if len(best) == MOST_ADDED and often[term] * rarest < best[-1][0]:
            break  # counting chunks costs most, and none that is left can be worth more
        (having,) = snapshot.count([Term(term)])
        if having <= max(chunks * MAX_SHARE, FEEDBACK):
            best.append((often[term] * _rarity(having, chunks), term))
            best = sorted(best, key=lambda pair: (-pair[0], pair[1]))[:MOST_ADDED]
    return best


def _rarity(having: int, chunks: int) -> float:
    return math.log(1 + (max(chunks - having, 0) + 0.5) / (having + 0.5))


def _question(wanted: Expression) -> str:
    """The free text of a query that is a question: words, and conditions at most."""
    parts = conjuncts(wanted)
    texts = [part.text for part in parts if isinstance(part, Text)]
    others = [part for part in parts if not isinstance(part, Text)]
    return texts[0] if len(texts) == 1 and all(map(_is_condition, others)) else ""


def _is_condition(part: Expression) -> bool:
    return all(isinstance(one, CONDITIONS) for one in alternatives(part))


def _widened(wanted: Expression, added: tuple[Term, ...]) -> Expression:
    """A question that is also met by what was added."""
    parts = (Or((p, *added)) if isinstance(p, Text) else p for p in conjuncts(wanted))
    return conjunction(parts)
