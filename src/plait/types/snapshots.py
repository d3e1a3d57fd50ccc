"""The index at one generation, as it is read: what it holds, what is found in it, how often.

A part that needs only one of these says so, and a test gives it no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from plait.types.answers import FileLines, Ranking, Reason, Statistics, Tally
from plait.types.code import Chunk, ChunkId, FileFacts, FileKey, SymbolName, Vectors
from plait.types.expressions import Expression, LineQuery, Scope
from plait.types.links import Links

Repos = frozenset[str] | None  # the repositories that count; None for all


class Contents(Protocol):
    """What is there, by repository, file and chunk."""

    @property
    def generation(self) -> int: ...

    @property
    def is_remote(self) -> bool:
        """Whether it is asked over a network."""
        ...

    def repos(self) -> Sequence[str]:
        """The repositories in the index, sorted."""
        ...

    def roots(self, repos: Iterable[str], until: float = ...) -> Mapping[str, str]:
        """Of each of these repositories the folder in which all its files are; "" for its own.

        Raises:
            OutOfTime: They are not known ``until`` then (``time.monotonic``).
        """
        ...

    def digests(self, repo: str) -> Mapping[str, str]:
        """Path to digest of every file of a repository."""
        ...

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        """The chunks of one file in order; none if it is not indexed."""
        ...

    def files(self, keys: Iterable[FileKey], until: float = ...) -> Mapping[FileKey, FileFacts]:
        """What is known of each of these files; those that are not there are left out.

        Raises:
            OutOfTime: It is not known ``until`` then.
        """
        ...

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        """The chunks with these ids; an id that is not there is left out."""
        ...

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        """What these chunks say about other code; an id that is not there is left out."""
        ...


class Finding(Protocol):
    """Chunks and lines that satisfy an expression."""

    def match(self, wanted: Expression, scope: Scope, limit: int, until: float = ...) -> Ranking:
        """The best ``limit`` chunks that satisfy an expression (which holds no ``Text``).

        What was not looked at ``until`` then (``time.monotonic``) is left out, and a note says so.

        Raises:
            OutOfTime: There is nothing to show by then.
        """
        ...

    def definitions(
        self, names: Sequence[str], scope: Scope, limit: int, until: float = ...
    ) -> Mapping[ChunkId, SymbolName]:
        """The first ``limit`` chunks that define one of these names, in whatever case, each with
        its symbol.

        Raises:
            OutOfTime: They are not known ``until`` then.
        """
        ...

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """How each of these chunks earns its score, down to the term."""
        ...

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        """Files with the lines wanted, each as soon as it is found; a tally comes last.

        Raises:
            PatternError: A pattern is not one. It is raised here, not by the iterator.
        """
        ...


class Counting(Protocol):
    """How much there is, in all repositories or in some."""

    def count(self, wanted: Sequence[Expression], repos: Repos = ...) -> Sequence[int]:
        """How many chunks satisfy each of these expressions: terms, tags, definitions and
        references, and what is made of them by and, or and not."""
        ...

    def spellings(self, term: str, limit: int, repos: Repos = ...) -> Sequence[str]:
        """Indexed terms one edit away that begin with the same letter, most frequent first."""
        ...

    def statistics(self, repos: Repos = ...) -> Statistics:
        """Counts and sizes. The bytes of the index are counted only for the whole of it."""
        ...


class Embedded(Protocol):
    """Vectors, and the chunks that lie near to one."""

    def nearest(
        self,
        model: str,
        question: Vectors,
        where: Expression,
        scope: Scope,
        limit: int,
        until: float = ...,
    ) -> Ranking:
        """The chunks whose vectors of a model lie nearest to a question's, of those that
        satisfy ``where`` (which holds no ``Text``). Scores are cosines above 0.

        Chunks that have no vector of this model yet are not found; a note says how many.

        Raises:
            OutOfTime: There is nothing to show ``until`` then.
        """
        ...

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        """The vector of each of these chunks, as kept; those without one are left out."""
        ...

    def missing_vectors(self, model: str, repos: Repos = ...) -> int:
        """How many chunks have no vector of a model yet."""
        ...

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        """Every chunk that satisfies ``where`` (which holds no ``Text``) and has a vector of a
        model, with that vector: some thousands at a time, in the order they are kept."""
        ...


class Snapshot(Contents, Finding, Counting, Embedded, Protocol):
    """The index at one generation. It never changes; threads may share it."""

    def within(self, repos: Repos) -> Snapshot:
        """The same generation as somebody sees it who may know of these repositories alone.

        Nothing it says is of any other: no chunk, file, name, note, count or spelling. Only how
        rare a word is, which scores depend on, is counted over the whole index
        (docs/security.md). A view and the snapshot it was made of are closed together.
        """
        ...

    def close(self) -> None:
        """Let go of it. Whoever is in the middle of a question gets its answer."""
        ...
