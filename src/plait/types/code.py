"""Code as it is read and indexed: files, symbols, chunks, and the text that gets a vector."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

from plait.types.links import NO_LINKS, Links


class Span(NamedTuple):
    """Lines of a file, counted from 1, both ends included."""

    first: int
    last: int


class ChunkId(NamedTuple):
    """The n-th chunk of a file. Sorting ids sorts by repository, path and position."""

    repo: str
    path: str
    ordinal: int

    def __str__(self) -> str:
        return f"{self.repo}:{self.path}#{self.ordinal}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read back what ``str`` wrote.

        Raises:
            ValueError: ``text`` is not ``repo:path#ordinal``.
        """
        repo, colon, rest = text.partition(":")
        path, mark, ordinal = rest.rpartition("#")
        if not (colon and mark and ordinal.isdecimal()):
            raise ValueError(f"not a chunk id: {text!r} (expected repo:path#ordinal)")
        return cls(repo, path, int(ordinal))


class SymbolId(NamedTuple):
    """The n-th symbol of this qualified name in a file, counted from 1.

    It stays the same while the file's other symbols come and go; a chunk's id does not.
    """

    repo: str
    path: str
    qualified_name: str
    n: int = 1

    def __str__(self) -> str:
        repeat = f"#{self.n}" if self.n > 1 else ""
        return f"{self.repo}:{self.path}::{self.qualified_name}{repeat}"


class Listed(NamedTuple):
    """A file a source knows of, before it is read.

    ``stamp`` changes whenever the file may have changed; an empty stamp promises nothing.
    """

    path: str
    stamp: str


class Skipped(NamedTuple):
    """A file that is not indexed, and why: the reason is one word, the detail a sentence."""

    path: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as read from its source."""

    repo: str
    path: str  # relative to the source's root, with forward slashes
    language: str  # "" when unknown
    content: bytes  # UTF-8; what was in another encoding has been transcoded
    digest: str  # of the bytes at the source, or as masked; the only test of "changed"
    tags: tuple[str, ...] = ()  # of plait.types.tags, in its order
    title: str | None = None  # a document: one chunk, never cut, that defines this name
    masked: int = 0  # how many secrets in it are asterisks now


class Excerpt(NamedTuple):
    """A piece of a file, by its place in bytes, so that a store need not keep it twice."""

    begin: int
    end: int
    text: str


NOTHING = Excerpt(0, 0, "")


class Symbol(NamedTuple):
    """A named definition in code."""

    name: str
    kind: str
    span: Span
    container: str = ""  # the names of what encloses it, outermost first, joined by "."
    signature: Excerpt = NOTHING  # as written, up to the body
    docstring: Excerpt = NOTHING  # as written, quotes or comment marks included
    n: int = 1  # the n-th of this qualified name in its file

    @property
    def qualified_name(self) -> str:
        return f"{self.container}.{self.name}" if self.container else self.name


class Chunk(NamedTuple):
    """The unit of retrieval: one symbol, a part of a long one, or lines that have none.

    A symbol's first chunk *defines* it; the further parts of a long symbol, and the lines
    between a class's methods, carry the same symbol with ``part`` above zero.
    """

    id: ChunkId
    language: str
    span: Span
    body: Excerpt  # whole lines
    symbol: Symbol | None = None
    part: int = 0
    tags: tuple[str, ...] = ()  # the file's

    @property
    def text(self) -> str:
        return self.body.text

    @property
    def repo(self) -> str:
        return self.id.repo

    @property
    def path(self) -> str:
        return self.id.path

    @property
    def kind(self) -> str:
        return self.symbol.kind if self.symbol else "text"

    @property
    def symbol_id(self) -> SymbolId | None:
        """Which symbol it is, or is a part of."""
        symbol = self.symbol
        return SymbolId(*self.id[:2], symbol.qualified_name, symbol.n) if symbol else None


FileKey = tuple[str, str]  # repository and path


class FileFacts(NamedTuple):
    """What is known of a file without reading it."""

    language: str
    tags: tuple[str, ...]
    size: int  # bytes
    chunks: int


class SymbolName(NamedTuple):
    """The symbol a chunk is of, without its text."""

    name: str
    kind: str
    container: str  # the names of what encloses it, outermost first, joined by "."
    part: int  # of the symbol; the first, 0, defines it


class Field(StrEnum):
    """Fields of analysed terms; lanes decide what goes into them."""

    WORDS = "words"  # everything a free-text word is looked up in, fields blended by weight
    NAME = "name"  # the symbol's name alone
    PAIRS = "pairs"  # adjacent words, if the lane makes them


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk, the analysed terms under which it can be found (space-separated per field), and
    what it says about other code."""

    chunk: Chunk
    terms: Mapping[Field, str]
    links: Links = NO_LINKS


@dataclass(frozen=True, slots=True)
class Change:
    """A file's new state in the index. Without ``file`` it is gone."""

    repo: str
    path: str
    file: SourceFile | None = None
    entries: tuple[Entry, ...] = ()


class Passage(NamedTuple):
    """What a model is given of a piece of code: its text, and the name it defines.

    A name is qualified by what encloses it, with dots; "" if nothing is defined.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Vectors:
    """Rows of unit vectors, packed as little-endian 32-bit floats."""

    dimension: int
    data: bytes

    def __len__(self) -> int:
        return len(self.data) // (4 * self.dimension)

    def rows(self, numbers: Iterable[int]) -> Vectors:
        """Some of the rows, in the order asked for."""
        size = 4 * self.dimension
        parts = [self.data[number * size : (number + 1) * size] for number in numbers]
        return Vectors(self.dimension, b"".join(parts))

    def each(self) -> Iterator[Vectors]:
        """Every row by itself."""
        size = 4 * self.dimension
        for begin in range(0, len(self.data), size):
            yield Vectors(self.dimension, self.data[begin : begin + size])
