"""What a store promises about vectors: every living chunk, nothing encoded twice."""

from __future__ import annotations

import hashlib
import math
import random
import struct
from collections.abc import Sequence

import pytest

from plait.errors import IndexMissing
from plait.index.embed import embed
from plait.types import (
    And,
    Chunk,
    ChunkId,
    Expression,
    Not,
    Or,
    Passage,
    Scope,
    Snapshot,
    Store,
    Tag,
    Vectors,
)
from tests.contract.notation import file, gone, ids, names, piece

EVERYTHING = And(())
DIMENSION = 64
MANY = 1_000


class Hashed:
    """An encoder whose vectors are drawn from a text's hash; it remembers what it was given."""

    name = "hashed"
    dimension = DIMENSION
    waits = False

    def __init__(self, digest: str = "0" * 32) -> None:
        self.digest = digest
        self.given: list[Passage] = []

    def questions(self, texts: Sequence[str]) -> Vectors:
        return Vectors(DIMENSION, b"".join(self._vector(text) for text in texts))

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        self.given += passages
        return Vectors(DIMENSION, b"".join(self._vector(p.text) for p in passages))

    def _vector(self, text: str) -> bytes:
        seed = hashlib.sha256(f"{self.digest}{text}".encode()).digest()
        generator = random.Random(seed)
        raw = [generator.gauss(0, 1) for _ in range(DIMENSION)]
        length = math.sqrt(sum(x * x for x in raw))
        return struct.pack(f"<{DIMENSION}f", *(x / length for x in raw))


def passage_of(chunk: Chunk) -> Passage:
    return Passage(chunk.symbol.name if chunk.symbol else "", chunk.text)


def floats(vectors: Vectors) -> tuple[float, ...]:
    return struct.unpack(f"<{vectors.dimension}f", vectors.data)


def nearest(
    snapshot: Snapshot,
    text: str,
    where: Expression = EVERYTHING,
    scope: Scope = Scope(),  # noqa: B008  # frozen
    limit: int = MANY,
    encoder: Hashed | None = None,
) -> list[str]:
    model = encoder or Hashed()
    question = model.questions([text])
    return names(snapshot.nearest(model.digest, question, where, scope, limit))


@pytest.fixture
def embedded(store: Store) -> Store:
    store.commit(
        [file(f"f{n:02}.py", f"text {n}\n", piece(f"def g{n}\n", f"g{n}")) for n in range(30)]
    )
    embed(store, Hashed(), passage_of)
    return store


def test_a_text_lies_nearest_to_itself(embedded: Store) -> None:
    snapshot = embedded.snapshot()

    for wanted in ("text 7\n", "def g21\n"):
        found = nearest(snapshot, wanted, limit=1)
        chunk = snapshot.fetch([ChunkId("r", found[0].partition("#")[0], int(found[0][-1] == "1"))])
        assert [c.text for c in chunk.values()] == [wanted]


def test_scores_are_cosines_best_first_and_above_zero(embedded: Store) -> None:
    encoder = Hashed()
    question = encoder.questions(["anything"])
    snapshot = embedded.snapshot()
    hits = snapshot.nearest(encoder.digest, question, EVERYTHING, Scope(), MANY).hits
    chunks = snapshot.fetch([hit.chunk for hit in hits])
    expected = {}
    for hit in hits:
        own = floats(encoder.passages([passage_of(chunks[hit.chunk])]))
        expected[hit.chunk] = sum(a * b for a, b in zip(own, floats(question), strict=True))

    assert 10 < len(hits) < 60  # about half of random directions point away
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.chunk: hit.score for hit in hits} == pytest.approx(expected, abs=0.01)


