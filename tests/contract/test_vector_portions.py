"""Vectors are made in portions: each is a generation of its own, and none is made twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from plait.index.embed import embed, passage_key
from plait.types import And, Change, Passage, Scope, Snapshot, Store, Term, Vectors, VectorSession
from tests.contract.notation import file, gone, ids
from tests.contract.test_vectors import Hashed, nearest, passage_of

MODEL = Hashed().digest
CHUNKS = 10  # of a file
FILES = 120  # more than two portions, however little time there is


def lot(name: str = "f", files: int = FILES) -> list[Change]:
    """Files that all differ."""
    return [
        file(f"{name}{n:03}.py", *[f"{name} {n} part {k}\n" for k in range(CHUNKS)])
        for n in range(files)
    ]


def portion(store: Store, encoder: Hashed | None = None) -> Hashed:
    """Make as many vectors as can be made in no time."""
    made = encoder or Hashed()
    embed(store, made, passage_of, within_s=0)
    return made


def with_vectors(snapshot: Snapshot) -> set[str]:
    """The paths of all chunks that have a vector."""
    blocks = snapshot.embedded(MODEL, And(()), Scope())
    return {key.path for keys, _ in blocks for key in keys}


def told(snapshot: Snapshot) -> tuple[str, ...]:
    question = Hashed().questions(["f 3 part 0\n"])
    return snapshot.nearest(MODEL, question, And(()), Scope(), 1).notes


@pytest.fixture
def begun(store: Store) -> Store:
    """A store in which some chunks have vectors."""
    store.commit(lot())
    portion(store)
    return store


def test_a_portion_is_published_and_says_what_is_missing(begun: Store) -> None:
    snapshot = begun.snapshot()
    lacking = snapshot.missing_vectors(MODEL)

    assert 0 < lacking < FILES * CHUNKS
    assert len(with_vectors(snapshot)) * CHUNKS == FILES * CHUNKS - lacking
    assert told(snapshot)[0].startswith(f"{lacking:,} of {FILES * CHUNKS:,} chunks have no vector")
    assert nearest(snapshot, "f 3 part 0\n", limit=1) == ["f003.py"]
    assert len(snapshot.match(Term("part"), Scope(), 5_000).hits) == FILES * CHUNKS
    assert begun.check() == []


def test_the_next_portion_goes_on_and_encodes_nothing_again(store: Store) -> None:
    store.commit(lot())
    encoder, generations = Hashed(), [store.snapshot().generation]
    lacking = [FILES * CHUNKS]
    while lacking[-1]:
        portion(store, encoder)
        lacking.append(store.snapshot().missing_vectors(MODEL))
        generations.append(store.snapshot().generation)

    assert lacking == sorted(set(lacking), reverse=True)
    assert generations == sorted(set(generations))
    assert len(lacking) > 3
    assert len(encoder.given) == len(set(encoder.given)) == FILES * CHUNKS
    assert told(store.snapshot()) == ()
    assert portion(store, Hashed()).given == []
    assert store.snapshot().generation == generations[-1]


def test_chunks_that_are_gone_are_not_missing(begun: Store) -> None:
    """Of what never got a vector, only what is alive is waited for."""
    waiting = sorted(set(begun.snapshot().digests("r")) - with_vectors(begun.snapshot()))
    begun.commit([gone(path) for path in waiting[:20]])
    after = begun.snapshot()

    assert after.missing_vectors(MODEL) == (len(waiting) - 20) * CHUNKS
    assert told(after)[0].startswith(f"{(len(waiting) - 20) * CHUNKS:,} of ")
    begun.commit([gone(path) for path in waiting[20:]])
    assert begun.snapshot().missing_vectors(MODEL) == 0
    assert portion(begun).given == []
    assert begun.check() == []


def test_words_committed_between_portions_are_embedded_too(begun: Store) -> None:
    begun.commit([gone("f003.py"), *lot("g", 3), file("f004.py", "other\n")])
    encoder = Hashed()
    embed(begun, encoder, passage_of)
    snapshot = begun.snapshot()

    assert snapshot.missing_vectors(MODEL) == 0
    assert nearest(snapshot, "other\n", limit=1) == ["f004.py"]
    assert nearest(snapshot, "g 2 part 1\n", limit=1) == ["g002.py#1"]
    assert "f003.py" not in nearest(snapshot, "f 3 part 0\n")
    assert len(encoder.given) == len(set(encoder.given))
    assert begun.check() == []


def test_a_snapshot_between_two_portions_keeps_its_vectors(begun: Store) -> None:
    """Even if it is asked for them only when the next portion has replaced the files."""
    before = begun.snapshot()
    embed(begun, Hashed(), passage_of)

    assert nearest(before, "f 3 part 0\n", limit=1) == ["f003.py"]
    assert 0 < before.missing_vectors(MODEL) < FILES * CHUNKS
    assert begun.snapshot().missing_vectors(MODEL) == 0


def test_a_file_moved_between_portions_is_not_encoded_again(begun: Store) -> None:
    moved = file("z.py", *[f"f 3 part {k}\n" for k in range(CHUNKS)])
    begun.commit([gone("f003.py"), *lot("g", 60), moved])
    encoder = Hashed()
    while begun.snapshot().missing_vectors(MODEL):
        portion(begun, encoder)

    assert [passage for passage in encoder.given if passage.text.startswith("f 3 ")] == []


def test_a_portion_that_fails_leaves_the_one_before(begun: Store) -> None:
    class Failing(Hashed):
        def passages(self, passages: Sequence[Passage]) -> Vectors:
            raise RuntimeError("out of order")

    before = begun.snapshot()
    with pytest.raises(RuntimeError):
        embed(begun, Failing(), passage_of)

    assert begun.snapshot().generation == before.generation
    assert begun.snapshot().missing_vectors(MODEL) == before.missing_vectors(MODEL)
    assert begun.check() == []


def test_who_watches_is_told_of_every_chunk(store: Store) -> None:
    store.commit(lot())
    seen: list[tuple[int, int]] = []
    embed(store, Hashed(), passage_of, lambda done, of: seen.append((done, of)))

    assert seen == sorted(seen)
    assert seen[-1] == (FILES * CHUNKS, FILES * CHUNKS)


def test_models_are_embedded_in_portions_of_their_own(begun: Store) -> None:
    other = Hashed("f" * 32)
    lacking = begun.snapshot().missing_vectors(MODEL)
    embed(begun, other, passage_of)
    snapshot = begun.snapshot()

    assert len(other.given) == FILES * CHUNKS
    assert snapshot.missing_vectors(MODEL) == lacking
    assert snapshot.missing_vectors(other.digest) == 0
    assert nearest(snapshot, "f 110 part 3\n", limit=1, encoder=other) == ["f110.py#3"]
    assert "f110.py#3" not in nearest(snapshot, "f 110 part 3\n")


def test_a_text_that_stands_in_every_portion_is_encoded_once(store: Store) -> None:
    copies = [file(f"copy{n:03}.py", *[f"same {k}\n" for k in range(CHUNKS)]) for n in range(FILES)]
    store.commit([change for pair in zip(copies, lot(), strict=True) for change in pair])
    encoder = Hashed()
    embed(store, encoder, passage_of)
    snapshot = store.snapshot()
    first, last = ids("copy000.py#3", f"copy{FILES - 1}.py#3")

    assert len(encoder.given) == len(set(encoder.given)) == FILES * CHUNKS + CHUNKS
    assert snapshot.missing_vectors(MODEL) == 0
    assert len(set(snapshot.vectors(MODEL, [first, last]).values())) == 1
    assert nearest(snapshot, "f 3 part 0\n", limit=1) == ["f003.py"]
    assert store.check() == []


def test_new_files_among_old_ones_are_embedded_with_them(begun: Store) -> None:
    """Rows with and without vectors may follow one another in any order."""
    begun.commit([file(f"f{n:03}.py", f"new {n}\n") for n in range(0, FILES, 2)])
    encoder = Hashed()
    embed(begun, encoder, passage_of)
    begun.commit([gone(f"f{n:03}.py") for n in range(0, FILES, 3)])
    begun.commit([file(f"f{n:03}.py", f"third {n}\n") for n in range(0, FILES, 6)])
    embed(begun, encoder, passage_of)
    snapshot = begun.snapshot()

    assert snapshot.missing_vectors(MODEL) == 0
    assert len(encoder.given) == len(set(encoder.given))
    for text, path in (
        ("new 2\n", "f002.py"),
        ("third 6\n", "f006.py"),
        ("f 1 part 0\n", "f001.py"),
    ):
        assert nearest(snapshot, text, limit=1) == [path]
    assert begun.check() == []


def test_a_session_that_is_left_with_an_error_publishes_nothing(begun: Store) -> None:
    before = begun.snapshot()
    with pytest.raises(RuntimeError), begun.vector_session(Hashed(), 0) as session:
        put_one_batch(session, then=RuntimeError("stopped"))

    assert begun.snapshot().generation == before.generation == session.generation
    assert begun.snapshot().missing_vectors(MODEL) == before.missing_vectors(MODEL)
    assert begun.check() == []


def test_a_session_tells_the_generation_that_has_its_vectors(begun: Store) -> None:
    before = begun.snapshot()
    with begun.vector_session(Hashed(), 0) as session:
        assert session.generation == before.generation
        assert session.missing == before.missing_vectors(MODEL)
        put_one_batch(session)

    assert session.generation == begun.snapshot().generation > before.generation
    assert 0 < begun.snapshot().missing_vectors(MODEL) < session.missing


def test_a_session_in_which_nothing_is_put_makes_no_generation(begun: Store) -> None:
    generation = begun.snapshot().generation
    with begun.vector_session(Hashed(), 0) as session:
        pass

    assert session.generation == generation == begun.snapshot().generation
    assert begun.check() == []


def put_one_batch(session: VectorSession, then: Exception | None = None) -> None:
    """Give the first chunks that lack one a vector, and fail if that is asked for."""
    batch = next(iter(session.batches(CHUNKS)))
    keys = [passage_key(passage_of(chunk)) for chunk in batch.chunks]
    known = batch.known(keys)
    batch.put(
        {
            key: Hashed().passages([passage_of(chunk)])
            for key, chunk in zip(keys, batch.chunks, strict=True)
            if key not in known
        }
    )
    if then is not None:
        raise then
