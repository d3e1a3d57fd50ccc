"""Verified: phrases, patterns and globs of a query as what the word index can filter by.

The word index knows neither word order nor punctuation. A phrase is looked up by its words, a
pattern by its grams, and what is found is read. Both end as a set of chunk numbers. A pattern
that very many files may match is not looked for at all if something else ranks: the best are
found first and then checked. Work is bounded in time and count, and a search that was cut
short says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from plait.errors import QueryError
from plait.patterns.compiled import Matcher, compiled
from plait.patterns.needs import Need
from plait.patterns.plain import phrase_pattern
from plait.patterns.required import required
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.paths import PathList
from plait.types import (
    All,
    Any,
    Expression,
    Not,
    Numbers,
    PathLike,
    PathPattern,
    Paths,
    Pattern,
    Phrase,
    Term,
)

SCAN_SECONDS = 2.0  # for all phrases and patterns of a query
MAX_CHUNKS = 10_000  # candidates read for a phrase, matches kept of a pattern
MANY_FILES = 1_000  # candidates of a pattern that is rather checked in what was found
MAX_VERIFIED = 16  # different phrases, patterns and globs of one query

Files = Iterator[tuple[Layer, int]]


def matcher_of(pattern: Pattern) -> Matcher:
    """A pattern as it is matched in the text of a chunk, from one line to the next.

    Raises:
        PatternError: RE2 refuses it.
    """
    return compiled((pattern,), is_multiline=True)


@dataclass(frozen=True, slots=True)
class Check:
    """A pattern that a chunk has to match, or must not."""

    matcher: Matcher
    is_wanted: bool

    def passes(self, text: bytes) -> bool:
        """Whether a text is as it has to be."""
        return (self.matcher.find(text, 0, len(text))[0] >= 0) == self.is_wanted


@dataclass(slots=True)
class Corpus:
    """What phrases and patterns are looked for in, once each, all within one time limit."""

    files: Callable[[Need], Files]  # that may hold what is needed and may be seen
    candidates: Callable[[Expression], Iterable[tuple[int, bytes]]]  # chunks with all terms
    paths: PathList
    notes: list[str] = field(default_factory=list)  # for every search that was cut short
    checks: list[Check] = field(default_factory=list)  # for what is found by the rest
    deadline: float = field(default_factory=lambda: time.monotonic() + SCAN_SECONDS)
    known: dict[Expression, Expression] = field(default_factory=dict)

    def is_late(self, needed_s: float = 0.0) -> bool:
        """Whether time is up, or would be before something else is done."""
        return time.monotonic() + needed_s > self.deadline


def resolve_ranked(wanted: Expression, corpus: Corpus) -> Expression:
    """The same as ``resolve``, for a query that ranks what it finds: patterns that very many
    files may match become checks."""
    if not isinstance(wanted, All):
        return resolve(wanted, corpus)
    kept: list[Expression] = []
    for part in wanted.parts:
        pattern = part.part if isinstance(part, Not) else part
        if isinstance(pattern, Pattern) and _is_frequent(pattern, corpus):
            corpus.checks.append(Check(matcher_of(pattern), is_wanted=pattern is part))
        else:
            kept.append(part)
    return resolve(All(tuple(kept)), corpus)


def _is_frequent(pattern: Pattern, corpus: Corpus) -> bool:
    matcher_of(pattern)  # what is no pattern is refused first
    return len(list(islice(corpus.files(_need(pattern)), MANY_FILES))) == MANY_FILES


def _need(pattern: Pattern) -> Need:
    return required(pattern.regex, ignore_case=pattern.ignore_case, is_multiline=True)


def resolve(wanted: Expression, corpus: Corpus) -> Expression:
    """The expression with every phrase, pattern and glob replaced by what holds it.

    Raises:
        QueryError: It has more of them than a search can bear.
    """
    match wanted:
        case Phrase() | Pattern() | PathLike() | PathPattern():
            if wanted not in corpus.known:
                if len(corpus.known) >= MAX_VERIFIED:
                    raise QueryError(
                        f"a query has at most {MAX_VERIFIED} phrases, patterns and path patterns"
                    )
                corpus.known[wanted] = _resolved(wanted, corpus)
            return corpus.known[wanted]
        case All(parts):
            return All(tuple(resolve(part, corpus) for part in parts))
        case Any(parts):
            return Any(tuple(resolve(part, corpus) for part in parts))
        case Not(part):
            return Not(resolve(part, corpus))
        case _:
            return wanted


def _resolved(wanted: Phrase | Pattern | PathLike | PathPattern, corpus: Corpus) -> Expression:
    match wanted:
        case PathLike() | PathPattern():
            return Paths(corpus.paths.meant(wanted))
        case Phrase(terms=terms) if terms:
            return _holding(wanted, tuple(Term(term) for term in terms), corpus)
        case Phrase():
            return _matching(phrase_pattern(wanted), corpus)
        case Pattern():
            return _matching(wanted, corpus)


def _holding(phrase: Phrase, words: tuple[Term, ...], corpus: Corpus) -> Expression:
    """The chunks that hold a phrase, ranked by its words."""
    matcher = matcher_of(phrase_pattern(phrase))
    read, numbers = 0, []
    for number, text in corpus.candidates(All(words)):
        if read >= MAX_CHUNKS or (read % 100 == 99 and corpus.is_late()):
            is_cut = True
            break
        read += 1
        if matcher.find(text, 0, len(text))[0] >= 0:
            numbers.append(number)
    else:
        is_cut = False
    if is_cut:
        corpus.notes.append(
            f'the phrase "{phrase.text}" was looked for in the best {read:,} chunks that hold '
            "its words; results are partial"
        )
    return All((Numbers(tuple(numbers)), Any(words)))


def _matching(pattern: Pattern, corpus: Corpus) -> Numbers:
    """The chunks in which a pattern matches."""
    matcher = matcher_of(pattern)
    numbers: list[int] = []
    for layer, row in corpus.files(_need(pattern)):
        begin, end = layer.extent(row)
        if corpus.is_late((end - begin) * matcher.byte_s) or len(numbers) >= MAX_CHUNKS:
            limit = "time" if len(numbers) < MAX_CHUNKS else f"first {MAX_CHUNKS:,} chunks"
            corpus.notes.append(
                f"the pattern /{pattern.regex}/ was not looked for everywhere "
                f"(limit: {limit}); results are partial"
            )
            break
        numbers.extend(_matching_chunks(matcher, layer, row))
    return Numbers(tuple(sorted(set(numbers))))


def _matching_chunks(matcher: Matcher, layer: Layer, file_row: int) -> Iterator[int]:
    """Numbers of the chunks of a file that match, each read by itself."""
    content = layer.content(file_row)
    if not matcher.has_text_anchors and matcher.find(content, 0, len(content))[0] < 0:
        return  # what a chunk holds, its file holds
    for row in layer.chunk_rows(file_row):
        chunk = layer.chunk_row(row)
        text = content[chunk.begin : chunk.begin + chunk.size]
        if matcher.find(text, 0, len(text))[0] >= 0:
            yield layer.number(row)
