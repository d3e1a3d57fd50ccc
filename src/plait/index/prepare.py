"""Prepare: a file into the entries a store takes, inside a worker process.

The worker parses, cuts and analyses; what comes back is plain JSON by place in the file,
so that the parent need not trust it with anything but numbers and names. The same module
is both ends of that conversation: ``prepared`` asks, ``main`` answers.

What there is most of, links and terms, comes as lines of text behind the JSON: neither
holds a line break, and a long text is cut into lines far sooner than a list is read.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from plait.errors import WorkerLost
from plait.index.losses import Losses, untried
from plait.lanes.lexical import FieldWeights, Lexical
from plait.symbols.grammars import GRAMMARS
from plait.symbols.nesting import MAX_DEPTH, is_too_deep
from plait.symbols.parse import parse, windows
from plait.symbols.strip import stripped
from plait.symbols.workers import Message, Worker, serve
from plait.types import (
    NOTHING,
    Change,
    Chunk,
    ChunkId,
    Entry,
    Excerpt,
    Field,
    Links,
    SourceFile,
    Span,
    Symbol,
)

MODULE = "plait.index.prepare"
FIELDS = tuple(Field)
CHUNK_NUMBERS = 6
TOO_DEEP = f"its brackets nest more than {MAX_DEPTH:,} deep"


class Prepared(NamedTuple):
    """A file ready to commit, and how its parse went."""

    change: Change
    has_errors: bool  # the syntax was not sound everywhere
    as_text: str = ""  # why it is indexed as plain text; "" if it was parsed
    was_lost: bool = False  # its parser had to be killed or died; that is why


def prepared(
    worker: Worker,
    file: SourceFile,
    lexical: Lexical,
    *,
    comments: bool = True,
    losses: Losses | None = None,
) -> Prepared:
    """Have a worker prepare a file; if it dies over it, have the file cut without parsing.

    Without ``comments`` the file's comments and docstrings are blanked by its syntax first,
    and its content comes back so; a file that is not parsed keeps them. What ``losses`` its
    language has had decides whether it is parsed at all.

    Raises:
        WorkerLost: Even cutting it into lines failed, or the answer made no sense.
    """
    losses = losses or Losses()
    as_text = untried(file.language) if losses.are_too_many(file.language) else ""
    was_lost = False
    began = time.monotonic()
    try:
        wanted = request(file, lexical, is_plain=bool(as_text), comments=comments or bool(as_text))
        reply = worker.ask(wanted)
    except WorkerLost as lost:
        if as_text:
            raise
        as_text, was_lost = lost.cause, True
        reply = worker.ask(request(file, lexical, is_plain=True))
        losses.add(file.language, time.monotonic() - began)  # starting another worker included
    try:
        if reply.value["deep"]:
            as_text = TOO_DEEP
        if not comments and not as_text:
            file = replace(file, content=reply.payload[: reply.value["content"]])
        made, has_errors = entries(file, reply), bool(reply.value["errors"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise WorkerLost(f"a parse worker answered out of shape: {error!r}") from error
    return Prepared(Change(file.repo, file.path, file, made), has_errors, as_text, was_lost)


def request(
    file: SourceFile, lexical: Lexical, *, is_plain: bool, comments: bool = True
) -> Message:
    """What a worker is asked for a file."""
    return Message(
        {
            "repo": file.repo,
            "path": file.path,
            "language": file.language,
            "title": file.title,
            "plain": is_plain,
            "comments": comments,
            "lexical": _written(lexical),
        },
        file.content,
    )


@cache
def _written(lexical: Lexical) -> str:
    return json.dumps(asdict(lexical))


# ---------------------------------------------------------------- the worker's side


@cache
def _lexical(written: str) -> Lexical:
    options = json.loads(written)
    return Lexical(**{**options, "weights": FieldWeights(**options["weights"])})


def answer(message: Message) -> Message:
    """Parse, cut and analyse one file."""
    asked = message.value
    content = message.payload
    is_deep = not asked["plain"] and asked["language"] in GRAMMARS and is_too_deep(content)
    keeps_comments = asked["comments"] or is_deep
    if not keeps_comments:
        content = stripped(asked["language"], content)
    file = SourceFile(
        asked["repo"], asked["path"], asked["language"], content, "", title=asked["title"]
    )
    lexical = _lexical(asked["lexical"])
    found = windows(file) if asked["plain"] or is_deep else parse(file)
    symbols: dict[int, int] = {}
    symbol_rows: list[list[Any]] = []
    numbers: list[int] = []  # CHUNK_NUMBERS of each chunk
    lines: list[str] = []  # the links of a chunk, then its terms by field
    for chunk, links in zip(found.chunks, found.links, strict=True):
        at = -1
        if chunk.symbol is not None:
            at = symbols.setdefault(id(chunk.symbol), len(symbol_rows))
            if at == len(symbol_rows):
                symbol_rows.append(_symbol_row(chunk.symbol))
        begin, end, _ = chunk.body
        numbers += (*chunk.span, begin, end, at, chunk.part)
        lines.append(links.text)
        terms = lexical.terms(chunk)
        lines += [terms.get(field, "") for field in FIELDS]
    head = b"" if keeps_comments else content
    value = {
        "chunks": numbers,
        "symbols": symbol_rows,
        "errors": found.has_errors,
        "deep": is_deep,
        "content": len(head),
    }
    return Message(value, head + "\n".join(lines).encode("utf-8", "surrogatepass"))


def _symbol_row(symbol: Symbol) -> list[Any]:
    return [
        symbol.name,
        symbol.kind,
        *symbol.span,
        symbol.container,
        symbol.signature.begin,
        symbol.signature.end,
        symbol.docstring.begin,
        symbol.docstring.end,
        symbol.n,
    ]


# ---------------------------------------------------------------- the parent's side


def entries(file: SourceFile, reply: Message) -> tuple[Entry, ...]:
    """What a worker answered, as entries of the file's own text.

    Raises:
        KeyError, TypeError, ValueError, IndexError: It makes no sense.
    """
    content, value = file.content, reply.value

    def excerpt(begin: int, end: int) -> Excerpt:
        return Excerpt(begin, end, content[begin:end].decode()) if end else NOTHING

    symbols = [
        Symbol(name, kind, Span(first, last), container, excerpt(s0, s1), excerpt(d0, d1), n)
        for name, kind, first, last, container, s0, s1, d0, d1, n in value["symbols"]
    ]
    repo, path, language, tags = file.repo, file.path, file.language, file.tags
    numbers = iter(value["chunks"])
    lines = iter(reply.payload[value["content"] :].decode("utf-8", "surrogatepass").split("\n"))
    made = []
    rows = zip(*[numbers] * CHUNK_NUMBERS, strict=True)
    for ordinal, (first, last, begin, end, at, part) in enumerate(rows):
        chunk = Chunk(
            ChunkId(repo, path, ordinal),
            language,
            Span(first, last),
            Excerpt(begin, end, content[begin:end].decode()),
            symbols[at] if at >= 0 else None,
            part,
            tags,
        )
        links = Links(next(lines))
        terms = zip(FIELDS, islice(lines, len(FIELDS)), strict=True)
        made.append(Entry(chunk, {field: text for field, text in terms if text}, links))
    if next(lines, None) is not None:
        raise ValueError("more lines than chunks")
    return tuple(made)


if __name__ == "__main__":
    serve(answer)
