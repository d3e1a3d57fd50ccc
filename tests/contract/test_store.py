"""What a store promises about commits and snapshots."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from plait.errors import IndexMissing
from plait.types import (
    Change,
    Chunk,
    ChunkId,
    Scope,
    Snapshot,
    Store,
    Tag,
    Term,
)
from tests.contract.notation import file, gone, ids, names
from tests.contract.reference import Model

EVERYTHING = 10_000


class Trouble(Exception):
    """What a source of changes may raise."""


def contents(snapshot: Snapshot) -> dict[ChunkId, Chunk]:
    """Every chunk of a snapshot, found file by file."""
    found: dict[ChunkId, Chunk] = {}
    for repo in snapshot.repos():
        for path in snapshot.digests(repo):
            outline = snapshot.outline(repo, path)
            chunks = snapshot.fetch(outline)
            assert list(outline) == [ChunkId(repo, path, n) for n in range(len(outline))]
            found.update({key: chunks[key] for key in outline})
    return found


def words_of(snapshot: Snapshot, term: str) -> list[str]:
    """Where a word is found."""
    return sorted(names(snapshot.match(Term(term), Scope(), EVERYTHING)))


def assert_holds(store: Store, model: Model) -> None:
    """The store holds what the model does, by whatever way one looks at it."""
    snapshot = store.snapshot()
    try:
        assert list(snapshot.repos()) == model.repos()
        for repo in model.repos():
            assert dict(snapshot.digests(repo)) == model.digests(repo)
        assert contents(snapshot) == model.chunks()
        assert snapshot.links(reversed(model.links())) == model.links()
        assert store.check() == []
    finally:
        snapshot.close()


# ---------------------------------------------------------------- commits


def test_before_the_first_commit_there_is_no_snapshot(store: Store) -> None:
    with pytest.raises(IndexMissing):
        store.snapshot()


def test_a_commit_is_visible_when_it_returns(store: Store) -> None:
    generation = store.commit([file("a.py", "one\n")])
    snapshot = store.snapshot()

    assert snapshot.generation == generation
    assert words_of(snapshot, "one") == ["a.py"]
    assert_holds(store, Model([file("a.py", "one\n")]))


def test_a_first_commit_of_nothing_makes_an_empty_index(store: Store) -> None:
    store.commit([])
    snapshot = store.snapshot()

    assert list(snapshot.repos()) == []
    assert snapshot.digests("r") == {}
    assert snapshot.statistics().chunks == 0
    assert words_of(snapshot, "one") == []
    assert store.check() == []


def test_a_change_replaces_all_that_was_known_of_its_file(store: Store) -> None:
    store.commit([file("a.py", "one\n", "two\n", "three\n"), file("b.py", "one\n")])
    store.commit([file("a.py", "four\n", language="go", tags=("test",))])
    snapshot = store.snapshot()

    assert words_of(snapshot, "one") == ["b.py"]
    assert words_of(snapshot, "three") == []
    assert names(snapshot.match(Tag("lang", "go"), Scope(), 9)) == ["a.py"]
    assert list(snapshot.outline("r", "a.py")) == ids("a.py")
    assert_holds(
        store,
        Model([file("a.py", "four\n", language="go", tags=("test",)), file("b.py", "one\n")]),
    )


def test_a_change_without_a_file_removes_it(store: Store) -> None:
    store.commit([file("a.py", "one\n"), file("b.py", "one\n")])
    store.commit([gone("a.py")])
    snapshot = store.snapshot()

    assert words_of(snapshot, "one") == ["b.py"]
    assert list(snapshot.outline("r", "a.py")) == []
    assert snapshot.fetch(ids("a.py")) == {}
    assert_holds(store, Model([file("b.py", "one\n")]))


def test_a_removed_file_can_come_back(store: Store) -> None:
    for text in ("one\n", "two\n", "one\n"):
        store.commit([file("a.py", text)])
        store.commit([gone("a.py")])
    store.commit([file("a.py", "one\n")])

    assert words_of(store.snapshot(), "one") == ["a.py"]
    assert_holds(store, Model([file("a.py", "one\n")]))


def test_removing_the_last_file_of_a_repository_removes_the_repository(store: Store) -> None:
    store.commit([file("a.py", "one\n"), file("a.py", "one\n", repo="other")])
    store.commit([gone("a.py")])

    assert list(store.snapshot().repos()) == ["other"]
    assert store.snapshot().digests("r") == {}


def test_removing_a_file_that_is_not_there_changes_nothing(store: Store) -> None:
    store.commit([file("a.py", "one\n")])
    store.commit([gone("b.py"), gone("a.py", repo="other")])

    assert_holds(store, Model([file("a.py", "one\n")]))


def test_a_path_in_two_repositories_is_two_files(store: Store) -> None:
    first, second = file("a.py", "one\n", repo="x"), file("a.py", "one two\n", repo="y")
    store.commit([first, second])
    assert_holds(store, Model([first, second]))
    store.commit([gone("a.py", repo="x")])

    assert_holds(store, Model([second]))


def test_equal_files_are_kept_apart(store: Store) -> None:
    twins = [file(f"{name}.py", "one two\n", "three\n") for name in "abc"]
    store.commit(twins)
    store.commit([gone("a.py"), file("b.py", "other\n")])

    assert_holds(store, Model([file("b.py", "other\n"), twins[2]]))


@pytest.mark.parametrize("before", [[], [file("a.py", "one\n")]], ids=["first", "later"])
@pytest.mark.parametrize("after", [0, 1, 50], ids=lambda count: f"after-{count}-files")
def test_if_the_changes_raise_nothing_has_happened(
    store: Store, before: list[Change], after: int
) -> None:
    def changes() -> Iterator[Change]:
        yield from (file(f"new{n}.py", "new\n") for n in range(after))
        if after:
            yield file("a.py", "changed\n")
        raise Trouble

    for change in before:
        store.commit([change])
    generation = store.snapshot().generation if before else 0
    with pytest.raises(Trouble):
        store.commit(changes())

    if not before:
        with pytest.raises(IndexMissing):
            store.snapshot()
    else:
        assert store.snapshot().generation == generation
        assert_holds(store, Model(before))
    store.commit([file("b.py", "two\n")])
    assert_holds(store, Model([*before, file("b.py", "two\n")]))


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble("x"),
        FileNotFoundError(2, "no such source"),
        PermissionError(13, "x"),
        ValueError("x"),
    ],
    ids=lambda trouble: type(trouble).__name__,
)
def test_what_the_changes_raise_comes_out_as_it_is(store: Store, trouble: Exception) -> None:
    def changes() -> Iterator[Change]:
        yield file("b.py", "two\n")
        raise trouble

    store.commit([file("a.py", "one\n")])
    with pytest.raises(Exception) as caught:  # noqa: PT011  # which one is asked below
        store.commit(changes())

    assert caught.value is trouble


def test_an_interrupt_is_no_exception_to_that(store: Store) -> None:
    def changes() -> Iterator[Change]:
        yield file("a.py", "changed\n")
        raise KeyboardInterrupt

    store.commit([file("a.py", "one\n")])
    with pytest.raises(KeyboardInterrupt):
        store.commit(changes())

    assert_holds(store, Model([file("a.py", "one\n")]))


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param([file("b.py", "1\n"), file("b.py", "2\n")], id="changed-twice"),
        pytest.param([file("b.py", "1\n"), gone("b.py")], id="changed-and-removed"),
        pytest.param([gone("a.py"), gone("a.py")], id="removed-twice"),
        pytest.param([file("b.py", "1\n"), file("c.py")], id="no-chunks"),
    ],
)
def test_a_commit_that_makes_no_sense_is_refused_whole(store: Store, bad: list[Change]) -> None:
    store.commit([file("a.py", "one\n")])
    with pytest.raises(ValueError, match=r"changes twice|has no chunks"):
        store.commit(bad)

    assert_holds(store, Model([file("a.py", "one\n")]))


def test_anew_forgets_everything_before_in_the_same_step(store: Store) -> None:
    store.commit([file("a.py", "one\n"), file("b.py", "one\n", repo="other")])
    held = store.snapshot()
    store.commit([file("c.py", "one two\n")], anew=True)

    assert words_of(held, "one") == ["a.py", "b.py"]
    assert words_of(store.snapshot(), "one") == ["c.py"]
    assert store.snapshot().count([Term("one")])[0] == 1
    assert_holds(store, Model([file("c.py", "one two\n")]))


def test_anew_that_fails_forgets_nothing(store: Store) -> None:
    def changes() -> Iterator[Change]:
        yield file("c.py", "three\n")
        raise Trouble

    store.commit([file("a.py", "one\n")])
    with pytest.raises(Trouble):
        store.commit(changes(), anew=True)

    assert_holds(store, Model([file("a.py", "one\n")]))


def test_anew_with_nothing_empties_the_index(store: Store) -> None:
    first = store.commit([file("a.py", "one\n")])

    assert store.commit([], anew=True) > first
    assert list(store.snapshot().repos()) == []
    assert store.check() == []


def test_a_commit_of_nothing_keeps_the_generation(store: Store) -> None:
    generation = store.commit([file("a.py", "one\n")])

    assert store.commit([]) == generation
    assert store.commit(iter(())) == generation
    assert store.snapshot().generation == generation


def test_generations_rise(store: Store) -> None:
    numbers = [store.commit([file("a.py", f"text{n}\n")], anew=n % 3 == 2) for n in range(8)]

    assert numbers == sorted(set(numbers))


def test_commits_of_several_threads_are_all_kept(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = [pool.submit(store.commit, [file(f"{n}.py", f"text{n}\n")]) for n in range(12)]
    numbers = [future.result() for future in made]

    assert len(set(numbers)) == 12
    assert_holds(store, Model([file(f"{n}.py", f"text{n}\n") for n in range(12)]))


def test_clear_forgets_everything(store: Store) -> None:
    store.clear()
    store.commit([file("a.py", "one\n")])
    store.clear()

    with pytest.raises(IndexMissing):
        store.snapshot()
    store.commit([file("b.py", "two\n")])
    assert_holds(store, Model([file("b.py", "two\n")]))


# ---------------------------------------------------------------- snapshots


def view(snapshot: Snapshot) -> tuple[object, ...]:
    """Everything a snapshot says about the corpus of the next tests."""
    return (
        snapshot.generation,
        tuple(snapshot.repos()),
        dict(snapshot.digests("r")),
        contents(snapshot),
        snapshot.match(Term("one"), Scope(), EVERYTHING),
        snapshot.match(Tag("lang", "python"), Scope(), EVERYTHING),
        snapshot.explain(Term("one"), ids("0.py", "3.py")),
        snapshot.count([Term("one")])[0],
        tuple(snapshot.spellings("onr", 5)),
        snapshot.statistics(),
    )


def test_a_held_snapshot_does_not_change_whatever_is_committed(store: Store) -> None:
    store.commit([file(f"{n}.py", f"one text{n}\n") for n in range(6)])
    untouched, used = store.snapshot(), store.snapshot()
    before = view(used)
    for n in range(20):
        store.commit([file(f"{n % 6}.py", f"one other{n}\n"), file(f"more{n}.py", "one\n")])
        assert view(used) == before
    store.commit([file("z.py", "one\n")], anew=True)

    assert view(untouched) == before
    assert view(used) == before
    assert words_of(store.snapshot(), "one") == ["z.py"]


def test_threads_share_a_snapshot_while_commits_go_on(store: Store) -> None:
    store.commit([file(f"{n}.py", f"one text{n}\n") for n in range(30)])
    snapshot = store.snapshot()
    before = view(snapshot)
    fresh = store.snapshot()  # nothing of it has been asked for yet

    def look(_: int) -> bool:
        return view(fresh) == before

    with ThreadPoolExecutor(4) as pool:
        same = pool.map(look, range(40))
        for n in range(10):
            store.commit([file(f"{n}.py", "gone\n"), gone(f"{n + 10}.py")])

        assert all(same)


def test_snapshots_of_different_generations_live_side_by_side(store: Store) -> None:
    held = []
    for n in range(12):
        store.commit([file("a.py", f"text{n}\n")])
        held.append(store.snapshot())

    assert [words_of(snapshot, f"text{n}") for n, snapshot in enumerate(held)] == [["a.py"]] * 12
    assert [words_of(snapshot, "text0") for snapshot in held[1:]] == [[]] * 11
