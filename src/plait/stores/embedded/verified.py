"""Verified: phrases, patterns and globs of a query as what the word index can filter by.

A phrase is looked up by its words, a pattern by its grams, and what is found is read. Both end as
a set of chunk numbers. Work is bounded in time and count, and a search that was cut short says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import inf

from plait.patterns.compiled import Matcher
from plait.patterns.needs import Need
from plait.patterns.plain import phrase_pattern
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.paths import PathList
from plait.stores.resolved import Numbers, Paths
from plait.stores.verifying import (
    MAX_CHUNKS,
    Check,
    matcher_of,
    need_of,
    pattern_is_cut,
    phrase_is_cut,
    scan_deadline,
)
from plait.types import And, Expression, Or, PathLike, PathPattern, Pattern, Phrase, Term
from plait.types.notes import Note

SCAN_SECONDS = 2.0  # for all phrases and patterns of a query
MANY_FILES = 1_000  # candidates of a pattern that is rather checked in what was found

Files = Iterator[tuple[Layer, int]]


@dataclass(slots=True)
class Corpus:
    """What phrases and patterns are looked for in, once each, all within one time limit."""

    files: Callable[[Need], Files]  # that may hold what is needed and may be seen
    candidates: Callable[[Expression], Iterable[tuple[int, bytes]]]  # chunks with all terms
    paths: PathList
    notes: list[Note] = field(default_factory=list)  # for every search that was cut short
    checks: list[Check] = field(default_factory=list)  # for what is found by the rest
    until: float = inf  # that the search may take
    deadline: float = field(init=False)
    known: dict[Expression, Expression] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.deadline = scan_deadline(SCAN_SECONDS, self.until)

    def is_late(self, needed_s: float = 0.0) -> bool:
        """Whether time is up, or would be before something else is done."""
        return time.monotonic() + needed_s > self.deadline

    def is_verified(self, leaf: Expression) -> bool:
        return isinstance(leaf, Phrase | Pattern | PathLike | PathPattern)

    def is_frequent(self, pattern: Pattern) -> bool:
        return len(list(islice(self.files(need_of(pattern)), MANY_FILES))) == MANY_FILES

    def holding(self, phrase: Phrase, words: tuple[Term, ...]) -> Expression:
        matcher = matcher_of(phrase_pattern(phrase))
        read, numbers = 0, []
        for number, text in self.candidates(And(words)):
            if read >= MAX_CHUNKS or (read % 100 == 99 and self.is_late()):
                is_cut = True
                break
            read += 1
            if matcher.holds(text):
                numbers.append(number)
        else:
            is_cut = False
        if is_cut:
            self.notes.append(phrase_is_cut(phrase, read))
        return And((Numbers(tuple(numbers)), Or(words)))

    def matching(self, pattern: Pattern) -> Numbers:
        matcher = matcher_of(pattern)
        numbers: list[int] = []
        for layer, row in self.files(need_of(pattern)):
            begin, end = layer.extent(row)
            if self.is_late((end - begin) * matcher.byte_s) or len(numbers) >= MAX_CHUNKS:
                self.notes.append(pattern_is_cut(pattern, len(numbers)))
                break
            numbers.extend(_matching_chunks(matcher, layer, row))
        return Numbers(tuple(sorted(set(numbers))))

    def located(self, leaf: Expression) -> Paths:
        assert isinstance(leaf, PathLike | PathPattern)
        return Paths(self.paths.meant(leaf))


def _matching_chunks(matcher: Matcher, layer: Layer, file_row: int) -> Iterator[int]:
    """Numbers of the chunks of a file that match, each read by itself."""
    content = layer.content(file_row)
    if not matcher.has_text_anchors and not matcher.holds(content):
        return  # what a chunk holds, its file holds
    for row in layer.chunk_rows(file_row):
        chunk = layer.chunk_row(row)
        text = content[chunk.begin : chunk.begin + chunk.size]
        if matcher.holds(text):
            yield layer.number(row)
