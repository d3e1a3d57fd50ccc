"""Definitions: which symbols one version of a file holds, and on which rows.

Parsers crash and hang, so a worker process reads them, by the same steps an index is made
with: a symbol is called here what a search result is called. Blobs recur, since what one
commit leaves the next one finds, so each is parsed once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from plait.errors import WorkerLost
from plait.evaluation.levels import symbol_names
from plait.symbols.chunks import cut
from plait.symbols.nesting import is_too_deep
from plait.symbols.outline import FUNCTION_KINDS, outline
from plait.symbols.rows import Rows
from plait.symbols.workers import Message, Worker, WorkerPool, serve
from plait.types import Relation, SourceFile, Symbol

MODULE = "plait.evaluation.mining.definitions"
TEST_SCOPE = re.compile(r"(?:^|\.)tests?\.|^tests?$")
SPACE = re.compile(r"\s+")


class Defined(NamedTuple):
    """A symbol of one version of a file; rows from 0, both ends included."""

    id: str  # the qualified name, with #2, #3 for repeats
    name: str  # the qualified name
    kind: str
    first: int
    last: int
    signature: str  # white space made even
    doc: tuple[int, int]  # rows of its docstring; (0, -1) without one

    @property
    def is_test(self) -> bool:
        """Whether it is a test that stands in the source it tests (Rust, Zig)."""
        return self.kind == "test" or TEST_SCOPE.search(self.name) is not None

    @property
    def is_function(self) -> bool:
        return self.kind in FUNCTION_KINDS


class Definitions(NamedTuple):
    """The symbols of one version of a file, outer before inner, and its rows that import."""

    symbols: tuple[Defined, ...] = ()
    imports: frozenset[int] = frozenset()
    was_lost: bool = False  # its parser died; nothing is known of it

    def owners(self) -> dict[int, Defined]:
        """The innermost symbol of every row that lies in one."""
        return {
            row: symbol for symbol in self.symbols for row in range(symbol.first, symbol.last + 1)
        }


class Blob(NamedTuple):
    """One version of a file, as a worker is asked about it."""

    id: str
    language: str
    content: bytes


class DefinitionCache:
    """What is known of blobs, by id and language; the workers are asked for the rest."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._known: dict[tuple[str, str], Definitions] = {}

    def __contains__(self, key: tuple[str, str]) -> bool:
        return key in self._known

    def __getitem__(self, key: tuple[str, str]) -> Definitions:
        return self._known[key]

    def read(self, blobs: Iterable[Blob]) -> None:
        """Have blobs parsed and remember what they define."""
        for blob, found in self._pool.map(_asked, blobs):
            self._known[blob.id, blob.language] = found


def _asked(worker: Worker, blob: Blob) -> tuple[Blob, Definitions]:
    kept = blob._replace(content=b"")
    try:
        reply = worker.ask(Message(blob.language, blob.content)).value
        symbols = tuple(
            Defined(str(id_), str(name), str(kind), int(first), int(last), str(signature), (a, b))
            for id_, name, kind, first, last, signature, a, b in reply["symbols"]
        )
        return kept, Definitions(symbols, frozenset(reply["imports"]))
    except (WorkerLost, KeyError, TypeError, ValueError):
        return kept, Definitions(was_lost=True)


# ---------------------------------------------------------------- the worker's side


def answer(message: Message) -> Message:
    """The symbols of one version of a file."""
    language, content = message.value, message.payload
    if is_too_deep(content):
        return Message({})  # which is told as a loss
    found = outline(language, content)
    file = SourceFile("", "", language, content, "")
    chunks = cut(file, found.definitions, found.root)
    names = symbol_names("", chunks)
    symbols: dict[str, Symbol] = {}
    for chunk in chunks:
        if chunk.symbol is not None:
            symbols.setdefault(names[chunk.id.ordinal].removeprefix("::"), chunk.symbol)
    begins = Rows(content).begins
    rows = [_row(id_, symbol, begins) for id_, symbol in symbols.items()]
    rows.sort(key=lambda row: (row[3], -row[4]))
    imports = {
        bisect_right(begins, at) - 1
        for at, reference in found.mentioned.references
        if reference.relation is Relation.IMPORTS
    }
    return Message({"symbols": rows, "imports": sorted(imports)})


def _row(id_: str, symbol: Symbol, begins: Sequence[int]) -> list[Any]:
    doc = symbol.docstring
    doc_rows = [bisect_right(begins, at) - 1 for at in (doc.begin, doc.end)] if doc.end else (0, -1)
    return [
        id_,
        symbol.qualified_name,
        symbol.kind,
        symbol.span.first - 1,
        symbol.span.last - 1,
        SPACE.sub(" ", symbol.signature.text).strip(),
        *doc_rows,
    ]


if __name__ == "__main__":
    serve(answer)
