"""Embedding over any store: every text once, in the time there is, published on the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pytest

from plait.errors import ModelError
from plait.index.embed import BATCH, MAX_ENCODED, PUBLISH_EVERY_S, embed, passage_key
from plait.types import Chunk, Passage, Vectors, VectorStore
from tests.contract.test_vectors import Hashed, passage_of
from tests.index.memory_store import MemoryStore, chunks_of

PER_FILE = 64
LONG_S = 0.1  # longer than a batch is encoded
SOON_S = 20.0  # a thread that is not there by then never will be


class Slow(Hashed):
    """An encoder that takes its time, on a clock of its own."""

    def __init__(self, seconds: float = 10.0, fails_at: int = 0) -> None:
        super().__init__()
        self.now = 1_000.0
        self.calls: list[int] = []  # how many texts each had
        self._seconds = seconds
        self._fails_at = fails_at

    def clock(self) -> float:
        return self.now

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        self.calls.append(len(passages))
        if len(self.calls) == self._fails_at:
            raise RuntimeError("out of order")
        self.now += self._seconds
        return super().passages(passages)


def lot(batches: int) -> list[list[Chunk]]:
    """Files that all differ, enough for so many batches."""
    return [
        chunks_of(f"f{n:04}.py", *[f"{n} part {k}\n" for k in range(PER_FILE)])
        for n in range(batches * BATCH // PER_FILE)
    ]


def right(store: MemoryStore) -> bool:
    """Whether every vector is that of its chunk's text."""
    chunks = {chunk.id: chunk for chunks in store.files for chunk in chunks}
    return all(
        vector == Hashed().passages([passage_of(chunks[key])])
        for key, vector in store.vectors.items()
    )


def test_every_chunk_gets_the_vector_of_its_text() -> None:
    store: VectorStore = (kept := MemoryStore(lot(2)))
    generation = embed(store, Hashed(), passage_of)

    assert generation == kept.generation == 2
    assert len(kept.vectors) == 2 * BATCH
    assert right(kept)


@pytest.mark.parametrize("writers", [0, 2])
def test_a_text_is_encoded_once_wherever_it_stands(writers: int) -> None:
    same = [chunks_of(f"copy{n}.py", *[f"0 part {k}\n" for k in range(PER_FILE)]) for n in range(9)]
    store = MemoryStore([*same[:2], *lot(3), *same[2:]], writers)
    encoder = Hashed()
    embed(store, encoder, passage_of)
    store.files.append(chunks_of("later.py", "0 part 3\n", "new\n"))
    embed(store, encoder, passage_of)

    assert len(encoder.given) == len(set(encoder.given)) == 3 * BATCH + 1
    assert len(store.vectors) == 3 * BATCH + 9 * PER_FILE + 2
    assert right(store)


def test_a_text_that_is_still_being_written_is_not_encoded_again() -> None:
    """The store does not know it yet."""
    texts = [f"part {k}\n" for k in range(BATCH)]
    is_encoded = threading.Event()
    store = MemoryStore(
        [chunks_of("a.py", *texts), chunks_of("b.py", *texts), chunks_of("c.py", *texts, "new\n")],
        writers=2,
        before_put=lambda: _wait(is_encoded),
    )

    class Telling(Hashed):
        def passages(self, passages: Sequence[Passage]) -> Vectors:
            if len(passages) == 1:  # the third batch: nothing is written so far
                is_encoded.set()
            return super().passages(passages)

    encoder = Telling()
    embed(store, encoder, passage_of)

    assert len(encoder.given) == BATCH + 1
    assert right(store)


def test_the_next_batch_is_encoded_while_the_last_is_written() -> None:
    is_encoded = threading.Event()
    store = MemoryStore(lot(4), writers=1, before_put=lambda: _wait(is_encoded))

    class Telling(Slow):
        def passages(self, passages: Sequence[Passage]) -> Vectors:
            if self.calls:
                is_encoded.set()
            return super().passages(passages)

    embed(store, Telling(), passage_of)

    assert right(store)


def _wait(event: threading.Event) -> None:
    assert event.wait(SOON_S), "encoding waited for writing"


@pytest.mark.parametrize(("writers", "most"), [(0, 1), (1, 2), (2, 3)])
def test_no_more_batches_are_held_than_are_written_and_one(writers: int, most: int) -> None:
    store = MemoryStore(lot(5), writers, before_put=lambda: time.sleep(LONG_S))
    embed(store, Hashed(), passage_of)

    assert store.most_handed_out <= most
    assert store.handed_out == 0


def test_no_more_is_encoded_at_once_though_a_file_is_longer() -> None:
    long = [f"{k}\n" for k in range(2 * MAX_ENCODED + 5)]
    store = MemoryStore([chunks_of("long.py", *long)])
    encoder = Slow()
    embed(store, encoder, passage_of)

    assert encoder.calls == [MAX_ENCODED, MAX_ENCODED, 5]
    assert right(store)


