"""Looking after a collection on a real node: its state in words, copies that bring it back."""

from __future__ import annotations

import shutil
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from plait.errors import IndexBusy, SettingError, StoreUnreachable
from plait.index.embed import embed
from plait.stores.cluster.commit import Commit
from plait.stores.cluster.manifest import begin_attempt, change_manifest, require
from plait.stores.cluster.operations.operations import Operations
from plait.stores.cluster.schema import vectors_index
from plait.stores.cluster.store import ClusterStore
from plait.types import (
    And,
    Change,
    FileLines,
    LineQuery,
    Or,
    Pattern,
    Phrase,
    Scope,
    Snapshot,
    Term,
)
from tests.cluster import running
from tests.cluster.collection import ANALYSIS, collection
from tests.contract.notation import file, gone, piece
from tests.contract.test_vectors import Hashed, passage_of

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
WORDS = ("red", "green", "blue", "round", "square")
FULL = {"index.blocks.read_only_allow_delete": True}


def corpus() -> list[Change]:
    """Twenty files in three repositories, with names, words and lines to find."""
    return [
        file(
            f"src/{n}.py",
            piece(f"def {WORDS[n % 5]}_{n}(): return {n}\n", f"{WORDS[n % 5]}_{n}"),
            f"# {WORDS[n % 5]} and {WORDS[n % 3]}\n",
            repo=f"r{n % 3}",
            tags=("test",) if n % 4 == 0 else (),
        )
        for n in range(20)
    ]


@pytest.fixture
def store(one_node: running.Running) -> Iterator[ClusterStore]:
    """A collection with a history: files replaced and deleted, vectors made."""
    with collection(one_node, shards=2) as made:
        made.commit(corpus())
        made.commit([file("src/0.py", "red again\n", repo="r0"), gone("src/1.py", repo="r1")])
        embed(made, Hashed(), passage_of)
        yield made


@pytest.fixture
def operations(store: ClusterStore) -> Iterator[Operations]:
    with closing(Operations(store.address, ANALYSIS)) as made:
        yield made


@pytest.fixture
def copies(store: ClusterStore, operations: Operations) -> Iterator[str]:
    """A repository for snapshots in a folder that the node allows."""
    nodes = store.connection.ask("GET", "/_nodes/settings")["nodes"].values()
    (place,) = next(iter(nodes))["settings"]["path"]["repo"]
    name = f"test-{uuid.uuid4().hex}"
    operations.register(name, f"{place}/{name}")
    yield name
    for one in operations.snapshots(name):
        for end in (".vectors", ""):
            path = f"/_snapshot/{name}/{one.name}{end}"
            store.connection.ask("DELETE", path, allowed={404})
    store.connection.ask("DELETE", f"/_snapshot/{name}")
    shutil.rmtree(Path(place) / name, ignore_errors=True)


def answers(snapshot: Snapshot) -> list[object]:
    """What a generation says, asked in every way."""
    model = Hashed()
    question = model.questions(["green and green"])
    some = Scope(repos=frozenset({"r0", "r2"}))
    found: list[object] = [
        snapshot.generation,
        snapshot.repos(),
        snapshot.missing_vectors(model.digest),
    ]
    held = replace(snapshot.statistics(), index_bytes=0)  # which depends on merging
    found += [held, [dict(snapshot.digests(repo)) for repo in snapshot.repos()]]
    for wanted in (
        Or((Term("red"), Term("round"))),
        Phrase("def blue", ("def", "blue")),
        Pattern("return 1"),
    ):
        for scope in (Scope(), some):
            hits = snapshot.match(wanted, scope, 50).hits
            found.append([(hit.chunk, round(hit.score, 4)) for hit in hits])
            found.append(dict(snapshot.fetch([hit.chunk for hit in hits])))
    for scope in (Scope(), some):
        near = snapshot.nearest(model.digest, question, And(()), scope, 50)
        found.append([(hit.chunk, round(hit.score, 4)) for hit in near.hits])
        asked = LineQuery((Pattern("and (red|blue)"),), scope=scope, within_s=60)
        found.append([one for one in snapshot.grep(asked) if isinstance(one, FileLines)])
    for ids, vectors in snapshot.embedded(model.digest, And(()), Scope()):
        found += [list(ids), vectors]
    return found


# ---------------------------------------------------------------- copies


