"""Patterns: phrases and regular expressions, verified on the stored text.

The word index knows neither word order nor punctuation. A phrase is looked up by its words
and then read; a pattern is searched for in every file, by RE2, so that no pattern can take
exponential time. Both end as a set of chunk numbers that the word index can filter by. Work
is bounded in time and count, and a search that was cut short says so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import re2

from plait.errors import PatternError
from plait.stores.embedded.layer import Layer
from plait.types import All, Any, Expression, Not, Numbers, Pattern, Phrase, Term

SCAN_SECONDS = 2.0
MAX_CHUNKS = 10_000  # candidates read for a phrase, matches kept of a pattern
MAX_PATTERN_BYTES = 1_000
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


def resolve(
    wanted: Expression,
    layers: Sequence[Layer],
    candidates: Callable[[Expression], Iterable[tuple[int, bytes]]],
    notes: list[str],
) -> Expression:
    """The expression with every phrase and pattern replaced by the chunks that hold it.

    Args:
        candidates: Finds chunks by terms: their numbers and texts.
        notes: Gets a sentence for every search that was cut short.
    """
    match wanted:
        case Phrase(terms=terms) if terms:
            regex = compiled(phrase_pattern(wanted))
            words = tuple(Term(term) for term in terms)
            found = candidates(All(words))
            holding = Numbers(tuple(number for number, text in found if regex.search(text)))
            return All((holding, Any(words)))
        case Phrase():
            return _scanned(phrase_pattern(wanted), layers, notes)
        case Pattern():
            return _scanned(wanted, layers, notes)
        case All(parts):
            return All(tuple(resolve(part, layers, candidates, notes) for part in parts))
        case Any(parts):
            return Any(tuple(resolve(part, layers, candidates, notes) for part in parts))
        case Not(part):
            return Not(resolve(part, layers, candidates, notes))
        case _:
            return wanted


def _scanned(pattern: Pattern, layers: Sequence[Layer], notes: list[str]) -> Numbers:
    regex = compiled(pattern)
    deadline = time.monotonic() + SCAN_SECONDS
    files = [(layer, row) for layer in layers for row in layer.file_rows()]
    numbers: list[int] = []
    for scanned, (layer, row) in enumerate(files):
        if time.monotonic() > deadline or len(numbers) >= MAX_CHUNKS:
            limit = "time" if len(numbers) < MAX_CHUNKS else f"first {MAX_CHUNKS:,} chunks"
            notes.append(
                f"the pattern /{pattern.regex}/ was looked for in {scanned:,} of {len(files):,} "
                f"files (limit: {limit}); results are partial"
            )
            break
        numbers.extend(_matching_chunks(regex, layer, row))
    return Numbers(tuple(sorted(set(numbers))))


def _matching_chunks(regex: re2._Regexp, layer: Layer, file_row: int) -> Iterator[int]:
    content = bytes(layer.content(file_row))
    position = 0
    while position <= len(content):
        match = regex.search(content, position)
        if match is None:
            return
        row = layer.chunk_at(file_row, match.start())
        yield layer.numbers[row]
        position = max(layer.chunk_end(row), match.start() + 1)
