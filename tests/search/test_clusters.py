"""Clusters: what is grouped, what the groups are called, and what a change leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import QueryError, StoreUnsafe
from plait.index.embed import embed
from plait.interfaces.words import shown_words
from plait.search.clustering.folders import shares
from plait.search.clustering.kept import Record, load_record, record_path, save_record
from plait.search.clustering.kmeans import assign, centre_count, fit
from plait.search.clustering.naming import telling_words
from plait.search.clusters import Clustering, clusters
from plait.stores.embedded.store import EmbeddedStore
from plait.types import And, Change, ChunkId, Scope, Snapshot
from tests.contract.notation import file, gone, piece
from tests.search.bag import Bag, passage_of

SUBJECTS = {
    "mail": "mail sender recipient subject attachment inbox spam",
    "tax": "tax rate invoice ledger deduction receipt fiscal",
    "map": "map tile zoom latitude longitude marker layer",
    "song": "song album artist playlist chorus lyric tempo",
}


# ---------------------------------------------------------------- the parts


@pytest.mark.parametrize(
    ("chunks", "count"),
    [(1, 1), (2, 2), (10, 2), (100, 4), (13_000, 50), (21_000, 64), (1_000_000, 200)],
)
def test_as_many_groups_as_suit_the_size(chunks: int, count: int) -> None:
    assert centre_count(chunks) == count


def test_vectors_around_three_directions_make_three_groups() -> None:
    random = numpy.random.default_rng(1)
    middles = numpy.eye(16, dtype="f4")[:3]
    vectors = numpy.repeat(middles, 40, axis=0) + random.normal(0, 0.05, (120, 16)).astype("f4")
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    labels, cosines = assign(vectors, fit(vectors, 3))

    assert [len(set(labels[at : at + 40].tolist())) for at in (0, 40, 80)] == [1, 1, 1]
    assert len(set(labels.tolist())) == 3
    assert cosines.min() > 0.9
    assert (fit(vectors, 3) == fit(vectors, 3)).all()


@given(st.integers(1, 30), st.integers(0, 5), st.data())
def test_any_number_of_groups_can_be_made_of_any_vectors(
    total: int, kinds: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, total))
    random = numpy.random.default_rng(kinds)
    vectors = random.normal(size=(kinds + 1, 8)).astype("f4")[random.integers(0, kinds + 1, total)]
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    centres = fit(vectors, count)
    _, cosines = assign(vectors, centres)

    assert centres.shape == (count, 8)
    assert numpy.isfinite(centres).all()
    if count > kinds + 1:
        assert cosines.min() > 0.999  # every kind of vector has a centre of its own


def test_words_that_every_group_has_tell_nothing() -> None:
    named = telling_words(
        [{"self": 9, "mail": 8, "mails": 6, "send": 2}, {"self": 9, "tax": 5, "send": 2}],
        [10, 10],
        2,
    )

    assert named == [("mail",), ("tax",)]
    assert telling_words([{"mail": 3, "send": 1}], [3], 2) == [("mail", "send")]


@pytest.mark.parametrize(
    ("paths", "folders"),
    [
        pytest.param(["a/b/c/x.py"] * 4, [("a/b/c", 1.0)], id="one-folder"),
        pytest.param(["x.py", "y.py"], [("", 1.0)], id="the-top"),
        pytest.param(
            ["src/a/x.py"] * 6 + ["tests/x.py"] * 4, [("src/a", 0.6), ("tests", 0.4)], id="two"
        ),
        pytest.param(
            ["src/a/x.py"] * 9 + ["src/b/y.py"] * 9 + ["z.py"] * 2,
            [("src/a", 0.45), ("src/b", 0.45)],
            id="within-what-holds-most",
        ),
        pytest.param([f"all/{n}/x.py" for n in range(20)], [("all", 1.0)], id="scattered"),
        pytest.param([], [], id="none"),
    ],
)
def test_folders_are_named_as_deep_as_they_say_something(
    paths: list[str], folders: list[tuple[str, float]]
) -> None:
    assert [(one.folder, round(one.share, 6)) for one in shares(paths)] == folders


# ---------------------------------------------------------------- over a store


def function(subject: str, n: int) -> str:
    """A function whose words are mostly of one subject."""
    words = Random(f"{subject}{n}").choices(SUBJECTS[subject].split(), k=12)
    return f"def f{n}(self):\n    return self.value + {' + '.join(words)}\n"


def subject_file(subject: str, n: int, *more: str) -> Change:
    pieces = [piece(function(subject, n * 10 + k), f"{subject}_part{k}") for k in range(3)]
    return file(f"{subject}/file{n}.py", *pieces, *[piece(text, "more") for text in more])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    made = EmbeddedStore(tmp_path / "store", "clusters")
    made.commit([subject_file(subject, n) for subject in SUBJECTS for n in range(8)])
    embed(made, Bag(), passage_of)
    yield made
    made.close()


def made(store: EmbeddedStore, folder: Path | None = None, count: int = 4) -> Clustering:
    return clusters(store.snapshot(), Bag.digest, shown_words, count=count, folder=folder)


def by_file(found: Clustering) -> dict[str, set[int]]:
    groups: dict[str, set[int]] = {}
    for key, number in found.members.items():
        groups.setdefault(key.path, set()).add(number)
    return groups


def test_each_subject_is_a_group_named_by_its_words(store: EmbeddedStore) -> None:
    found = made(store)

    assert [one.size for one in found.clusters] == [24] * 4
    assert sorted(one.folders[0].folder for one in found.clusters) == sorted(SUBJECTS)
    for one in found.clusters:
        subject = one.folders[0].folder
        assert set(one.words) <= {*SUBJECTS[subject].split(), "part"}
        assert len(one.words) == 5
        assert len({chunk.symbol.name for chunk in one.central if chunk.symbol}) == 3


def test_the_same_index_gives_the_same_clusters_however_it_was_built(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    again = EmbeddedStore(tmp_path / "again", "clusters")
    changes = [subject_file(subject, n) for subject in SUBJECTS for n in range(8)]
    for part in (changes[20:], changes[:5], changes[5:20]):
        again.commit(part)
    embed(again, Bag(), passage_of)

    assert made(store) == made(store) == made(again)


def test_a_changed_file_moves_only_its_own_chunks(store: EmbeddedStore, tmp_path: Path) -> None:
    before = made(store, tmp_path / "kept")
    store.commit([file("mail/file3.py", piece(function("song", 999), "f"))])
    embed(store, Bag(), passage_of)
    after = made(store, tmp_path / "kept")

    changed = ChunkId("r", "mail/file3.py", 0)
    song, mail = (by_file(before)[f"{subject}/file1.py"] for subject in ("song", "mail"))
    assert after.is_kept
    assert after.changed == pytest.approx(3 / 96)
    assert {before.members[changed]} == mail
    assert {after.members[changed]} == song
    others = {key: group for key, group in after.members.items() if key != changed}
    assert others == {k: g for k, g in before.members.items() if k.path != changed.path}
    assert _names(after) == _names(before)


def _names(found: Clustering) -> dict[int, tuple[str, ...]]:
    return {one.number: one.words for one in found.clusters}


def test_when_too_much_has_changed_the_groups_are_made_anew(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    made(store, tmp_path / "kept")
    store.commit([gone(f"tax/file{n}.py") for n in range(8)])
    embed(store, Bag(), passage_of)
    anew = made(store, tmp_path / "kept")

    assert not anew.is_kept
    assert made(store, tmp_path / "kept").is_kept


def test_other_questions_are_kept_apart(store: EmbeddedStore, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    made(store, folder)
    assert not made(store, folder, count=3).is_kept
    assert not clusters(
        store.snapshot(), Bag.digest, shown_words, scope=Scope(under="mail"), folder=folder
    ).is_kept
    assert not clusters(
        store.snapshot(), Bag.digest, shown_words, where=And(()), count=4, folder=folder
    ).is_kept
    assert made(store, folder).is_kept


def test_a_damaged_record_is_made_anew(store: EmbeddedStore, tmp_path: Path) -> None:
    made(store, tmp_path / "kept")
    (record,) = (tmp_path / "kept").glob("*.npz")
    whole = record.read_bytes()
    for damaged in (b"", b"PK\x03\x04", whole[: len(whole) // 2]):
        record.write_bytes(damaged)
        assert load_record(record) is None
        assert not made(store, tmp_path / "kept").is_kept
    assert load_record(record) is not None


def test_the_record_of_another_question_is_not_believed(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    usual = made(store, folder)
    (first,) = folder.glob("*.npz")
    made(store, folder, count=3)
    (other,) = set(folder.glob("*.npz")) - {first}
    other.replace(first)
    after = made(store, folder)

    assert not after.is_kept
    assert after.members == usual.members


def test_few_chunks_or_none_still_make_groups(store: EmbeddedStore) -> None:
    def below(folder: str) -> Clustering:
        scope = Scope(under=folder)
        return clusters(store.snapshot(), Bag.digest, shown_words, scope=scope)

    assert below("nowhere").clusters == ()
    assert sum(one.size for one in below("mail").clusters) == 24
    store.commit([file("one/x.py", piece(function("map", 1), "x"))])
    embed(store, Bag(), passage_of)
    assert [one.size for one in below("one").clusters] == [1]


@pytest.mark.parametrize("count", [-1, 201])
def test_a_senseless_number_of_groups_is_refused(store: EmbeddedStore, count: int) -> None:
    with pytest.raises(QueryError, match="1 to 200 clusters"):
        made(store, count=count)


def test_chunks_whose_vector_points_nowhere_are_left_out(store: EmbeddedStore) -> None:
    store.commit([file("odd/x.py", piece("== 12 ==\n", "1"))])
    embed(store, Bag(), passage_of)
    snapshot: Snapshot = store.snapshot()

    assert ChunkId("r", "odd/x.py", 0) in snapshot.vectors(
        Bag.digest, [ChunkId("r", "odd/x.py", 0)]
    )
    assert ChunkId("r", "odd/x.py", 0) not in made(store).members


def test_nothing_is_kept_in_an_index_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "store").symlink_to(tmp_path / "real")
    record = Record(numpy.zeros((1, 2), dtype="float32"), (("a",),), {b"0" * 16: 1})

    with pytest.raises(StoreUnsafe):
        save_record(record_path(tmp_path / "store" / "clusters", "key"), record)

    assert list((tmp_path / "real").iterdir()) == []
