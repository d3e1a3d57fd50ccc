"""Answers to pack, in a few words."""

from __future__ import annotations

from collections.abc import Iterable

from plait.search.packing.pack import Pack
from plait.types import (
    Answer,
    Chunk,
    ChunkId,
    Excerpt,
    Query,
    Reason,
    Result,
    Span,
    Symbol,
    Text,
)


def result(
    rank: int,
    path: str,
    text: str,
    *,
    first: int = 1,
    name: str = "",
    signature: str = "",
    window: int = 0,
    score: float | None = None,
) -> Result:
    """A result whose chunk is ``text``; its lines begin at ``first``, its snippet at ``window``."""
    body = Excerpt(0, len(text.encode()), text)
    span = Span(first, first + text.count("\n"))
    begin = len(text[: text.find(signature)].encode()) if signature else 0
    defined = Symbol(name, "function", span, signature=Excerpt(begin, begin, signature))
    chunk = Chunk(ChunkId("own", path, 0), "python", span, body, defined if name else None)
    shown = Span(window or first, span.last)
    reason = Reason("made up", 1 / rank if score is None else score)
    return Result(rank, chunk, reason, text, shown)


def function(rank: int, path: str, name: str, lines: int, *, score: float | None = None) -> Result:
    """A result that is a function of so many lines, none of them in another function."""
    signature = f"def {name}(value):"
    rows = [signature, *(f"    {name}_{at} = value + {at}" for at in range(1, lines))]
    return result(rank, path, "\n".join(rows), name=name, signature=signature, score=score)


def answer(results: Iterable[Result], text: str = "how is it done") -> Answer:
    return Answer(Query(text, Text(text)), 1, tuple(results))


def shown(pack: Pack) -> list[tuple[str, int, str]]:
    """Path, number and text of every line, in order."""
    return [
        (file.path, number, line)
        for file in pack.files
        for span, text in file.spans
        for number, line in enumerate(text.split("\n"), start=span.first)
    ]
