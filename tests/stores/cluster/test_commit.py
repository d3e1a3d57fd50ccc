"""A commit on a cluster happens wholly or not at all, whatever becomes of its writer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from plait.errors import IndexBusy
from plait.stores.cluster.manifest import (
    STALE_S,
    Manifest,
    Read,
    change_manifest,
    read_manifest,
)
from plait.stores.cluster.store import ClusterStore
from plait.types import Change, Scope, Term
from tests.cluster.collection import beside, collection
from tests.cluster.lossy import Way, way_to
from tests.cluster.running import Running
from tests.cluster.writing import WORD
from tests.contract.notation import file, gone

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
PROJECT = Path(__file__).resolve().parents[3]
WAIT_S = 120


@pytest.fixture
def store(one_node: Running) -> Iterator[ClusterStore]:
    """A collection of three files."""
    with collection(one_node, shards=2) as made:
        made.commit([file(f"{n}.py", "common first\n", repo=f"r{n}") for n in range(3)])
        yield made


def texts(store: ClusterStore) -> dict[str, str]:
    """The first word of every file that is found, besides what all have."""
    snapshot = store.snapshot()
    hits = snapshot.match(Term("common"), Scope(), 10_000).hits
    chunks = snapshot.fetch(hit.chunk for hit in hits)
    listed = {path for repo in snapshot.repos() for path in snapshot.digests(repo)}
    assert listed == {key.path for key in chunks}
    return {key.path: chunk.text.split()[1] for key, chunk in chunks.items()}


FIRST = {"0.py": "first", "1.py": "first", "2.py": "first"}


def manifest(store: ClusterStore) -> Manifest:
    read = read_manifest(store.connection, store.alias)
    assert read is not None
    return read.manifest


def left_by(store: ClusterStore, attempt: int) -> int:
    """How many documents of an attempt there are."""
    store.connection.ask("POST", f"/{store.alias}/_refresh")
    body = {"query": {"term": {"born": attempt}}}
    return int(store.connection.ask("POST", f"/{store.alias}/_count", body)["count"])


def indexes(store: ClusterStore) -> set[str]:
    return set(store.connection.ask("GET", f"/{store.alias}.*/_alias"))


# ---------------------------------------------------------------- writers that die


def let_time_pass(store: ClusterStore, index: str = "") -> None:
    """As if nobody who writes now had given a sign of life for long."""

    def edit(read: Read) -> Manifest:
        aged = {number: at - 2 * STALE_S for number, at in read.manifest.attempts.items()}
        return replace(read.manifest, attempts=aged)

    change_manifest(store.connection, index or store.alias, edit)


def kill_a_writer(store: ClusterStore, verb: str) -> None:
    """Let another process write a good part of a commit, and kill it."""
    hosts = ",".join(f"{host}:{port}" for host, port in store.address.hosts)
    address = f"opensearch://{hosts}/{store.address.collection}"
    with subprocess.Popen(
        [sys.executable, "-m", "tests.cluster.writing", address, verb],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "holding\n"
        writer.kill()


def test_of_a_writer_that_is_killed_nothing_is_ever_seen(store: ClusterStore) -> None:
    kill_a_writer(store, "commit")
    (attempt,) = manifest(store).attempts

    assert left_by(store, attempt) > 0
    assert texts(store) == FIRST
    assert store.snapshot().count([Term(WORD)])[0] == 0
    store.commit([file("0.py", "common second\n", repo="r0")])
    assert texts(store) == {**FIRST, "0.py": "second"}

    let_time_pass(store)
    store.commit([file("1.py", "common third\n", repo="r1")])

    assert left_by(store, attempt) == 0
    assert texts(store) == {"0.py": "second", "1.py": "third", "2.py": "first"}
    assert store.snapshot().count([Term(WORD)])[0] == 0
    assert store.check() == []


def test_a_build_whose_writer_is_killed_is_cleared_away(store: ClusterStore) -> None:
    before = indexes(store)
    kill_a_writer(store, "anew")
    (begun,) = indexes(store) - before
    assert texts(store) == FIRST
    let_time_pass(store, begun)
    store.commit([file("0.py", "common second\n")], anew=True)

    assert texts(store) == {"0.py": "second"}
    (current,) = store.connection.ask("GET", f"/{store.alias}/_alias")
    assert indexes(store) == before | {current}


class Slowly:
    """Changes that wait at the end until told to go on."""

    def __init__(self, *changes: Change) -> None:
        self._changes = changes
        self.has_begun, self.go_on = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Change]:
        yield from self._changes
        self.has_begun.set()
        assert self.go_on.wait(WAIT_S)


def test_a_writer_that_was_taken_for_dead_is_told_and_loses_nothing_of_others(
    store: ClusterStore,
) -> None:
    """It is not dead, only slow: what it wrote was deleted, so it must not count."""
    slowly = Slowly(file("0.py", "common slow\n", repo="r0"))
    with beside(store) as other, ThreadPoolExecutor(1) as pool:
        running = pool.submit(store.commit, slowly)
        assert slowly.has_begun.wait(WAIT_S)
        let_time_pass(other)
        other.commit([file("1.py", "common other\n", repo="r1")])
        slowly.go_on.set()

        with pytest.raises(IndexBusy, match="given up"):
            running.result(WAIT_S)
        assert texts(other) == {**FIRST, "1.py": "other"}
        assert other.check() == []
        store.commit([file("0.py", "common again\n", repo="r0")])
        assert texts(other) == {"0.py": "again", "1.py": "other", "2.py": "first"}


# ---------------------------------------------------------------- answers that are lost


@pytest.fixture
def way(one_node: Running) -> Iterator[Way]:
    with way_to(one_node.addresses[0]) as made:
        yield made


@pytest.fixture
def far(way: Way, store: ClusterStore) -> Iterator[ClusterStore]:
    """The same collection, by a way on which answers are lost."""
    port = int(way.cluster.addresses[0].rpartition(":")[2])
    with beside(store, hosts=(("127.0.0.1", port),), timeout_s=5) as made:
        yield made


def publishes(method: str, path: str, body: bytes) -> bool:
    """Whether a request makes the second generation count."""
    is_manifest = method == "PUT" and "/_doc/manifest" in path
    return is_manifest and json.loads(body)["manifest"]["generation"] == 2


def times(wanted: Callable[[str, str, bytes], bool], count: int) -> Callable[..., bool]:
    """The same, for so many requests."""
    left = [count]

    def loses(method: str, path: str, body: bytes) -> bool:
        if left[0] and wanted(method, path, body):
            left[0] -= 1
            return True
        return False

    return loses


@pytest.mark.parametrize("lost", [1, 4], ids=["once", "until-it-gives-up"])
@pytest.mark.parametrize("anew", [False, True], ids=["commit", "anew"])
def test_a_commit_whose_answer_is_lost_has_happened(
    store: ClusterStore, far: ClusterStore, way: Way, lost: int, anew: bool
) -> None:
    changes = [file(f"{n}.py", "common second\n", repo=f"r{n}") for n in range(3)]
    way.loses = times(publishes, lost)
    generation = far.commit(changes, anew=anew)

    assert len(way.lost) == lost
    assert generation == store.snapshot().generation == 2
    assert texts(store) == texts(far) == dict.fromkeys(FIRST, "second")
    assert store.check() == []
    store.commit([gone("0.py", "r0")])
    assert sorted(texts(store)) == ["1.py", "2.py"]


def test_a_bulk_whose_answers_are_lost_is_sent_again_and_changes_nothing_twice(
    store: ClusterStore, far: ClusterStore, way: Way
) -> None:
    way.loses = times(lambda _method, path, _body: path.endswith("/_bulk"), 3)
    far.commit([file(f"{n}.py", "common second\n", repo=f"r{n}") for n in range(3)])

    assert len(way.lost) == 3
    assert texts(store) == dict.fromkeys(FIRST, "second")
    assert store.snapshot().count([Term("common")])[0] == 3
    assert store.check() == []


def test_tidying_that_fails_does_not_undo_a_commit(
    store: ClusterStore, far: ClusterStore, way: Way
) -> None:
    """What was replaced is deleted by the next commit; until then it is left out."""
    bulks: list[str] = []

    def second_bulk(_method: str, path: str, _body: bytes) -> bool:
        if path.endswith("/_bulk"):
            bulks.append(path)
        return path.endswith("/_bulk") and len(bulks) > 1

    way.loses = second_bulk
    assert far.commit([file("0.py", "common second\n", repo="r0")]) == 2
    assert texts(store) == {**FIRST, "0.py": "second"}

    way.loses = lambda _method, _path, _body: False
    store.commit([file("1.py", "common second\n", repo="r1")])
    assert manifest(store).dead == {}
    assert texts(store) == {"0.py": "second", "1.py": "second", "2.py": "first"}


def test_a_bulk_that_arrives_late_does_not_bring_back_what_was_deleted(
    store: ClusterStore, way: Way, far: ClusterStore
) -> None:
    """A node that stood still may still read a request that was answered by another."""
    seen: list[bytes] = []

    def kept(_method: str, path: str, body: bytes) -> bool:
        if path.endswith("/_bulk"):
            seen.append(body)
        return False

    way.loses = kept
    far.commit([file("0.py", "common second\n", repo="r0")])
    store.commit([file("0.py", "common third\n", repo="r0")])
    store.connection.ask("POST", f"/{store.alias}/_bulk", seen[0])
    store.connection.ask("POST", f"/{store.alias}/_refresh")
    store.commit([file("new.py", "common new\n")])

    assert texts(store) == {**FIRST, "0.py": "third", "new.py": "new"}
    assert store.snapshot().count([Term("common")])[0] == 4
    assert store.check() == []
