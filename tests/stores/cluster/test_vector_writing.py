"""Vectors on a cluster: what OpenSearch would lose, mix up or never find if nobody took care."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from plait.errors import IndexBusy, IndexCorrupt
from plait.index.embed import embed
from plait.stores.cluster import settling
from plait.stores.cluster.address import Address
from plait.stores.cluster.connection import Json
from plait.stores.cluster.grams import gram_terms
from plait.stores.cluster.manifest import change_manifest
from plait.stores.cluster.nearest import MIN_K
from plait.stores.cluster.schema import near_field, vectors_index
from plait.stores.cluster.store import ClusterStore
from plait.types import And, ChunkId, Passage, Scope, Term, Vectors
from tests.cluster import running
from tests.contract.notation import file, gone, piece
from tests.contract.test_vectors import DIMENSION, Hashed, floats, nearest, passage_of

OTHER = "f" * 32


@pytest.fixture
def store(one_node: running.Running) -> Iterator[ClusterStore]:
    """An empty collection."""
    address = one_node.addresses[0].replace("http://", "opensearch://")
    made = ClusterStore(Address.parse(f"{address}/vectors-{uuid.uuid4().hex}", {}), "vectors")
    yield made
    made.clear()
    made.close()


def found(store: ClusterStore, query: Json) -> int:
    """How many documents of the collection a bare query finds."""
    answer = store.connection.ask("POST", f"/{store.alias}/_count", {"query": query})
    return int(answer["count"])


def cosines(store: ClusterStore, encoder: Hashed, text: str, limit: int) -> list[str]:
    hits = store.snapshot().nearest(
        encoder.digest, encoder.questions([text]), And(()), Scope(), limit
    )
    return [hit.chunk.path for hit in hits.hits]


def test_a_name_is_still_found_by_its_grams_once_its_chunk_has_a_vector(
    store: ClusterStore,
) -> None:
    """OpenSearch keeps no grams, and writes a document anew to change it."""
    store.commit([file("a.py", piece("def handshake\n", "handshake"), "no name\n")])
    grams = [{"term": {"name_grams": gram}} for gram in gram_terms(b"handshake").split()]
    embed(store, Hashed(), passage_of)

    assert found(store, {"bool": {"filter": grams}}) == 1


def test_a_vector_of_zeros_is_kept_and_found_by_nobody(store: ClusterStore) -> None:
    class Mute(Hashed):
        def passages(self, passages: Sequence[Passage]) -> Vectors:
            self.given += passages
            return Vectors(DIMENSION, bytes(4 * DIMENSION * len(passages)))

    encoder, key = Mute(), ChunkId("r", "a.py", 0)
    store.commit([file("a.py", "alpha\n")])
    embed(store, encoder, passage_of)
    snapshot = store.snapshot()
    embed(store, encoder, passage_of)

    assert snapshot.missing_vectors(encoder.digest) == 0
    assert floats(snapshot.vectors(encoder.digest, [key])[key]) == (0.0,) * DIMENSION
    assert nearest(snapshot, "alpha\n", encoder=encoder) == []
    assert len(encoder.given) == 1


def test_a_question_of_zeros_finds_nothing(store: ClusterStore) -> None:
    store.commit([file("a.py", "alpha\n")])
    embed(store, Hashed(), passage_of)
    question = Vectors(DIMENSION, bytes(4 * DIMENSION))

    assert store.snapshot().nearest(Hashed().digest, question, And(()), Scope(), 5).hits == ()


def test_of_more_equal_texts_than_are_looked_at_the_first_by_id_are_found(
    store: ClusterStore,
) -> None:
    names = [f"{number * 7919 % 1000:03}.py" for number in range(MIN_K + 200)]
    store.commit([file(name, "same\n") for name in names])
    embed(store, Hashed(), passage_of)

    assert cosines(store, Hashed(), "same\n", 5) == sorted(names)[:5]
    assert cosines(store, Hashed(), "same\n", MIN_K + 50) == sorted(names)[: MIN_K + 50]


def test_the_vector_of_a_text_is_kept_though_the_collection_is_built_anew(
    store: ClusterStore,
) -> None:
    encoder = Hashed()
    store.commit([file("a.py", "alpha\n")])
    embed(store, encoder, passage_of)
    store.commit([file("b.py", "alpha\n", "beta\n")], anew=True)
    embed(store, encoder, passage_of)

    assert [passage.text for passage in encoder.given] == ["alpha\n", "beta\n"]
    assert cosines(store, encoder, "alpha\n", 1) == ["b.py"]


def test_a_chunk_whose_kept_vector_of_another_model_is_lost_gets_it_again(
    store: ClusterStore,
) -> None:
    first, other = Hashed(), Hashed(OTHER)
    store.commit([file("a.py", "alpha\n")])
    embed(store, first, passage_of)
    store.connection.ask("DELETE", f"/{vectors_index(store.address.collection)}")
    embed(store, other, passage_of)

    assert store.snapshot().missing_vectors(first.digest) == 1
    assert found(store, {"exists": {"field": near_field(first.digest)}}) == 0
    embed(store, first, passage_of)
    assert [store.snapshot().missing_vectors(one.digest) for one in (first, other)] == [0, 0]
    assert cosines(store, first, "alpha\n", 1) == cosines(store, other, "alpha\n", 1) == ["a.py"]


def test_vectors_that_are_lost_are_reported_not_left_out(store: ClusterStore) -> None:
    store.commit([file("a.py", "alpha\n")])
    embed(store, Hashed(), passage_of)
    store.connection.ask("DELETE", f"/{vectors_index(store.address.collection)}")

    with pytest.raises(IndexCorrupt, match="1 texts have lost their vectors"):
        store.snapshot().vectors(Hashed().digest, [ChunkId("r", "a.py", 0)])


def test_nothing_is_published_in_an_index_that_another_takes_over(store: ClusterStore) -> None:
    store.commit([file("a.py", "alpha\n")])
    change_manifest(
        store.connection, store.alias, lambda read: replace(read.manifest, closed_for="next")
    )
    with pytest.raises(IndexBusy, match="rebuilt meanwhile"):
        embed(store, Hashed(), passage_of)

    assert store.snapshot().generation == 1


def test_nothing_is_published_while_the_index_is_held(store: ClusterStore) -> None:
    store.commit([file("a.py", "alpha\n")])
    until = time.time() + 0.7
    change_manifest(
        store.connection, store.alias, lambda read: replace(read.manifest, held_until=until)
    )
    generation = embed(store, Hashed(), passage_of)

    assert time.time() >= until
    assert generation == store.snapshot().generation == 2


@pytest.mark.slow
def test_files_may_change_while_they_are_embedded(store: ClusterStore) -> None:
    """What was replaced meanwhile is left alone, and both come to an end."""
    names = [f"f{number:03}.py" for number in range(150)]
    store.commit([file(name, *[f"{name} {k}\n" for k in range(10)]) for name in names])

    def change() -> None:
        for number in range(0, 150, 10):
            new = [file(name, f"new {name}\n") for name in names[number + 1 : number + 10]]
            store.commit([gone(names[number]), *new])

    with ThreadPoolExecutor() as pool:
        changing = pool.submit(change)
        while not changing.done():
            embed(store, Hashed(), passage_of, within_s=0)
        changing.result()
    embed(store, Hashed(), passage_of)
    snapshot = store.snapshot()
    blocks = snapshot.embedded(Hashed().digest, And(()), Scope())
    listed = [key.path for keys, _ in blocks for key in keys]

    assert store.check() == []
    assert snapshot.missing_vectors(Hashed().digest) == 0
    assert sorted(listed) == sorted(set(names) - set(names[::10]))
    assert cosines(store, Hashed(), f"new {names[5]}\n", 1) == [names[5]]


@pytest.mark.slow
def test_two_models_may_embed_at_once(store: ClusterStore) -> None:
    """A document that both write says truly what it has; the next call makes up for the rest."""
    store.commit([file(f"f{n:03}.py", *[f"f {n} {k}\n" for k in range(10)]) for n in range(120)])
    encoders = [Hashed(), Hashed(OTHER)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda encoder: embed(store, encoder, passage_of), encoders))
    snapshot = store.snapshot()
    fields = [{"exists": {"field": near_field(encoder.digest)}} for encoder in encoders]
    having = [1_200 - snapshot.missing_vectors(encoder.digest) for encoder in encoders]

    assert [found(store, field) for field in fields] == having
    for encoder in encoders:
        embed(store, encoder, passage_of)
    for encoder in encoders:
        assert store.snapshot().missing_vectors(encoder.digest) == 0
        assert cosines(store, encoder, "f 77 3\n", 1) == ["f077.py"]
        assert len(encoder.given) == 1_200


def test_after_a_large_load_nothing_that_was_replaced_is_left(
    store: ClusterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would weigh on how rare words seem, and take as much disk again."""
    store.commit([file("a.py", *(f"word{number}\n" for number in range(40)))])
    monkeypatch.setattr(settling, "MANY", 30)
    encoder = Hashed()

    embed(store, encoder, passage_of)

    assert deleted(store) < 5
    assert len(store.snapshot().match(Term("word7"), Scope(), 9).hits) == 1
    assert store.snapshot().missing_vectors(encoder.digest) == 0


def test_a_few_that_were_replaced_are_left_to_the_engine(store: ClusterStore) -> None:
    store.commit([file("a.py", *(f"word{number}\n" for number in range(40)))])

    embed(store, Hashed(), passage_of)

    assert deleted(store) >= 40


def test_a_search_that_embeds_on_its_way_does_not_wait_for_that(
    store: ClusterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.commit([file("a.py", *(f"word{number}\n" for number in range(40)))])
    monkeypatch.setattr(settling, "MANY", 30)

    embed(store, Hashed(), passage_of, within_s=5)

    assert deleted(store) >= 40


def deleted(store: ClusterStore) -> int:
    """Documents on disk that no search finds."""
    told = store.connection.ask("GET", f"/{store.alias}/_stats/docs")
    return int(told["_all"]["primaries"]["docs"]["deleted"])