def test_conditions_and_scope_hold_before_the_top_is_cut(store: Store) -> None:
    store.commit(
        [
            file("a.py", "alpha\n"),
            file("b.go", "alpha\n", language="go"),
            file("c.py", "alpha\n", repo="other"),
            file("d.py", "beta\n", tags=("test",)),
        ]
    )
    embed(store, Hashed(), passage_of)
    snapshot = store.snapshot()

    assert nearest(snapshot, "alpha\n", limit=3) == ["c.py", "a.py", "b.go"]
    assert nearest(snapshot, "alpha\n", Tag("lang", "go"), limit=1) == ["b.go"]
    assert nearest(snapshot, "alpha\n", scope=Scope(repos=frozenset({"r"})), limit=1) == ["a.py"]
    assert nearest(snapshot, "alpha\n", Not(Tag("lang", "python"))) == ["b.go"]
    assert nearest(snapshot, "alpha\n", Or(())) == []
    assert nearest(snapshot, "beta\n", Tag("is", "test")) == ["d.py"]
    assert nearest(snapshot, "alpha\n", limit=0) == []


def test_chunks_without_a_vector_are_counted_and_then_found(store: Store) -> None:
    store.commit([file("a.py", "alpha\n")])
    embed(store, Hashed(), passage_of)
    store.commit([file("b.py", "beta\n", "gamma\n")])
    before = store.snapshot().nearest(
        Hashed().digest, Hashed().questions(["beta\n"]), EVERYTHING, Scope(), MANY
    )
    embed(store, Hashed(), passage_of)
    after = store.snapshot().nearest(
        Hashed().digest, Hashed().questions(["beta\n"]), EVERYTHING, Scope(), MANY
    )

    assert before.is_partial
    assert before.notes[0].startswith("2 of 3 chunks have no vector yet")
    assert names(after)[0] == "b.py"
    assert not after.is_partial


def test_the_same_text_is_encoded_once_wherever_it_stands(store: Store) -> None:
    encoder = Hashed()
    store.commit([file("a.py", "alpha\n", "beta\n"), file("b.py", "alpha\n")])
    embed(store, encoder, passage_of)
    first = len(encoder.given)
    store.commit(
        [gone("a.py"), file("moved.py", "alpha\n", "beta\n"), file("c.py", "alpha\n", repo="fork")]
    )
    embed(store, encoder, passage_of)

    assert first == 2
    assert len(encoder.given) == 2
    assert set(nearest(store.snapshot(), "beta\n", limit=1)) == {"moved.py#1"}


def test_nothing_left_to_embed_makes_no_generation(embedded: Store) -> None:
    generation = embedded.snapshot().generation
    encoder = Hashed()

    assert embed(embedded, encoder, passage_of) == generation
    assert encoder.given == []


def test_removed_and_changed_chunks_are_not_found(embedded: Store) -> None:
    embedded.commit([gone("f03.py"), file("f04.py", "other\n")])
    embed(embedded, Hashed(), passage_of)
    found = nearest(embedded.snapshot(), "text 3\n")

    assert "f03.py" not in found
    assert nearest(embedded.snapshot(), "other\n", limit=1) == ["f04.py"]
    assert "f04.py#1" not in nearest(embedded.snapshot(), "def g4\n")


def test_models_do_not_mix(embedded: Store) -> None:
    other = Hashed("f" * 32)
    generation = embedded.snapshot().generation
    blind = embedded.snapshot().nearest(
        other.digest, other.questions(["text 7\n"]), EVERYTHING, Scope(), MANY
    )
    embed(embedded, other, passage_of)

    assert blind.hits == ()
    assert blind.is_partial
    assert embedded.snapshot().generation > generation
    assert nearest(embedded.snapshot(), "text 7\n", limit=1, encoder=other) == ["f07.py"]
    assert nearest(embedded.snapshot(), "text 7\n", limit=1) == ["f07.py"]


def test_vectors_come_back_as_they_were_encoded(embedded: Store) -> None:
    keys = [*ids("f05.py", "f09.py#1"), *ids("nowhere.py")]
    kept = embedded.snapshot().vectors(Hashed().digest, keys)
    chunks = embedded.snapshot().fetch(keys)

    assert set(kept) == set(keys[:2])
    for key, vector in kept.items():
        encoded = floats(Hashed().passages([passage_of(chunks[key])]))
        assert floats(vector) == pytest.approx(encoded, abs=0.01)


