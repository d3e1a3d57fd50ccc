"""Verifying: phrases and patterns of a query, replaced by what a store found to hold them.

No word index knows word order or punctuation. A store looks phrases and patterns up by words and
grams, reads what it finds, and filters by the result. A pattern that very many files may match is
not looked for at all if something else ranks: the best are found first and then checked.
"""

from __future__ import annotations

import time
from typing import NamedTuple, Protocol

from plait.errors import OutOfTime, QueryError
from plait.expressions import mapped
from plait.patterns.compiled import Matcher, compiled
from plait.patterns.needs import Need
from plait.patterns.plain import phrase_pattern
from plait.patterns.required import required
from plait.types import And, Expression, Not, Pattern, Phrase, Term
from plait.types.notes import CUT, NO_VECTORS, Note

MAX_CHUNKS = 10_000  # candidates read for a phrase, matches kept of a pattern
MAX_VERIFIED = 16  # different phrases and patterns of one query


def expect_time(until: float) -> None:
    """Refuse to begin what nobody waits for any more.

    Raises:
        OutOfTime: It is too late.
    """
    if time.monotonic() >= until:
        raise OutOfTime("the time for this search was over before the index was asked")


def scan_deadline(scan_s: float, until: float) -> float:
    """When reading for phrases and patterns ends: after its own time, or with the search."""
    return min(time.monotonic() + scan_s, until)


def matcher_of(pattern: Pattern) -> Matcher:
    """A pattern as it is matched in the text of a chunk, from one line to the next.

    Raises:
        PatternError: RE2 refuses it.
    """
    return compiled((pattern,), is_multiline=True)


def need_of(pattern: Pattern) -> Need:
    """The grams of a file in which a pattern may match."""
    return required(pattern.regex, ignore_case=pattern.ignore_case, is_multiline=True)


class Check(NamedTuple):
    """A pattern that a chunk has to match, or must not."""

    matcher: Matcher
    is_wanted: bool

    def passes(self, text: bytes) -> bool:
        """Whether a text is as it has to be."""
        return self.matcher.holds(text) == self.is_wanted


class Corpus(Protocol):
    """What phrases and patterns of one query are looked for in, once each."""

    notes: list[Note]  # for every search that was cut short
    checks: list[Check]  # for what is found by the rest
    known: dict[Expression, Expression]

    def is_verified(self, leaf: Expression) -> bool:
        """Whether the index cannot filter by this itself."""

    def is_frequent(self, pattern: Pattern) -> bool:
        """Whether very many files may match."""

    def holding(self, phrase: Phrase, words: tuple[Term, ...]) -> Expression:
        """The chunks that hold a phrase, ranked by its words."""

    def matching(self, pattern: Pattern) -> Expression:
        """The chunks in which a pattern matches."""

    def located(self, leaf: Expression) -> Expression:
        """The paths that are meant."""


def resolve_ranked(wanted: Expression, corpus: Corpus) -> Expression:
    """The same as ``resolve``, for a query that ranks what it finds: patterns that very many
    files may match become checks."""
    if not isinstance(wanted, And):  # it would be a check of everything
        return resolve(wanted, corpus)
    kept: list[Expression] = []
    for part in wanted.parts:
        pattern = part.part if isinstance(part, Not) else part
        if isinstance(pattern, Pattern) and _is_frequent(pattern, corpus):
            corpus.checks.append(Check(matcher_of(pattern), is_wanted=pattern is part))
        else:
            kept.append(part)
    return resolve(And(tuple(kept)), corpus)


def _is_frequent(pattern: Pattern, corpus: Corpus) -> bool:
    matcher_of(pattern)  # what is no pattern is refused first
    return corpus.is_frequent(pattern)


def resolve(wanted: Expression, corpus: Corpus) -> Expression:
    """The expression with everything that has to be verified replaced by what holds it.

    Raises:
        QueryError: It has more of that than a search can bear.
    """
    return mapped(wanted, lambda leaf: _resolved(leaf, corpus))


def _resolved(leaf: Expression, corpus: Corpus) -> Expression:
    if not corpus.is_verified(leaf):
        return leaf
    if leaf not in corpus.known:
        if len(corpus.known) >= MAX_VERIFIED:
            raise QueryError(
                f"a query has at most {MAX_VERIFIED} phrases, patterns and path patterns"
            )
        corpus.known[leaf] = _looked_up(leaf, corpus)
    return corpus.known[leaf]


def _looked_up(leaf: Expression, corpus: Corpus) -> Expression:
    match leaf:
        case Phrase(terms=terms) if terms:
            return corpus.holding(leaf, tuple(Term(term) for term in terms))
        case Phrase():
            return corpus.matching(phrase_pattern(leaf))
        case Pattern():
            return corpus.matching(leaf)
        case _:
            return corpus.located(leaf)


def phrase_is_cut(phrase: Phrase, read: int) -> Note:
    """What to say if a phrase was not looked for in all chunks that have its words."""
    told = (
        f'the phrase "{phrase.text}" was looked for in the best {read:,} chunks that hold '
        "its words; results are partial"
    )
    return Note(CUT, told)


def pattern_is_cut(pattern: Pattern, found: int) -> Note:
    """What to say if a pattern was not looked for in all files that may match."""
    limit = "time" if found < MAX_CHUNKS else f"first {MAX_CHUNKS:,} chunks"
    told = (
        f"the pattern /{pattern.regex}/ was not looked for everywhere "
        f"(limit: {limit}); results are partial"
    )
    return Note(CUT, told)


def checks_are_cut(checked: int) -> Note:
    """What to say if too few of those that were checked passed."""
    told = f"only the best {checked:,} chunks were checked for the pattern; results are partial"
    return Note(CUT, told)


def vectors_are_missing(missing: int, chunks: int) -> Note:
    """What to say if not all chunks that may be seen can be found by meaning."""
    told = (
        f"{missing:,} of {chunks:,} chunks have no vector yet; they were looked for by words alone"
    )
    return Note(NO_VECTORS, told)
