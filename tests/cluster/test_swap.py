"""A collection is built anew beside itself and takes over in one step, whoever is searching."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Self

import pytest

from plait.errors import IndexBusy, PlaitError
from plait.stores.cluster.store import ClusterStore
from plait.types import Change, FileLines, LineQuery, Pattern, Scope, Snapshot, Term
from tests.cluster.collection import beside, collection
from tests.cluster.running import Running
from tests.contract.notation import file

pytestmark = pytest.mark.slow
FILES = 6
BUILDS = 5
ROUNDS = 4
EACH = 3  # commits and builds that have to get their turn
WAIT_S = 60


@pytest.fixture
def store(one_node: Running) -> Iterator[ClusterStore]:
    """A collection that was built once."""
    with collection(one_node, shards=2) as made:
        made.commit(build("first"))
        yield made


def build(word: str) -> list[Change]:
    """Files that all say the same word, in two repositories."""
    return [
        file(f"{n}.py", f"common {word}\n", f"more {word}\n", repo=f"r{n % 2}")
        for n in range(FILES)
    ]


def words_of(snapshot: Snapshot) -> set[str]:
    """The words of builds that a generation shows, asked in three ways; each finds all files."""
    hits = snapshot.match(Term("common"), Scope(), 100).hits
    texts = [chunk.text for chunk in snapshot.fetch(hit.chunk for hit in hits).values()]
    asked = LineQuery((Pattern("^more"),), within_s=WAIT_S)
    lines = [
        line.text.decode()
        for one in snapshot.grep(asked)
        if isinstance(one, FileLines)
        for line in one.lines
    ]
    listed = sum(len(snapshot.digests(repo)) for repo in snapshot.repos())
    assert len(texts) == len(lines) == listed == FILES, (texts, lines, listed)
    return {text.split()[1] for text in [*texts, *lines]}


class Searching:
    """Threads that search until stopped: what was wrong, and what was seen in which order."""

    def __init__(self, stores: list[ClusterStore]) -> None:
        self.faults: list[str] = []
        self.seen: list[list[tuple[int, str]]] = [[] for _ in stores]
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=pair)
            for pair in zip(stores, self.seen, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, store: ClusterStore, seen: list[tuple[int, str]]) -> None:
        while not self._stop.is_set():
            try:
                snapshot = store.snapshot()
                words = sorted(words_of(snapshot))
                seen.append((snapshot.generation, words[0]))
                if len(words) > 1:
                    self.faults.append(f"a mixture: {words}")
            except (PlaitError, AssertionError) as error:
                self.faults.append(f"{type(error).__name__}: {error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(WAIT_S)


def outcome(commit: Callable[[], int]) -> int:
    """The generation a commit made; 0 if it was not its turn."""
    try:
        return commit()
    except IndexBusy:
        return 0


def test_searches_see_one_build_or_the_next_and_never_fail(store: ClusterStore) -> None:
    made = {1: "first"}
    with beside(store) as other, Searching([store, store, other]) as searching:
        for number in range(BUILDS):
            generation = store.commit(build(f"build{number}"), anew=True)
            assert generation > max(made)
            made[generation] = f"build{number}"

    assert searching.faults == []
    for seen in searching.seen:
        assert len(set(seen)) > 2
        assert [generation for generation, _ in seen] == sorted(g for g, _ in seen)
        assert all(made[generation] == word for generation, word in seen)
    assert words_of(store.snapshot()) == {f"build{BUILDS - 1}"}
    assert store.check() == []


def test_a_snapshot_from_before_still_answers_as_it_did(store: ClusterStore) -> None:
    held = store.snapshot()
    store.commit(build("second"), anew=True)
    store.commit(build("third"), anew=True)

    assert words_of(held) == {"first"}
    assert words_of(store.snapshot()) == {"third"}


def test_of_two_who_build_anew_at_once_each_wins_or_is_told_and_leaves_nothing(
    store: ClusterStore,
) -> None:
    with beside(store) as other, ThreadPoolExecutor(2) as pool:
        newest = 1
        for number in range(ROUNDS):
            runs: dict[str, Future[int]] = {}
            for who, name in ((store, f"one{number}"), (other, f"two{number}")):
                changes = build(name)
                runs[name] = pool.submit(outcome, partial(who.commit, changes, anew=True))
            ended = {name: run.result(WAIT_S) for name, run in runs.items()}
            generations = [generation for generation in ended.values() if generation]

            assert generations
            assert min(generations) > newest
            assert len(set(generations)) == len(generations)
            newest = max(generations)
            assert store.snapshot().generation == newest
            assert words_of(store.snapshot()) == {
                name for name, generation in ended.items() if generation == newest
            }
    assert store.check() == []


class Slowly:
    """Changes that wait in the middle until told to go on."""

    def __init__(self, changes: list[Change]) -> None:
        self._changes = changes
        self.has_begun = threading.Event()
        self.go_on = threading.Event()

    def __iter__(self) -> Iterator[Change]:
        yield self._changes[0]
        self.has_begun.set()
        assert self.go_on.wait(WAIT_S)
        yield from self._changes[1:]


def test_a_commit_beside_a_build_is_seen_until_the_build_takes_over(store: ClusterStore) -> None:
    slowly = Slowly(build("anew"))
    with beside(store) as other, ThreadPoolExecutor(1) as pool:
        running = pool.submit(store.commit, slowly, anew=True)
        assert slowly.has_begun.wait(WAIT_S)
        between = other.commit(build("between"))

        assert words_of(other.snapshot()) == {"between"}

        slowly.go_on.set()
        generation = running.result(WAIT_S)

        assert 1 < between < generation
        assert words_of(other.snapshot()) == {"anew"}
        assert words_of(store.snapshot()) == {"anew"}


def test_a_commit_that_a_build_overtakes_is_told_and_leaves_nothing(store: ClusterStore) -> None:
    slowly = Slowly(build("late"))
    with beside(store) as other, ThreadPoolExecutor(1) as pool:
        running = pool.submit(other.commit, slowly)
        assert slowly.has_begun.wait(WAIT_S)
        store.commit(build("anew"), anew=True)
        slowly.go_on.set()

        with pytest.raises(IndexBusy, match="rebuilt meanwhile"):
            running.result(WAIT_S)
        assert words_of(other.snapshot()) == {"anew"}
        assert other.commit(build("late")) == store.snapshot().generation
        assert words_of(store.snapshot()) == {"late"}


def test_commits_and_builds_at_once_each_happen_wholly_or_not_at_all(store: ClusterStore) -> None:
    made: dict[int, str] = {1: "first"}
    turns: Counter[str] = Counter()

    def write(who: ClusterStore, name: str, *, anew: bool) -> None:
        number = 0
        while min(turns["ordinary"], turns["anew"]) < EACH:
            number += 1
            word = f"{name}{number}"
            generation = outcome(partial(who.commit, build(word), anew=anew))
            if generation:
                assert generation not in made
                made[generation] = word
                turns[name] += 1

    with (
        beside(store) as one,
        beside(store) as two,
        Searching([store]) as searching,
        ThreadPoolExecutor(2) as pool,
    ):
        running = [
            pool.submit(write, one, "ordinary", anew=False),
            pool.submit(write, two, "anew", anew=True),
        ]
        for run in running:
            run.result(WAIT_S)

    assert searching.faults == []
    assert {name.rstrip("0123456789") for name in made.values()} == {"first", "ordinary", "anew"}
    for generation, word in searching.seen[0]:
        assert made[generation] == word
    newest = store.snapshot()
    assert newest.generation == max(made)
    assert words_of(newest) == {made[newest.generation]}


def test_a_build_that_fails_half_way_has_not_happened(store: ClusterStore) -> None:
    def broken() -> Iterator[Change]:
        yield build("broken")[0]
        raise RuntimeError("no more files")

    with pytest.raises(RuntimeError):
        store.commit(broken(), anew=True)

    assert words_of(store.snapshot()) == {"first"}
    indexes = store.connection.ask("GET", f"/{store.alias}.*/_alias")
    assert len(indexes) == 1
    assert store.commit(build("second"), anew=True) == 2
    assert words_of(store.snapshot()) == {"second"}
