"""The nouns of plait and the seams between its parts.

A file becomes chunks, a query becomes an expression, a lane turns an expression
into a ranking over a snapshot of a store, and an answer is a ranking whose chunks
have been loaded. Values are frozen; stages take values and return new ones.

Values made by the hundred in every search and by the million in every build (spans, ids,
chunks, hits, reasons) are named tuples, because building a frozen dataclass costs several
times as much.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol, Self

# ---------------------------------------------------------------- places in code


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


class Relation(StrEnum):
    """How one piece of code refers to another."""

    CALLS = "CALLS"
    EXTENDS = "EXTENDS"
    IMPLEMENTS = "IMPLEMENTS"
    USES = "USES"
    IMPORTS = "IMPORTS"


class Reference(NamedTuple):
    """An edge of the code graph by name: what a chunk refers to, and how."""

    relation: Relation
    target: str


# ---------------------------------------------------------------- the write path


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
    tags: tuple[str, ...] = ()  # "test", "vendored", "generated", "documentation"
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
    references: tuple[Reference, ...] = ()  # without repeats, in order of appearance
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


class Field(StrEnum):
    """Fields of analysed terms; lanes decide what goes into them."""

    WORDS = "words"  # everything a free-text word is looked up in, fields blended by weight
    NAME = "name"  # the symbol's name alone
    PAIRS = "pairs"  # adjacent words, if the lane makes them


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk and the analysed terms under which it can be found, space-separated per field."""

    chunk: Chunk
    terms: Mapping[Field, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A file's new state in the index. Without ``file`` it is gone."""

    repo: str
    path: str
    file: SourceFile | None = None
    entries: tuple[Entry, ...] = ()


class Source(Protocol):
    """Where code comes from."""

    @property
    def name(self) -> str: ...

    def listing(self) -> Iterator[Listed | Skipped]:
        """Every file there is, in path order, without reading any."""
        ...

    def read(self, path: str) -> SourceFile | Skipped:
        """Read one listed file, or say why it is not worth indexing."""
        ...


# ---------------------------------------------------------------- meaning as vectors


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


class Encoder(Protocol):
    """A model: texts in, unit vectors out. Equal digests give equal vectors."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def digest(self) -> str: ...

    def questions(self, texts: Sequence[str]) -> Vectors: ...

    def passages(self, passages: Sequence[Passage]) -> Vectors: ...


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class Text:
    """Free text, as typed: each lane makes of it what it can."""

    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """One analysed term in one field, scored by BM25 times ``weight``."""

    text: str
    field: Field = Field.WORDS
    weight: float = 1.0
    spoken: str = ""  # the word as the user typed it, if another form


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order; case and white space do not matter."""

    text: str
    terms: tuple[str, ...] = ()  # analysed; every match has them all


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression in RE2's syntax, ``^`` and ``$`` at lines."""

    regex: str
    ignore_case: bool = False
    is_word: bool = False  # what matches has no letter, digit or underscore on either side


@dataclass(frozen=True, slots=True)
class Tag:
    """An exact property: ``Tag("lang", "go")``, ``Tag("kind", "class")``, ``Tag("is", "test")``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class PathLike:
    """The path matches a glob; without a wildcard it contains the text, case ignored."""

    glob: str


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A regular expression in RE2's syntax matches in the path."""

    regex: str


@dataclass(frozen=True, slots=True)
class Defines:
    """The chunk defines a symbol of this name, plain or qualified, case ignored."""

    name: str


@dataclass(frozen=True, slots=True)
class Refers:
    """The chunk refers to this name."""

    relation: Relation
    target: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """One of these chunks, by the store's own numbering. Only stores make and read it: what a
    phrase or a pattern becomes once it has been verified."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """One of these chunks, by names that the store gave them. The same for stores that number
    nothing."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paths:
    """The path is one of these. Only stores make and read it: what a glob comes down to."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds. With no parts, everything does."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part holds. With no parts, nothing does."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Expression


Leaf = (
    Text
    | Term
    | Phrase
    | Pattern
    | Tag
    | PathLike
    | PathPattern
    | Paths
    | Defines
    | Refers
    | Numbers
    | Named
)
Expression = Leaf | All | Any | Not


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may see at all. It is applied inside every lane, before the top is cut.

    ``repos`` is also the permission filter: None means every repository.
    """

    repos: frozenset[str] | None = None
    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()  # globs, any of which may match
    under: str = ""  # a folder, with forward slashes
    file: str = ""  # one file, by its whole path


@dataclass(frozen=True, slots=True)
class Query:
    """A question: what was typed, what it means, where to look, how much to return."""

    text: str
    wanted: Expression
    scope: Scope = Scope()
    limit: int = 10
    per_file: int = 1  # results of one file; 0 for no limit
    expand: bool | None = None  # also look for words the first results share; None: the setting
    without: frozenset[str] = frozenset()  # words that expansion must not add


class Order(StrEnum):
    """In which order files with matching lines come."""

    RANK = "rank"  # those that define what matches, then the others, tests and the like last
    PATH = "path"


@dataclass(frozen=True, slots=True)
class LineQuery:
    """Which lines are wanted: all of those in scope in which a pattern matches."""

    patterns: tuple[Pattern, ...]  # a line matches if one of them does
    where: Expression = All(())  # holds of the chunk; it has no ``Text``
    scope: Scope = Scope()
    order: Order = Order.RANK
    limit: int = 0  # lines given back; 0 for all
    count_to: int = 0  # lines counted, beyond those given back
    per_file: int = 0  # lines of one file; 0 for all
    before: int = 0  # lines of context
    after: int = 0
    is_inverted: bool = False  # the lines in which no pattern matches
    is_multiline: bool = False  # a match may go over several lines
    is_marked: bool = True  # all matches of a line are wanted, not only whether there is one
    within_s: float = 10.0


# ---------------------------------------------------------------- what is answered


class Reason(NamedTuple):
    """Why a score is what it is: programs read the name, people the words."""

    name: str  # a lane, a way of fusing, a measure or a signal
    value: float
    parts: tuple[Reason, ...] = ()
    words: str = ""  # how the parts, or what was counted, make the value

    @classmethod
    def total(cls, name: str, parts: Iterable[Reason], words: str = "") -> Reason:
        """A reason that is the exact sum of its parts, whatever their order."""
        kept = tuple(parts)
        return cls(name, math.fsum([part.value for part in kept]), kept, words)

    @property
    def text(self) -> str:
        """The words; the name where there are none."""
        return self.words or self.name

    def lines(self, depth: int = -1) -> Iterator[str]:
        """The account as indented lines, down to ``depth`` levels (-1: all)."""
        yield f"{self.value:.4f}  {self.text}"
        if depth != 0:
            for part in self.parts:
                yield from (f"  {line}" for line in part.lines(depth - 1))


class Hit(NamedTuple):
    """A chunk a ranker found, and its score there."""

    chunk: ChunkId
    reason: Reason

    @property
    def score(self) -> float:
        return self.reason.value


class Ranking(NamedTuple):
    """Hits of one ranker: best first, no chunk twice.

    ``notes`` are sentences about how it came about. It is partial if something that might
    have matched was not looked at; a note says what.
    """

    name: str
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    is_partial: bool = False

    @classmethod
    def best_first(cls, name: str, hits: Iterable[Hit]) -> Ranking:
        """The one place where hits are sorted: by score, best first, then by chunk id."""
        ordered = sorted(hits, key=lambda hit: (-hit.reason.value, hit.chunk))
        return cls(name, tuple(ordered))


class Result(NamedTuple):
    """A hit with its chunk loaded: one line of an answer."""

    rank: int
    chunk: Chunk
    reason: Reason
    snippet: str
    snippet_span: Span
    more_in_file: int = 0  # further chunks of this file that matched, as far as was looked

    @property
    def score(self) -> float:
        return self.reason.value


class Line(NamedTuple):
    """A line of a file, and where in it a pattern matches, by bytes."""

    number: int  # from 1
    begin: int  # in the file
    text: bytes  # UTF-8, without the newline
    ranges: tuple[tuple[int, int], ...] = ()  # one that goes on in the next line ends behind it
    is_match: bool = True  # otherwise it is here for context
    defines: bool = False  # a match touches the name of what is defined here


class FileLines(NamedTuple):
    """The lines of one file that match, with their context, in order."""

    repo: str
    path: str
    language: str
    tags: tuple[str, ...]
    size: int  # of the file, in bytes: whether its last line ends with a newline can be told
    lines: tuple[Line, ...]


class Tally(NamedTuple):
    """How much a search for lines found: the last thing it says.

    Unless it is exact there may be more. It is partial if something in scope was not looked
    at for want of time; a note says so, or that everything had to be read.
    """

    lines: int
    matches: int  # in the lines given back
    files: int
    is_exact: bool
    is_partial: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found, on which generation, and what it could not cover."""

    query: Query
    generation: int
    results: tuple[Result, ...]
    absent: tuple[str, ...] = ()  # lanes that failed
    notes: tuple[str, ...] = ()  # how the search was relaxed or cut short
    hints: tuple[str, ...] = ()  # what the user may want to try
    is_partial: bool = False  # something that might have matched was not looked at
    lanes: tuple[str, ...] = ()  # that were asked
    expanded: tuple[str, ...] = ()  # words that expansion added


# ---------------------------------------------------------------- the seams of the read path


class Asked(Protocol):
    """One query put to one lane over one snapshot."""

    @property
    def roots(self) -> Sequence[str]:
        """Lower-cased beginnings of the words looked for, to choose the lines to show."""
        ...

    def ranking(self, limit: int) -> Ranking:
        """The best ``limit`` chunks, each with its score and no further reason."""
        ...

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """The full reason of each of these chunks; wanted only for what is shown."""
        ...


class Lane(Protocol):
    """One way of finding a chunk. A query it cannot use gets an empty ranking."""

    @property
    def name(self) -> str: ...

    def ask(self, query: Query, snapshot: Snapshot) -> Asked: ...


class Snapshot(Protocol):
    """The index at one generation. It never changes; threads may share it."""

    @property
    def generation(self) -> int: ...

    def repos(self) -> Sequence[str]:
        """The repositories in the index, sorted."""
        ...

    def digests(self, repo: str) -> Mapping[str, str]:
        """Path to digest of every file of a repository."""
        ...

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        """The chunks of one file in order; none if it is not indexed."""
        ...

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        """The chunks with these ids; an id that is not there is left out."""
        ...

    def match(self, wanted: Expression, scope: Scope, limit: int) -> Ranking:
        """The best ``limit`` chunks that satisfy an expression (which holds no ``Text``)."""
        ...

    def nearest(
        self, model: str, question: Vectors, where: Expression, scope: Scope, limit: int
    ) -> Ranking:
        """The chunks whose vectors of a model lie nearest to a question's, of those that
        satisfy ``where`` (which holds no ``Text``). Scores are cosines above 0.

        Chunks that have no vector of this model yet are not found; a note says how many.
        """
        ...

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        """The vector of each of these chunks, as kept; those without one are left out."""
        ...

    def missing_vectors(self, model: str) -> int:
        """How many chunks have no vector of a model yet."""
        ...

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        """Every chunk that satisfies ``where`` (which holds no ``Text``) and has a vector of a
        model, with that vector: some thousands at a time, in the order they are kept."""
        ...

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        """Files with the lines wanted, each as soon as it is found; a tally comes last.

        Raises:
            PatternError: A pattern is not one. It is raised here, not by the iterator.
        """
        ...

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """How each of these chunks earns its score, down to the term."""
        ...

    def frequency(self, term: str, field: Field = Field.WORDS) -> int:
        """In how many chunks a term occurs."""
        ...

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        """The same for many words at once."""
        ...

    def spellings(self, term: str, limit: int) -> Sequence[str]:
        """Indexed terms one edit away that begin with the same letter, most frequent first."""
        ...

    def statistics(self) -> Statistics:
        """Counts and sizes of the whole generation."""
        ...

    def close(self) -> None: ...


class Store(Protocol):
    """A storage engine: embedded or distributed."""

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> int:
        """Apply all changes or none; the number of the generation that holds them.

        A change replaces all that was known of its file; a file may change once in a commit
        and has at least one chunk. If ``changes`` raises, nothing has happened. ``anew``
        forgets everything before, in the same step.
        """
        ...

    def embed(
        self,
        encoder: Encoder,
        passage_of: Callable[[Chunk], Passage],
        watch: Callable[[int, int], None] = ...,
        within_s: float = ...,
    ) -> int:
        """Give every chunk that has none a vector of this model; the generation with them.

        What was encoded before is not encoded again, wherever it stood. ``watch`` is told how
        many chunks of how many are done. After ``within_s`` seconds what is done is published;
        the next call goes on.

        Raises:
            IndexMissing: Nothing was ever committed.
        """
        ...

    def snapshot(self) -> Snapshot:
        """The newest generation.

        Raises:
            IndexMissing: Nothing was ever committed.
        """
        ...

    def check(self) -> Sequence[str]:
        """Faults found by reading everything: a sentence each, none if all is well."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a generation holds."""

    files: int
    chunks: int
    symbols: int
    source_bytes: int
    index_bytes: int
    languages: Mapping[str, int] = field(default_factory=dict)  # files of each
