"""The lines of a result: which one stands for it, and which are shown where not all fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait.search.snippet import MAX_LINE
from plait.types import Chunk, Result

SIGNATURE_LINES = 4  # shown before anything else; some signatures have dozens
NEAR = 3  # lines between signature and window that are shown rather than left out


@dataclass(frozen=True, slots=True)
class ResultLines:
    """What can be shown of a result, by line number."""

    result: Result
    texts: dict[int, str]  # no blank lines at either end; long lines are cropped
    signature: range  # the lines up to the body, as far as they are in the chunk
    head: int  # the line that stands for the result

    @property
    def key(self) -> tuple[str, str]:
        """The file."""
        return self.result.chunk.repo, self.result.chunk.path

    def some(self, numbers: Iterable[int]) -> dict[int, str]:
        """Some of the lines."""
        return {number: self.texts[number] for number in numbers}

    def by_worth(self) -> Iterator[int]:
        """Every line: the signature, then the snippet's window onward, then what is above it."""
        yield from self.signature
        numbers = [number for number in self.texts if number not in self.signature]
        first = self.result.snippet_span.first
        if first <= self.signature.stop + NEAR:
            first = self.signature.stop
        yield from (number for number in numbers if number >= first)
        yield from (number for number in reversed(numbers) if number < first)


def lines_of(result: Result) -> ResultLines | None:
    """What can be shown of a result; None if it has no line with anything in it."""
    chunk = result.chunk
    rows = enumerate(map(_cropped, chunk.text.split("\n")), chunk.span.first)
    texts = dict(rows)
    filled = [number for number, text in texts.items() if text]
    if not filled:
        return None
    kept = {number: texts[number] for number in range(filled[0], filled[-1] + 1)}
    signature = _signature(chunk, kept)
    return ResultLines(result, kept, signature, _head(chunk, kept, signature, result))


def _cropped(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…"


def _signature(chunk: Chunk, texts: dict[int, str]) -> range:
    """The lines of the signature; none if it is not in this chunk."""
    if chunk.symbol is None or chunk.part or not chunk.symbol.signature.text:
        return range(0)
    excerpt = chunk.symbol.signature
    before = chunk.text.encode()[: max(excerpt.begin - chunk.body.begin, 0)].count(b"\n")
    first = chunk.span.first + before
    last = first + min(excerpt.text.rstrip().count("\n"), SIGNATURE_LINES - 1)
    return range(max(first, min(texts)), min(last, max(texts)) + 1)


def _head(chunk: Chunk, texts: dict[int, str], signature: range, result: Result) -> int:
    """The line of the signature with the name, or the first of the snippet that says anything."""
    if chunk.symbol:
        named = (number for number in signature if chunk.symbol.name in texts[number])
        if (found := next(named, None)) is not None:
            return found
    inside = (n for n in texts if n >= result.snippet_span.first and _says(texts[n]))
    return next(inside, next((n for n in texts if _says(texts[n])), min(texts)))


def _says(line: str) -> bool:
    """Whether there is a word in a line, not only brackets."""
    return any(map(str.isalnum, line))
