"""Packing: so many tokens, filled with the lines of an answer that say most.

1.  The line that stands for each result, best first, for a share of the tokens: whoever reads
    knows where else to look.
2.  Bodies of the results that score well, best first, each at most a share of what is left, so
    that a long first result leaves room for the second. Where a body does not fit: its signature
    and the lines with the words looked for. Then those that were cut go on.
3.  Further heads, if there is still room.

A result that repeats what stands in other files keeps its head alone; no line is taken twice. If
a name was asked for and one place defines it, that is the answer and little else is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plait.errors import SettingError
from plait.search.packing.lines import ResultLines, lines_of
from plait.search.packing.shelf import Form, Shelf, runs
from plait.types import Answer, Result, Span

# Chosen on the tuning half of agent63: docs/decisions/0027-packing.md has the figures.
TOKENS_PER_RESULT = 50
LEAST_RESULTS, MOST_RESULTS = 10, 60
HEADS_SHARE = 0.5  # of the tokens, for the first heads
BODY_SHARE = 0.5  # of what is left, for one body
BODY_SCORE = 0.3  # a result with a body scores so well, from the last result's 0 to the first's 1
LEAST_BODY = 3  # lines; fewer say no more than the head
REPEATED = 0.8  # the share of a body's lines that stand elsewhere
SURE_RESULTS = 3  # that are packed if the first defines what was asked for
PARTS = re.compile(r"::|[.#/\\]")


class PackedSpan(NamedTuple):
    """Lines that follow each other."""

    span: Span
    text: str


class PackedFile(NamedTuple):
    """The lines of one file, in order."""

    repo: str
    path: str
    language: str
    spans: tuple[PackedSpan, ...]

    @property
    def is_row(self) -> bool:
        """Whether there is only one line of it."""
        return len(self.spans) == 1 and self.spans[0].span.first == self.spans[0].span.last


@dataclass(frozen=True, slots=True)
class Pack:
    """What fits: the files of which more than a line is shown, then the others; best first."""

    files: tuple[PackedFile, ...]
    tokens: int  # what they cost, by the count that was given
    left_out: int  # results of which nothing is shown
    least: int = 0  # if nothing fits: the tokens that the first result needs


def pool(tokens: int) -> int:
    """How many results to ask for in order to fill so many tokens."""
    return max(LEAST_RESULTS, min(MOST_RESULTS, tokens // TOKENS_PER_RESULT))


def pack(answer: Answer, tokens: int, form: Form | None = None) -> Pack:
    """Fill so many tokens with the most telling lines of an answer.

    Args:
        answer: With as many results as ``pool`` says, or what there is.
        tokens: How much there is room for.
        form: How the lines will be printed, and what counts tokens.

    Raises:
        SettingError: ``tokens`` is not at least 1.
    """
    if tokens < 1:
        raise SettingError(f"tokens must be at least 1, got {tokens}")
    results, bodies = answer.results, len(answer.results)
    if is_sure(answer.query.text, results):
        results, bodies = results[:SURE_RESULTS], 1
    given = [lines for result in results if (lines := lines_of(result))]
    shelf = Shelf(form or Form(), tokens)
    _take_heads(given, shelf, int(tokens * HEADS_SHARE))
    if not shelf.taken:
        _take_heads(given[:1], shelf, tokens)
    if shelf.taken:
        _take_bodies(given[:bodies], shelf)
        _take_heads(given, shelf, tokens)
    return _packed(given, shelf)


def is_sure(text: str, results: Sequence[Result]) -> bool:
    """Whether a text is a name that the first result defines, and no other does."""
    if len(text.split()) != 1:
        return False
    name = PARTS.split(text.strip())[-1]
    defining = [
        result.rank
        for result in results
        if result.chunk.symbol and not result.chunk.part and result.chunk.symbol.name == name
    ]
    return defining == [1]


def _take_heads(given: Sequence[ResultLines], shelf: Shelf, within: int) -> None:
    """Begin files with a line each, best first, until so many tokens are spent."""
    for lines in given:
        if lines.key not in shelf.taken:
            head = {lines.head: lines.texts[lines.head]}
            if not shelf.take(lines.key, head, within - shelf.spent):
                return


def _take_bodies(given: Sequence[ResultLines], shelf: Shelf) -> None:
    """Take the bodies of what scores well: first a share each, then what is left."""
    for share in (BODY_SHARE, 1.0):
        for lines in _worth_a_body(given):
            if not _is_repeated(lines, shelf):
                _take_body(lines, shelf, int(shelf.left * share))


def _worth_a_body(given: Sequence[ResultLines]) -> Sequence[ResultLines]:
    """The results that score well; all if they are too few to tell."""
    if len(given) < LEAST_RESULTS:
        return given
    scores = [lines.result.score for lines in given]
    least = min(scores) + BODY_SCORE * (max(scores) - min(scores))
    return [lines for lines in given if lines.result.score >= least]


def _take_body(lines: ResultLines, shelf: Shelf, allowance: int) -> None:
    """Take a result whole, or as many of its lines as are allowed, the most telling first."""
    if shelf.take(lines.key, lines.texts, allowance):
        return
    order = list(lines.by_worth())
    fitting, too_many = LEAST_BODY - 1, len(order)
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if shelf.costs(lines.key, lines.some(order[:middle])) <= allowance:
            fitting = middle
        else:
            too_many = middle
    if fitting >= LEAST_BODY:
        shelf.take(lines.key, lines.some(order[:fitting]), allowance)


def _is_repeated(lines: ResultLines, shelf: Shelf) -> bool:
    own = [text for text in lines.texts.values() if text]
    repeated = sum(shelf.has_elsewhere(lines.key, text) for text in own)
    return repeated >= REPEATED * len(own)


def _packed(given: Sequence[ResultLines], shelf: Shelf) -> Pack:
    languages = {lines.key: lines.result.chunk.language for lines in given}
    files = [
        PackedFile(*key, languages[key], tuple(_spans(taken))) for key, taken in shelf.taken.items()
    ]
    files.sort(key=lambda file: file.is_row)  # otherwise their order stays
    left_out = sum(lines.texts.keys().isdisjoint(shelf.taken.get(lines.key, ())) for lines in given)
    if given and not files:
        first = given[0]
        return Pack((), 0, left_out, shelf.needed(first.key, first.some([first.head])))
    return Pack(tuple(files), shelf.spent, left_out)


def _spans(taken: Mapping[int, str]) -> Iterator[PackedSpan]:
    for span in runs(taken):
        lines = (taken[number] for number in range(span.first, span.last + 1))
        yield PackedSpan(span, "\n".join(lines))
