"""Snippets: the few lines of a chunk that show why it was found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from plait.types import Chunk, Span

LINES = 12
MAX_LINE = 500  # letters of a line; data on one line would bury the page
OCCURRENCES = 8  # of a word that are looked at: enough to choose a window


def snippet(chunk: Chunk, roots: Sequence[str]) -> tuple[str, Span]:
    """The window of a chunk's lines with the most different roots, and where it is."""
    text = chunk.text.rstrip()
    first, last = chunk.span.first, chunk.span.first + text.count("\n")
    lines, start = text.split("\n"), 0
    if last - first >= LINES:
        lowered = text.lower()
        opening = lowered[: _end_of_line(lowered, LINES)]
        # The beginning, where the signature is, unless another window shows more words.
        if any(root in lowered and root not in opening for root in roots):
            start = min(_best_start(lowered, roots), len(lines) - LINES)
        lines = lines[start : start + LINES]
    if len(text) > MAX_LINE:
        lines = [line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}…" for line in lines]
    return "\n".join(lines), Span(first + start, first + start + len(lines) - 1)


def _end_of_line(text: str, count: int) -> int:
    """Where the first lines of a text end."""
    end = -1
    for _ in range(count):
        end = text.find("\n", end + 1)
    return end


def _best_start(text: str, roots: Sequence[str]) -> int:
    """The line from which a window shows the most different words; the first of equals."""
    words: dict[int, int] = {}  # line to the words in it, one bit each
    for bit, root in enumerate(roots):
        for line in _lines(text, root):
            words[line] = words.get(line, 0) | 1 << bit

    rows = sorted(words)
    occurring = reduce(or_, words.values(), 0)

    def shown(start: int) -> int:
        seen = 0
        for row in rows[bisect_left(rows, start) : bisect_left(rows, start + LINES)]:
            seen |= words[row]
        return seen.bit_count()

    best, most = 0, shown(0)
    for row in rows:
        if most == occurring.bit_count():
            break
        if (count := shown(row)) > most:
            best, most = row, count
    return best


def _lines(text: str, root: str) -> Iterator[int]:
    """The first lines a root occurs in, rising from 0."""
    line = position = 0
    for _ in range(OCCURRENCES):
        found = text.find(root, position)
        if found < 0:
            return
        line += text.count("\n", position, found)
        yield line
        end = text.find("\n", found)
        if end < 0:
            return
        position, line = end + 1, line + 1