def test_a_collection_that_was_wiped_comes_back_with_equal_answers(
    store: ClusterStore, operations: Operations, copies: str
) -> None:
    before = answers(store.snapshot())
    copied = operations.snapshot(copies, "one")
    store.clear()
    restored = operations.restore(copies, "one")

    assert restored.faults == ()
    assert restored.generation == copied.generation
    assert answers(store.snapshot()) == before
    assert store.commit([file("new.py", "words\n")]) == copied.generation + 1


def test_a_copy_under_another_name_leaves_searches_of_the_first_alone(
    store: ClusterStore, operations: Operations, copies: str
) -> None:
    before = answers(store.snapshot())
    operations.snapshot(copies, "one")
    stop = threading.Event()

    def search() -> int:
        count = 0
        while not stop.is_set():
            assert answers(store.snapshot()) == before
            count += 1
        return count

    address = replace(store.address, collection=f"test-{uuid.uuid4().hex}")
    other = ClusterStore(address, ANALYSIS)
    with (
        closing(other),
        closing(Operations(address, ANALYSIS)) as elsewhere,
        ThreadPoolExecutor(1) as thread,
    ):
        searching = thread.submit(search)
        try:
            assert elsewhere.restore(copies, "one").faults == ()
            assert answers(other.snapshot()) == before
        finally:
            stop.set()
            other.clear()
        assert searching.result() > 0


def test_a_collection_that_is_there_is_replaced_only_if_that_is_said(
    store: ClusterStore, operations: Operations, copies: str
) -> None:
    before = answers(store.snapshot())
    operations.snapshot(copies, "one")
    store.commit([gone(f"src/{n}.py", repo=f"r{n % 3}") for n in range(2, 20)])
    store.commit([file("new.py", "words\n")])
    embed(store, Hashed(), passage_of)
    held = store.snapshot()
    seen = answers(held)
    with pytest.raises(SettingError, match="already") as refused:
        operations.restore(copies, "one")
    restored = operations.restore(copies, "one", is_replacing=True)

    assert "--replace" in refused.value.hint
    assert restored.faults == ()
    assert answers(store.snapshot())[1:] == before[1:]
    assert store.snapshot().generation == held.generation + 1
    assert answers(held) == seen
    assert not store.connection.ask("GET", f"/{vectors_index(store.address.collection)}.*/_alias")


def test_what_an_unfinished_commit_had_written_does_not_come_back(
    store: ClusterStore, operations: Operations, copies: str
) -> None:
    before = answers(store.snapshot())
    read, attempt = begin_attempt(store.connection, store.alias)
    commit = Commit(store.connection, read.index, attempt)
    commit.write([file("half.py", "red half\n"), file("src/2.py", "red other\n", repo="r2")])
    operations.snapshot(copies, "one")
    store.clear()
    operations.restore(copies, "one")

    assert answers(store.snapshot()) == before
    left = {"query": {"term": {"born": attempt}}}
    assert store.connection.ask("POST", f"/{store.alias}/_count", left)["count"] == 0
    assert require(store.connection, store.alias).manifest.attempts == {}


def test_commits_go_on_once_a_copy_was_made_or_could_not_be(
    store: ClusterStore, operations: Operations, copies: str
) -> None:
    operations.snapshot(copies, "one")
    with pytest.raises(SettingError, match="must be lowercase"):
        operations.snapshot(copies, "Two")

    assert require(store.connection, store.alias).manifest.held_until == 0.0
    store.commit([file("new.py", "words\n")])


def test_two_do_not_copy_a_collection_at_once(
    store: ClusterStore, operations: Operations, copies: str
) -> None:
    def hold(until: float) -> None:
        change_manifest(
            store.connection, store.alias, lambda read: replace(read.manifest, held_until=until)
        )

    hold(time.time() + 60)
    with pytest.raises(IndexBusy, match="somebody else copies"):
        operations.snapshot(copies, "one")
    assert operations.status().contents.is_held  # type: ignore[union-attr]  # something is there
    hold(time.time() - 1)
    operations.snapshot(copies, "one")

    assert [one.name for one in operations.snapshots(copies)] == ["one"]


