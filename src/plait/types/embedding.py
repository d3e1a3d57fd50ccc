"""Embedding: what a store promises to whoever gives its chunks their vectors.

A session gives the chunks of one generation, in batches, vectors of one model. The store says
which chunks have none and which texts it knows a vector of; encoding is not its business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from typing import Protocol

from plait.types.code import Chunk, Vectors

KEY_BYTES = 16  # of the key of a text


class Model(Protocol):
    """What a store must know of an encoder."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def digest(self) -> str: ...


class VectorBatch(Protocol):
    """Some chunks without a vector: whole files."""

    @property
    def chunks(self) -> Iterable[Chunk]:
        """The chunks in order; they may be made as they are read."""
        ...

    def known(self, keys: Sequence[bytes]) -> AbstractSet[bytes]:
        """Take the key of each chunk's text; those of texts that have a vector already.

        It does not matter which chunk a text was encoded for, nor whether that is still there.
        """
        ...

    def put(self, made: Mapping[bytes, Vectors]) -> None:
        """Give each chunk the vector of its text, as the store knows it or as ``made`` now.

        When it returns, every text in ``made`` is known to the batches that follow.
        """
        ...


class VectorSession(Protocol):
    """Chunks of one generation are given vectors of one model."""

    @property
    def missing(self) -> int:
        """How many chunks had no vector when the session began."""
        ...

    @property
    def generation(self) -> int:
        """The generation it began with; after the session, the one that has its vectors."""
        ...

    @property
    def writers(self) -> int:
        """How many batches may be put, by threads, while the next ones are encoded.

        With 0, a batch is put before the next is asked for.
        """
        ...

    def batches(self, size: int) -> Iterator[VectorBatch]:
        """The chunks without a vector, about so many at a time. One may stop after any batch."""
        ...


class VectorStore(Protocol):
    """A store whose chunks can be given vectors."""

    def vector_session(
        self, model: Model, within_s: float
    ) -> AbstractContextManager[VectorSession]:
        """Begin to give vectors; what was put is published when the session ends.

        If it ends with an exception, nothing is published. Where no vector is missing nobody
        is waited for, and no generation is made. ``within_s`` is the time the caller has: a
        store may use what it needs of it to clean up after the last vectors.

        Raises:
            IndexMissing: Nothing was ever committed.
            IndexBusy: Another process is writing and did not finish in time.
            ModelError: Vectors of this model cannot be kept.
        """
        ...