@pytest.mark.parametrize(("within_s", "batches"), [(0.0, 1), (10.0, 1), (11.0, 2), (25.0, 3)])
@pytest.mark.parametrize("writers", [0, 2])
def test_when_the_time_is_over_what_is_done_is_published(
    within_s: float, batches: int, writers: int
) -> None:
    store, encoder = MemoryStore(lot(5), writers), Slow(seconds=10)
    generation = embed(store, encoder, passage_of, within_s=within_s, clock=encoder.clock)

    assert len(store.vectors) == batches * BATCH == len(encoder.given)
    assert generation == store.generation == 2
    embed(store, encoder, passage_of, clock=encoder.clock)
    assert len(store.vectors) == 5 * BATCH == len(encoder.given)


@pytest.mark.parametrize("writers", [0, 2])
def test_what_is_done_is_published_every_now_and_then(writers: int) -> None:
    store, encoder = MemoryStore(lot(5), writers), Slow(seconds=PUBLISH_EVERY_S / 2)
    generation = embed(store, encoder, passage_of, clock=encoder.clock)

    assert store.published == [2 * BATCH, 4 * BATCH, 5 * BATCH]
    assert generation == store.generation == 4


def test_a_store_is_told_how_much_time_is_left() -> None:
    store, encoder = MemoryStore(lot(3)), Slow(seconds=PUBLISH_EVERY_S)
    embed(store, encoder, passage_of, within_s=100, clock=encoder.clock)

    assert store.asked == [100, 100 - PUBLISH_EVERY_S]


def test_who_watches_sees_one_rising_count_though_it_is_published_on_the_way() -> None:
    store, encoder = MemoryStore(lot(4), writers=2), Slow(seconds=PUBLISH_EVERY_S / 2)
    seen: list[tuple[int, int]] = []
    embed(store, encoder, passage_of, lambda done, of: seen.append((done, of)), clock=encoder.clock)

    assert seen == [(done * BATCH, 4 * BATCH) for done in (1, 2, 3, 4)]


def test_where_nothing_is_missing_nothing_is_done() -> None:
    store, encoder = MemoryStore(lot(1)), Slow()
    embed(store, encoder, passage_of)
    seen: list[int] = []

    assert embed(store, encoder, passage_of, lambda done, _of: seen.append(done)) == 2
    assert encoder.calls == [BATCH]
    assert store.walks == 1
    assert seen == []


def test_texts_that_are_all_known_need_no_encoder() -> None:
    store, encoder = MemoryStore(lot(1)), Slow()
    embed(store, encoder, passage_of)
    store.files += [chunks_of("z.py", "0 part 0\n")]
    embed(store, encoder, passage_of)

    assert encoder.calls == [BATCH]
    assert len(store.vectors) == BATCH + 1


@pytest.mark.parametrize("writers", [0, 2])
def test_an_encoder_that_fails_half_way_loses_no_more_than_since_the_last_publishing(
    writers: int,
) -> None:
    store = MemoryStore(lot(5), writers)
    encoder = Slow(seconds=PUBLISH_EVERY_S / 2, fails_at=4)
    with pytest.raises(RuntimeError, match="out of order"):
        embed(store, encoder, passage_of, clock=encoder.clock)

    assert store.published == [2 * BATCH]
    embed(store, encoder, passage_of, clock=encoder.clock)
    assert store.published[-1] == 5 * BATCH
    assert right(store)


@pytest.mark.parametrize("writers", [0, 2])
def test_a_run_that_is_stopped_between_batches_is_taken_up_where_it_was_published(
    writers: int,
) -> None:
    def stop(done: int, _of: int) -> None:
        if done == 3 * BATCH:
            raise KeyboardInterrupt

    store, encoder = MemoryStore(lot(5), writers), Slow(seconds=PUBLISH_EVERY_S / 2)
    with pytest.raises(KeyboardInterrupt):
        embed(store, encoder, passage_of, stop, clock=encoder.clock)

    assert len(store.vectors) == 2 * BATCH
    embed(store, encoder, passage_of, clock=encoder.clock)
    assert len(store.vectors) == 5 * BATCH == len(encoder.given)  # texts were kept


@pytest.mark.parametrize("writers", [0, 2])
def test_a_batch_that_cannot_be_written_is_told_and_nothing_of_it_published(writers: int) -> None:
    def fail() -> None:
        raise OSError("no room")

    store = MemoryStore(lot(5), writers, before_put=fail)
    with pytest.raises(OSError, match="no room"):
        embed(store, Hashed(), passage_of)

    assert store.published == []
    assert store.generation == 1


def test_a_key_tells_a_name_from_a_text_and_knows_every_string() -> None:
    passages = [
        Passage("a", "b"),
        Passage("", "ab"),
        Passage("ab", ""),
        Passage("", "a\0b"),
        Passage("", "\ud800"),
    ]

    assert len({passage_key(passage) for passage in passages}) == len(passages)
    assert passage_key(Passage("a", "b")) == passage_key(Passage("a", "b"))


@pytest.mark.parametrize(("width", "more"), [(32, 0), (64, 1), (128, 0)])
def test_vectors_that_would_go_to_the_wrong_chunks_are_refused(width: int, more: int) -> None:
    class Wrong(Hashed):
        def passages(self, passages: Sequence[Passage]) -> Vectors:
            return Vectors(width, bytes(4 * width * (len(passages) + more)))

    with pytest.raises(ModelError, match="expected"):
        embed(MemoryStore(lot(1)), Wrong(), passage_of)