def test_names_that_are_taken_or_unknown_are_said(operations: Operations, copies: str) -> None:
    operations.snapshot(copies, "one")

    with pytest.raises(SettingError, match="has a snapshot 'one' already"):
        operations.snapshot(copies, "one")
    with pytest.raises(SettingError, match="no snapshot 'two'"):
        operations.restore(copies, "two")
    with pytest.raises(SettingError, match="is called 'nowhere'"):
        operations.snapshot("nowhere", "one")
    with pytest.raises(SettingError, match="not a name: 'a/b'"):
        operations.restore(copies, "a/b")
    with pytest.raises(SettingError, match=r"path\.repo"):
        operations.register("nowhere", "/no/such/place")


# ---------------------------------------------------------------- state


def test_the_state_of_a_collection(store: ClusterStore, operations: Operations) -> None:
    store.commit([file("late.py", "no vector yet\n", repo="r9")])
    begin_attempt(store.connection, store.alias)
    found = operations.status(Hashed().digest)
    held = found.contents

    assert held is not None
    assert (held.repos, held.files, held.chunks) == (("r0", "r1", "r2", "r9"), 20, 38)
    assert (held.vectors_missing, held.attempts, held.dead_files) == (1, 1, 0)
    assert held.index_bytes > 0
    assert held.vectors_bytes > 0
    assert held.bytes_per_chunk == (held.index_bytes + held.vectors_bytes) / 38
    shards = [(one.number, one.is_primary, one.state) for one in found.shards]
    assert shards == 2 * [(0, True, "started"), (1, True, "started")]
    assert found.advice is not None
    assert found.faults == ()
    assert [node.holds_data for node in found.nodes] == [True]
    assert 0 < found.nodes[0].disk_free_bytes < found.nodes[0].disk_bytes


def test_files_that_wait_to_be_deleted_are_counted(
    store: ClusterStore, operations: Operations
) -> None:
    read, attempt = begin_attempt(store.connection, store.alias)
    commit = Commit(store.connection, read.index, attempt)
    commit.write([file("src/2.py", "other\n", repo="r2"), gone("src/3.py", repo="r0")])
    commit.publish()

    assert operations.status().contents.dead_files == 2  # type: ignore[union-attr]  # there


def test_a_collection_of_which_nothing_was_indexed_is_missing(one_node: running.Running) -> None:
    with collection(one_node) as empty, closing(Operations(empty.address, ANALYSIS)) as operations:
        found = operations.status()

    assert found.is_missing
    assert (found.contents, found.shards, found.faults) == (None, (), ())


def test_a_full_disk_is_said_in_words(store: ClusterStore, operations: Operations) -> None:
    store.connection.ask("PUT", f"/{store.alias}/_settings", FULL)
    faults = operations.status().faults
    store.connection.ask("PUT", f"/{store.alias}/_settings", dict.fromkeys(FULL))

    assert len(faults) == 1
    assert "a disk is full" in faults[0]
    assert operations.status().faults == ()


def test_a_shard_on_no_node_is_said_in_words(store: ClusterStore, operations: Operations) -> None:
    index = require(store.connection, store.alias).index
    node = next(iter(store.connection.ask("GET", "/_nodes")["nodes"].values()))["name"]
    store.connection.ask("PUT", f"/{index}/_settings", {"index.routing.allocation.enable": "none"})
    gone = {"index": index, "shard": 0, "node": node, "allow_primary": True}
    store.connection.ask("POST", "/_cluster/reroute", {"commands": [{"cancel": gone}]})
    found = operations.status()

    assert not found.is_missing
    assert f"shard 0 of {index} is on no node" in found.faults[0]


def test_a_missing_copy_is_a_warning(one_node: running.Running) -> None:
    with collection(one_node, replicas=3) as made:
        made.commit([file("a.py", "words\n")])
        with closing(Operations(made.address, ANALYSIS)) as operations:
            found = operations.status()

    assert found.faults == ()
    assert "3 of the copies that the collection should have are missing" in found.warnings[0]


def test_a_server_that_can_hold_a_collection_has_no_problems(operations: Operations) -> None:
    found = operations.server()

    assert found.problems == ()
    assert found.version.split(".")[0] in ("2", "3")
    assert found.nodes == 1
    assert 0 < found.round_trip_s < 10


def test_nobody_at_an_address_is_an_error(store: ClusterStore) -> None:
    address = replace(store.address, hosts=(("127.0.0.1", 1),))
    with (
        closing(Operations(address, ANALYSIS)) as operations,
        pytest.raises(StoreUnreachable, match="no node of"),
    ):
        operations.status()
