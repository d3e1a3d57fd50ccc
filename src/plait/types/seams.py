"""The seams: what a source, an encoder, a lane and a store promise each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, Self

from plait.types.answers import Ranking, Reason
from plait.types.code import (
    Change,
    ChunkId,
    Listed,
    Passage,
    Skipped,
    SourceFile,
    Vectors,
)
from plait.types.embedding import VectorStore
from plait.types.expressions import Query
from plait.types.snapshots import Snapshot


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

    @property
    def waits(self) -> bool:
        """Whether a question may take as long as somebody else likes, or long to encode."""
        ...

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

    def waits(self, snapshot: Snapshot) -> bool:
        """Whether an answer may take as long as somebody else likes: a network, a large model."""
        ...

    def ask(self, query: Query, snapshot: Snapshot, until: float = ...) -> Asked:
        """Put a query to a snapshot, to be answered before a time (``time.monotonic``)."""
        ...


class Store(VectorStore, Protocol):
    """A storage engine: embedded or distributed."""

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> int:
        """Apply all changes or none; the number of the generation that holds them.

        A change replaces all that was known of its file; a file may change once in a commit
        and has at least one chunk. If ``changes`` raises, nothing has happened. ``anew``
        forgets everything before, in the same step.
        """
        ...

    def snapshot(self) -> Snapshot:
        """The newest generation.

        Raises:
            IndexMissing: Nothing was ever committed.
        """
        ...

    def as_built(self) -> tuple[Snapshot, str]:
        """The newest generation whatever it was built with, and what that was."""
        ...

    def waiting(self, wait_s: float) -> Self:
        """The same store, with another patience for other writers."""
        ...

    def check(self) -> Sequence[str]:
        """Faults found by reading everything: a sentence each, none if all is well."""
        ...

    def clear(self) -> None:
        """Forget everything."""
        ...

    def close(self) -> None: ...
