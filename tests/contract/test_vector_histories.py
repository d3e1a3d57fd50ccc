"""Random histories: after every commit the vectors of a store are those a dictionary would hold."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Sequence

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test

from plait.index.embed import embed
from plait.types import (
    And,
    Change,
    ChunkId,
    Expression,
    Not,
    Or,
    Passage,
    PathLike,
    Pattern,
    Phrase,
    Scope,
    Store,
    Tag,
    Term,
    Vectors,
)
from tests.contract.conftest import NewStore
from tests.contract.notation import file, gone
from tests.contract.test_histories import Histories
from tests.contract.test_vectors import Hashed, floats, nearest, passage_of

CLOSE = 0.02  # what keeping a vector in few bits may cost a cosine
DIGESTS = ("a" * 32, "b" * 32)
MANY = 10_000

conditions: st.SearchStrategy[Expression] = st.recursive(
    st.sampled_from(
        [
            And(()),
            Term("fox"),
            Term("owl"),
            Pattern("^f"),
            Phrase("fox bear", ("fox", "bear")),
            Tag("is", "test"),
            Tag("repo", "r1"),
            Tag("kind", "function"),
            PathLike("*.py"),
            PathLike("moved"),
        ]
    ),
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, max_size=2).map(lambda parts: And(tuple(parts))),
        st.lists(inner, max_size=2).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=4,
)
scopes = st.builds(
    Scope,
    repos=st.one_of(st.none(), st.frozensets(st.sampled_from(["r1", "r2", "r"]))),
    kinds=st.sampled_from([frozenset(), frozenset({"function"}), frozenset({"text"})]),
    paths=st.sampled_from([(), ("a.py", "*.py"), ("dir/**",)]),
    under=st.sampled_from(["", "dir"]),
)


class VectorHistories(Histories):
    """Commits of every sort, and vectors of two models made now and then."""

    @initialize()
    def open(self) -> None:
        super().open()
        self.whole: dict[str, set[tuple[str, str]]] = {}  # by model, the files that have vectors
        self.encoded: dict[str, set[Passage]] = {}  # by model, what had a vector when last made

    def commit(self, batch: list[Change], *, anew: bool = False) -> None:
        super().commit(batch, anew=anew)
        if anew:
            self.whole, self.encoded = {}, {}
        for files in self.whole.values():
            files -= {(change.repo, change.path) for change in batch}

    @rule(digest=st.sampled_from(DIGESTS))
    def embed(self, digest: str) -> None:
        encoder = Hashed(digest)
        self.generation = embed(self.store, encoder, passage_of)
        assert not self.encoded.get(digest, set()).intersection(encoder.given)
        self.whole[digest] = set(self.model.files)
        self.encoded[digest] = {passage_of(chunk) for chunk in self.model.chunks().values()}

    @rule(
        digest=st.sampled_from(DIGESTS),
        text=st.sampled_from(["fox bear\n", "owl\n", "question"]),
        where=conditions,
        scope=scopes,
        limit=st.integers(1, 5),
    )
    def ask(self, digest: str, text: str, where: Expression, scope: Scope, limit: int) -> None:
        encoder = Hashed(digest)
        question = encoder.questions([text])
        snapshot = self.store.snapshot()
        hits = snapshot.nearest(digest, question, where, scope, MANY).hits
        found = {hit.chunk: hit.score for hit in hits}
        expected = self.cosines(encoder, question, self.model.matching(where, scope))

        assert found == pytest.approx({key: expected[key] for key in found}, abs=CLOSE)
        assert {key for key, score in expected.items() if score > CLOSE} <= set(found)
        assert [hit.chunk for hit in hits] == sorted(found, key=lambda key: (-found[key], key))
        few = snapshot.nearest(digest, question, where, scope, limit).hits
        assert [hit.score for hit in few] == [hit.score for hit in hits[:limit]]

    def cosines(
        self, encoder: Hashed, question: Vectors, among: set[ChunkId]
    ) -> dict[ChunkId, float]:
        """What a slow and obvious search would give: all that have a vector."""
        files = self.whole.get(encoder.digest, set())
        asked = floats(question)
        found = {}
        for key, chunk in self.model.chunks().items():
            if key in among and (key.repo, key.path) in files:
                own = floats(Hashed(encoder.digest).passages([passage_of(chunk)]))
                found[key] = sum(a * b for a, b in zip(own, asked, strict=True))
        return found

    @invariant()
    def vectors_are_those_of_the_files_that_have_them(self) -> None:
        if not hasattr(self, "whole"):
            return
        snapshot = self.store.snapshot()
        for digest in DIGESTS:
            files = self.whole.get(digest, set())
            keys = {key for key in self.model.chunks() if (key.repo, key.path) in files}
            listed = [
                key for block, _ in snapshot.embedded(digest, And(()), Scope()) for key in block
            ]
            assert len(listed) == len(set(listed))
            assert set(listed) == keys
            assert set(snapshot.vectors(digest, list(self.model.chunks()))) == keys
            assert snapshot.missing_vectors(digest) == len(self.model.chunks()) - len(keys)
        assert self.store.check() == []


@pytest.mark.slow
def test_vectors_are_those_a_dictionary_would_hold(new_store: NewStore) -> None:
    machine = type("Bound", (VectorHistories,), {"new_store": [new_store]})
    run_state_machine_as_test(machine, settings=settings(max_examples=8, stateful_step_count=15))


class Wide(Hashed):
    """As many dimensions as real models have."""

    dimension = 256
    waits = False

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        return Vectors(256, b"".join(self._wide(passage.text) for passage in passages))

    def questions(self, texts: Sequence[str]) -> Vectors:
        return Vectors(256, b"".join(self._wide(text) for text in texts))

    def _wide(self, text: str) -> bytes:
        generator = random.Random(text)
        raw = [generator.gauss(0, 1) for _ in range(256)]
        length = math.sqrt(sum(x * x for x in raw))
        return struct.pack("<256f", *(x / length for x in raw))


def test_equal_texts_score_equally_wherever_they_stand(store: Store) -> None:
    """Else their order hangs on the history of the index, not on their ids."""
    encoder = Wide()
    texts = [f"same {n}\n" for n in range(10)]
    for begin, end in ((0, 1), (1, 4), (4, 17)):
        store.commit([file(f"{n:02}.py", *texts[n % 3 :]) for n in range(begin, end)])
        embed(store, encoder, passage_of)
    snapshot = store.snapshot()
    question = encoder.questions(["question"])
    scores: dict[str, set[float]] = {}
    for where in (And(()), PathLike("1"), PathLike("02.py")):
        hits = snapshot.nearest(encoder.digest, question, where, Scope(), MANY).hits
        chunks = snapshot.fetch([hit.chunk for hit in hits])
        for hit in hits:
            scores.setdefault(chunks[hit.chunk].text, set()).add(hit.score)

    assert len(scores) > 2
    assert {text: len(found) for text, found in scores.items()} == dict.fromkeys(scores, 1)


def test_of_equal_texts_the_first_by_id_are_found_whatever_the_order_of_commits(
    store: Store,
) -> None:
    store.commit([file(f"{name}.py", "same\n") for name in "dbca"])
    embed(store, Hashed(), passage_of)
    store.commit([file("aa.py", "same\n")])
    embed(store, Hashed(), passage_of)
    question = Hashed().questions(["same\n"])

    for limit in (1, 2, 3, 5):
        hits = store.snapshot().nearest(Hashed().digest, question, And(()), Scope(), limit).hits
        paths = [hit.chunk.path for hit in hits]
        assert paths == ["a.py", "aa.py", "b.py", "c.py", "d.py"][:limit]


@pytest.mark.slow
def test_what_is_dead_is_not_found_though_most_of_a_large_layer_is(store: Store) -> None:
    """A layer is merged by bytes, so a long text can keep thousands of dead chunks beside it."""
    dead = [file(f"d{n:02}.py", *[f"d{n} {k}\n" for k in range(100)]) for n in range(40)]
    living = file("living.py", *[f"living {k}\n" for k in range(50)])
    store.commit([file("long.py", "word " * 30_000 + "\n"), *dead, living])
    embed(store, Hashed(), passage_of)
    store.commit([gone(change.path) for change in dead])
    snapshot = store.snapshot()
    for text in ("d3 4\n", "living 7\n", "question"):
        question = Hashed().questions([text])
        for where in (And(()), Not(Tag("lang", "go"))):
            for limit in (1, 10, 1_000):
                hits = snapshot.nearest(Hashed().digest, question, where, Scope(), limit).hits
                assert {hit.chunk.path for hit in hits} <= {"living.py", "long.py"}
    assert nearest(snapshot, "living 7\n", limit=1) == ["living.py#7"]
    assert snapshot.missing_vectors(Hashed().digest) == 0
