"""A store of vectors in memory: what the protocol asks for and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from plait.types import Chunk, ChunkId, Model, VectorBatch, Vectors, VectorSession
from tests.contract.notation import file


def chunks_of(path: str, *texts: str) -> list[Chunk]:
    """The chunks of a file."""
    return [entry.chunk for entry in file(path, *texts).entries]


class MemoryStore:
    """Chunks without vectors at first.

    Args:
        files: The chunks of each file.
        writers: How many batches may be put at once.
        before_put: Called before a batch is put; it may wait, or raise.
    """

    def __init__(
        self,
        files: Sequence[Sequence[Chunk]],
        writers: int = 0,
        before_put: Callable[[], None] = lambda: None,
    ) -> None:
        self.files = list(files)
        self.writers = writers
        self.before_put = before_put
        self.generation = 1
        self.texts: dict[bytes, Vectors] = {}
        self.vectors: dict[ChunkId, Vectors] = {}
        self.published: list[int] = []  # chunks with a vector, by generation
        self.asked: list[float] = []  # how much time each session was given
        self.walks = 0  # how often chunks were asked for
        self.handed_out = 0  # batches that were asked for and not put yet
        self.most_handed_out = 0

    @contextmanager
    def vector_session(self, model: Model, within_s: float) -> Iterator[VectorSession]:
        self.asked.append(within_s)
        session = MemorySession(self)
        yield session
        if session.given:
            self.vectors |= session.given
            self.generation += 1
            self.published.append(len(self.vectors))
            session.generation = self.generation


class MemorySession:
    """What is given is held back until the session ends."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._waiting = [
            chunks for chunks in store.files if any(one.id not in store.vectors for one in chunks)
        ]
        self.given: dict[ChunkId, Vectors] = {}
        self.missing = sum(map(len, self._waiting))
        self.generation = store.generation
        self.writers = store.writers

    def batches(self, size: int) -> Iterator[VectorBatch]:
        self._store.walks += 1
        batch: list[Chunk] = []
        for chunks in self._waiting:
            batch += chunks
            if len(batch) >= size:
                yield self._batch(batch)
                batch = []
        if batch:
            yield self._batch(batch)

    def _batch(self, chunks: list[Chunk]) -> MemoryBatch:
        self._store.handed_out += 1
        self._store.most_handed_out = max(self._store.most_handed_out, self._store.handed_out)
        return MemoryBatch(self._store, self, chunks)


class MemoryBatch:
    """Some files."""

    def __init__(self, store: MemoryStore, session: MemorySession, chunks: list[Chunk]) -> None:
        self.chunks = chunks
        self._store = store
        self._session = session
        self._keys: Sequence[bytes] = ()

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        self._keys = keys
        return {key for key in keys if key in self._store.texts}

    def put(self, made: Mapping[bytes, Vectors]) -> None:
        self._store.before_put()
        self._store.texts |= made
        for chunk, key in zip(self.chunks, self._keys, strict=True):
            self._session.given[chunk.id] = self._store.texts[key]
        self._store.handed_out -= 1
