"""Prepare: a file into the entries a store takes, inside a worker process.

The worker parses, cuts and analyses; what comes back is plain JSON by place in the file,
so that the parent need not trust it with anything but numbers and names. The same module
is both ends of that conversation: ``prepared`` asks, ``main`` answers.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, NamedTuple

from plait.errors import WorkerLost
from plait.lanes.lexical import FieldWeights, Lexical
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
    Reference,
    Relation,
    SourceFile,
    Span,
    Symbol,
)

MODULE = "plait.index.prepare"
FIELDS = tuple(Field)
RELATIONS = tuple(Relation)
CODES = {relation: code for code, relation in enumerate(RELATIONS)}


class Prepared(NamedTuple):
    """A file ready to commit, and how its parse went."""

    change: Change
    has_errors: bool  # the syntax was not sound everywhere
    was_lost: bool  # its parser had to be killed or died; it is indexed as plain text


def prepared(
    worker: Worker, file: SourceFile, lexical: Lexical, *, comments: bool = True
) -> Prepared:
    """Have a worker prepare a file; if it dies over it, have the file cut without parsing.

    Without ``comments`` the file's comments and docstrings are blanked by its syntax first,
    and its content comes back so; a file whose parser dies keeps them.

    Raises:
        WorkerLost: Even cutting it into lines failed, or the answer made no sense.
    """
    try:
        reply = worker.ask(request(file, lexical, is_plain=False, comments=comments))
        was_lost = False
    except WorkerLost:
        reply, was_lost = worker.ask(request(file, lexical, is_plain=True)), True
    if not comments and not was_lost:
        file = replace(file, content=reply.payload)
    try:
        made, has_errors = entries(file, reply.value), bool(reply.value["errors"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise WorkerLost(f"a parse worker answered out of shape: {error!r}") from error
    return Prepared(Change(file.repo, file.path, file, made), has_errors, was_lost)


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
            "lexical": asdict(lexical),
        },
        file.content,
    )


# ---------------------------------------------------------------- the worker's side


def answer(message: Message) -> Message:
    """Parse, cut and analyse one file."""
    asked = message.value
    content = message.payload
    if not asked["comments"]:
        content = stripped(asked["language"], content)
    file = SourceFile(
        asked["repo"], asked["path"], asked["language"], content, "", title=asked["title"]
    )
    options = asked["lexical"]
    lexical = Lexical(**{**options, "weights": FieldWeights(**options["weights"])})
    found = windows(file) if asked["plain"] else parse(file)
    symbols: dict[int, int] = {}
    symbol_rows: list[list[Any]] = []
    chunk_rows: list[list[Any]] = []
    for chunk in found.chunks:
        at = -1
        if chunk.symbol is not None:
            at = symbols.setdefault(id(chunk.symbol), len(symbol_rows))
            if at == len(symbol_rows):
                symbol_rows.append(_symbol_row(chunk.symbol))
        terms = lexical.terms(chunk)
        chunk_rows.append(
            [
                *chunk.span,
                chunk.body.begin,
                chunk.body.end,
                at,
                chunk.part,
                [CODES[relation] for relation, _ in chunk.references],
                [target for _, target in chunk.references],
                [terms.get(field, "") for field in FIELDS],
            ]
        )
    value = {"chunks": chunk_rows, "symbols": symbol_rows, "errors": found.has_errors}
    return Message(value, b"" if asked["comments"] else content)


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
    ]


# ---------------------------------------------------------------- the parent's side


def entries(file: SourceFile, reply: dict[str, Any]) -> tuple[Entry, ...]:
    """What a worker answered, as entries of the file's own text."""
    content = file.content

    def excerpt(begin: int, end: int) -> Excerpt:
        return Excerpt(begin, end, content[begin:end].decode()) if end else NOTHING

    symbols = [
        Symbol(name, kind, Span(first, last), container, excerpt(s0, s1), excerpt(d0, d1))
        for name, kind, first, last, container, s0, s1, d0, d1 in reply["symbols"]
    ]
    made = []
    for ordinal, row in enumerate(reply["chunks"]):
        first, last, begin, end, at, part, codes, targets, terms = row
        chunk = Chunk(
            id=ChunkId(file.repo, file.path, ordinal),
            language=file.language,
            span=Span(first, last),
            body=excerpt(begin, end),
            symbol=symbols[at] if at >= 0 else None,
            part=part,
            references=tuple(map(Reference, map(RELATIONS.__getitem__, codes), targets)),
            tags=file.tags,
        )
        made.append(Entry(chunk, {f: t for f, t in zip(FIELDS, terms, strict=True) if t}))
    return tuple(made)


if __name__ == "__main__":
    serve(answer)
