"""Snippets: the few lines of a chunk that show why it was found."""

from __future__ import annotations

import re

from plait.types import Chunk, Span

LINES = 12
WORD = re.compile(r"\w{3,}")
ENDING = 2  # letters an inflected form may differ by: "timeouts" is shown by "timeout"


def roots(text: str) -> tuple[str, ...]:
    """The beginnings of a question's words, by which lines are told apart."""
    words = {word.lower() for word in WORD.findall(text)}
    return tuple({word[: max(3, len(word) - ENDING)] for word in words})


def snippet(chunk: Chunk, sought: tuple[str, ...]) -> tuple[str, Span]:
    """The window of a chunk's lines with the most different sought words, and where it is."""
    lines = chunk.text.rstrip().split("\n")
    if len(lines) <= LINES:
        return "\n".join(lines), Span(chunk.span.first, chunk.span.first + len(lines) - 1)
    found = [frozenset(root for root in sought if root in line.lower()) for line in lines]
    best, start = -1, 0
    for first in range(len(lines) - LINES + 1):
        if first and not found[first + LINES - 1]:
            continue  # nothing new came in
        kinds = len(frozenset().union(*found[first : first + LINES]))
        if kinds > best:
            best, start = kinds, first
    first = chunk.span.first + start
    return "\n".join(lines[start : start + LINES]), Span(first, first + LINES - 1)
