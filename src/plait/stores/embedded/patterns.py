"""Patterns: phrases and regular expressions, verified on the stored text.

The word index knows neither word order nor punctuation. A phrase is looked up by its words
and then read; a pattern is searched for in every file, by RE2, so that no pattern can take
exponential time. Both end as a set of chunk numbers that the word index can filter by. Work
is bounded in time and count, and a search that was cut short says so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import re2

from plait.errors import PatternError, QueryError
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
MAX_VERIFIED = 16  # different phrases, patterns and globs of one query
MAX_PATTERN_BYTES = 1_000
TEXT_ANCHORS = (r"\A", r"\z", "-m")  # what may match at a chunk's edge but not in its file
MAX_MEMORY = 64 << 20  # of RE2's automata


def compiled(pattern: Pattern) -> re2._Regexp:
    """A pattern as RE2 runs it: over bytes, ``^`` and ``$`` at lines.

    Raises:
        PatternError: RE2 refuses it.
    """
    if len(pattern.regex) > MAX_PATTERN_BYTES:
        raise PatternError(
            f"the pattern has {len(pattern.regex)} characters, "
            f"at most {MAX_PATTERN_BYTES} are allowed"
        )
    options = re2.Options()
    options.case_sensitive = not pattern.ignore_case
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    try:
        return re2.compile(b"(?m)" + pattern.regex.encode(), options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if error.args else error
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise PatternError(
            f"not a pattern RE2 accepts: /{pattern.regex}/ ({text})",
            hint="look-around and back-references are not supported; "
            "quote the text to search for it as it is",
        ) from error


def phrase_pattern(phrase: Phrase) -> Pattern:
    """A phrase as a pattern: its words in order, any white space between them."""
    return Pattern(r"\s+".join(re.escape(word) for word in phrase.text.split()), ignore_case=True)


@dataclass(slots=True)
class Corpus:
    """What phrases and patterns are looked for in, once each, all within one time limit."""

    files: Callable[[], list[tuple[Layer, int]]]  # only what the search may see
    candidates: Callable[[Expression], Iterable[tuple[int, bytes]]]  # chunks with all terms
    paths: PathList
    notes: list[str] = field(default_factory=list)  # for every search that was cut short
    deadline: float = field(default_factory=lambda: time.monotonic() + SCAN_SECONDS)
    known: dict[Expression, Expression] = field(default_factory=dict)


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
            return _scanned(phrase_pattern(wanted), corpus)
        case Pattern():
            return _scanned(wanted, corpus)


def _holding(phrase: Phrase, words: tuple[Term, ...], corpus: Corpus) -> Expression:
    """The chunks that hold a phrase, ranked by its words."""
    regex = compiled(phrase_pattern(phrase))
    read, numbers = 0, []
    for number, text in corpus.candidates(All(words)):
        if read >= MAX_CHUNKS or (read % 100 == 99 and time.monotonic() > corpus.deadline):
            is_cut = True
            break
        read += 1
        if regex.search(text):
            numbers.append(number)
    else:
        is_cut = False
    if is_cut:
        corpus.notes.append(
            f'the phrase "{phrase.text}" was looked for in the best {read:,} chunks that hold '
            "its words; results are partial"
        )
    return All((Numbers(tuple(numbers)), Any(words)))


def _scanned(pattern: Pattern, corpus: Corpus) -> Numbers:
    regex = compiled(pattern)
    is_anchored = any(mark in pattern.regex for mark in TEXT_ANCHORS)
    files = corpus.files()
    numbers: list[int] = []
    for scanned, (layer, row) in enumerate(files):
        if time.monotonic() > corpus.deadline or len(numbers) >= MAX_CHUNKS:
            limit = "time" if len(numbers) < MAX_CHUNKS else f"first {MAX_CHUNKS:,} chunks"
            corpus.notes.append(
                f"the pattern /{pattern.regex}/ was looked for in {scanned:,} of {len(files):,} "
                f"files (limit: {limit}); results are partial"
            )
            break
        numbers.extend(_matching_chunks(regex, layer, row, is_anchored=is_anchored))
    return Numbers(tuple(sorted(set(numbers))))


def _matching_chunks(
    regex: re2._Regexp, layer: Layer, file_row: int, *, is_anchored: bool
) -> Iterator[int]:
    """Numbers of the chunks of a file that match, each read by itself."""
    content = bytes(layer.content(file_row))
    if not is_anchored and regex.search(content) is None:
        return  # what a chunk holds, its file holds
    for row in layer.chunk_rows(file_row):
        chunk = layer.chunk_row(row)
        if regex.search(content[chunk.begin : chunk.begin + chunk.size]):
            yield layer.number(row)
