"""Embed: every chunk gets its vector, and no text is encoded twice.

A text is known by its key. What the store has a vector of, whichever chunk that was made for,
is not encoded again: a rename, a branch or a second repository costs no more than the writing.
What is made is published every now and then, so that a search that runs meanwhile, or a run
that is stopped or killed, has the use of it.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

from plait.errors import ModelError
from plait.types import (
    KEY_BYTES,
    Chunk,
    Encoder,
    Passage,
    VectorBatch,
    Vectors,
    VectorSession,
    VectorStore,
)

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

BATCH = 512  # chunks looked up, and encoded, in one go, or a few more
MAX_ENCODED = 2 * BATCH  # texts encoded in one go, however long a file is
PUBLISH_EVERY_S = 60.0  # of making vectors

PassageOf = Callable[[Chunk], Passage]
Watch = Callable[[int, int], None]  # chunks done, of how many


def passage_key(passage: Passage) -> bytes:
    """What is encoded, as a key; no two texts will meet by chance."""
    said = f"{passage.name}\0{passage.text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=KEY_BYTES).digest()


def embed(
    store: VectorStore,
    encoder: Encoder,
    passage_of: PassageOf,
    watch: Watch = lambda _done, _of: None,
    within_s: float = math.inf,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Give every chunk that has none a vector, or as many as the time allows; the generation.

    Args:
        store: What keeps them.
        encoder: The model.
        passage_of: What is encoded of a chunk.
        watch: Told how many chunks of how many have their vectors.
        within_s: After so long what is done is published, but at least one batch; the next
            call goes on.
        clock: Tells the time in seconds.

    Raises:
        IndexMissing: Nothing was ever committed.
        IndexBusy: Another process is writing and did not finish in time.
        ModelError: Vectors of this model cannot be kept.
    """
    end = clock() + within_s
    done = 0
    while True:
        with store.vector_session(encoder, max(end - clock(), 0.0)) as session:
            if session.missing:
                portion = _Portion(session, encoder, passage_of, watch, done)
                done = portion.make(min(end, clock() + PUBLISH_EVERY_S), clock)
        if not session.missing or clock() >= end:
            return session.generation


class _Put(NamedTuple):
    """A batch that a thread is putting."""

    chunks: int
    made: Mapping[bytes, Vectors]
    written: Future[None]


class _Portion:
    """What is published together."""

    def __init__(
        self,
        session: VectorSession,
        encoder: Encoder,
        passage_of: PassageOf,
        watch: Watch,
        done: int,
    ) -> None:
        self._session = session
        self._encoder = encoder
        self._passage_of = passage_of
        self._watch = watch
        self._done = done  # by the portions before, too
        self._of = done + session.missing
        self._under_way: deque[_Put] = deque()

    def make(self, until: float, clock: Callable[[], float]) -> int:
        """Make vectors until that time, but at least one batch; how many chunks are done now.

        The next batch is encoded while threads put the ones before, as far as the store can
        have that.
        """
        writers = self._session.writers
        with _threads(writers) as pool:
            for batch in self._session.batches(BATCH):
                passages = [self._passage_of(chunk) for chunk in batch.chunks]
                made = self._made(batch, passages)
                if pool is not None:
                    written = pool.submit(batch.put, made)
                    self._under_way.append(_Put(len(passages), made, written))
                    self._wait(writers)
                else:
                    batch.put(made)
                    self._tell(len(passages))
                if clock() >= until:
                    break
            self._wait(0)
        return self._done

    def _wait(self, most: int) -> None:
        """Let no more than so many batches be under way."""
        while len(self._under_way) > most:
            self._under_way[0].written.result()
            self._tell(self._under_way.popleft().chunks)

    def _tell(self, chunks: int) -> None:
        self._done += chunks
        self._watch(self._done, self._of)

    def _made(self, batch: VectorBatch, passages: Sequence[Passage]) -> dict[bytes, Vectors]:
        """The vectors of those texts of a batch that the store does not know."""
        keys = [passage_key(passage) for passage in passages]
        known = batch.known(keys)
        unknown = {
            key: passage for key, passage in zip(keys, passages, strict=True) if key not in known
        }
        made = {
            key: put.made[key] for put in self._under_way for key in put.made.keys() & unknown
        }  # the store may not know them yet
        fresh = [key for key in unknown if key not in made]
        for begin in range(0, len(fresh), MAX_ENCODED):
            some = fresh[begin : begin + MAX_ENCODED]
            vectors = self._encoder.passages([unknown[key] for key in some])
            _expect_sound(vectors, len(some), self._encoder)
            made |= zip(some, vectors.each(), strict=True)
        return made


def _expect_sound(vectors: Vectors, count: int, encoder: Encoder) -> None:
    """Expect as many vectors as there were texts, of the width that was promised.

    Raises:
        ModelError: They would be given to the wrong chunks.
    """
    if vectors.dimension != encoder.dimension or len(vectors) != count:
        raise ModelError(
            f"{encoder.name} gave {len(vectors)} vectors of {vectors.dimension} numbers "
            f"for {count} texts; expected {count} of {encoder.dimension}"
        )


def _threads(most: int) -> AbstractContextManager[ThreadPoolExecutor | None]:
    if not most:
        return nullcontext()
    from concurrent.futures import ThreadPoolExecutor  # not in the way of every search

    return ThreadPoolExecutor(most)
