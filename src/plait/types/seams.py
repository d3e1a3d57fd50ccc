"""The seams: what a source, an encoder, a lane, a snapshot and a store promise each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from plait.types.answers import FileLines, Ranking, Reason, Statistics, Tally
from plait.types.code import (
    Change,
    Chunk,
    ChunkId,
    Field,
    Listed,
    Passage,
    Skipped,
    SourceFile,
    Vectors,
)
from plait.types.expressions import Expression, LineQuery, Query, Scope
from plait.types.links import Links


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

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        """What these chunks say about other code; an id that is not there is left out."""
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