def test_every_chunk_with_a_vector_comes_once_with_its_own(embedded: Store) -> None:
    embedded.commit(
        [gone("f03.py"), file("f04.py", "other\n"), file("new.go", "x\n", language="go")]
    )
    snapshot = embedded.snapshot()
    blocks = list(snapshot.embedded(Hashed().digest, EVERYTHING, Scope()))
    kept = {key: vectors.rows([row]) for keys, vectors in blocks for row, key in enumerate(keys)}

    expected = {f"f{n:02}.py" for n in range(30)} - {"f03.py", "f04.py"}  # neither old nor new
    assert {key.path for key in kept} == expected
    assert sum(len(keys) for keys, _ in blocks) == len(kept) == 56
    assert kept == snapshot.vectors(Hashed().digest, list(kept))


def test_only_chunks_with_a_vector_are_listed_while_others_wait_for_theirs(store: Store) -> None:
    for n in range(25):
        store.commit([file(f"f{n:02}.py", f"text {n}\n")])
        if n == 12:
            embed(store, Hashed(), passage_of)
    snapshot = store.snapshot()
    blocks = snapshot.embedded(Hashed().digest, EVERYTHING, Scope())

    assert {key.path for keys, _ in blocks for key in keys} == {f"f{n:02}.py" for n in range(13)}


def test_vectors_are_listed_by_condition_and_scope(embedded: Store) -> None:
    embedded.commit([file("new.go", "x\n", language="go"), file("f01.py", "y\n", repo="other")])
    embed(embedded, Hashed(), passage_of)
    snapshot = embedded.snapshot()

    def listed(where: Expression, scope: Scope = Scope()) -> list[str]:  # noqa: B008  # frozen
        return [
            str(key) for keys, _ in snapshot.embedded(Hashed().digest, where, scope) for key in keys
        ]

    assert listed(Tag("lang", "go")) == ["r:new.go#0"]
    assert listed(EVERYTHING, Scope(repos=frozenset({"other"}))) == ["other:f01.py#0"]
    assert len(listed(Tag("is", "symbol"))) == 30
    assert listed(Or(())) == []
    assert list(snapshot.embedded("f" * 32, EVERYTHING, Scope())) == []


def test_vectors_survive_many_commits_and_merges(store: Store) -> None:
    encoder = Hashed()
    for n in range(25):
        store.commit([file(f"f{n:02}.py", f"text {n}\n"), file("same.py", f"version {n}\n")])
        if n % 3 == 0:
            embed(store, encoder, passage_of)
    embed(store, encoder, passage_of)
    snapshot = store.snapshot()

    assert all(nearest(snapshot, f"text {n}\n", limit=1) == [f"f{n:02}.py"] for n in range(25))
    assert nearest(snapshot, "version 24\n", limit=1) == ["same.py"]
    assert len(encoder.given) <= 25 + 10
    assert store.check() == []


def test_a_snapshot_keeps_its_vectors_whatever_follows(embedded: Store) -> None:
    snapshot = embedded.snapshot()
    embedded.commit([gone("f07.py")])
    embed(embedded, Hashed(), passage_of)

    assert nearest(snapshot, "text 7\n", limit=1) == ["f07.py"]
    assert "f07.py" not in nearest(embedded.snapshot(), "text 7\n")


def test_an_encoder_that_fails_leaves_everything_as_it_was(embedded: Store) -> None:
    class Failing(Hashed):
        def passages(self, passages: Sequence[Passage]) -> Vectors:
            raise RuntimeError("out of order")

    embedded.commit([file("new.py", "new\n")])
    generation = embedded.snapshot().generation
    with pytest.raises(RuntimeError):
        embed(embedded, Failing(), passage_of)

    assert embedded.snapshot().generation == generation
    assert nearest(embedded.snapshot(), "text 7\n", limit=1) == ["f07.py"]
    assert embedded.check() == []


def test_there_is_nothing_to_embed_without_an_index(store: Store) -> None:
    with pytest.raises(IndexMissing):
        embed(store, Hashed(), passage_of)
