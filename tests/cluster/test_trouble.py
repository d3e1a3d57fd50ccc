"""What a cluster cannot do is said in words; an answer is whole or an error, never empty."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest

from plait.errors import StoreBusy, StoreDegraded, StoreFull, StoreUnreachable
from plait.stores.cluster import bulk
from plait.stores.cluster.address import Address
from plait.stores.cluster.manifest import read_manifest
from plait.stores.cluster.store import ClusterStore
from plait.types import Change, LineQuery, Pattern, Scope, Term
from tests.cluster.asked import ask
from tests.cluster.collection import ANALYSIS, beside, collection
from tests.contract.notation import file
from tools.opensearch.nodes import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
HANGS_S = 600.0  # nothing here takes that long unless it never ends
TRIES = 20  # calls of a node that never answers, by three commands


@pytest.fixture
def node(hurt_node: Cluster) -> Cluster:
    """A node that can be hurt."""
    return hurt_node


@pytest.fixture
def store(node: Cluster) -> Iterator[ClusterStore]:
    """A collection of three files."""
    with collection(node) as made:
        made.commit([file(f"{n}.py", f"common word{n}\n", repo=f"r{n}") for n in range(3)])
        yield made


def found(store: ClusterStore) -> list[str]:
    """The files that are found, by words and by lines."""
    snapshot = store.snapshot()
    hits = snapshot.match(Term("common"), Scope(), 1_000).hits
    *files, _ = snapshot.grep(LineQuery((Pattern("^common"),), within_s=60))
    assert len(files) == len(hits)
    return sorted(hit.chunk.path for hit in hits)


def wait_until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + HANGS_S
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.5)


# ---------------------------------------------------------------- a full disk

DISK = "cluster.routing.allocation.disk"
TOO_FULL = {
    f"{DISK}.threshold_enabled": True,
    # So much would have to be free.
    **{f"{DISK}.watermark.{level}": "900tb" for level in ("low", "high", "flood_stage")},
}

ENOUGH_ROOM = {  # what was blocked is opened again only while somebody looks
    f"{DISK}.threshold_enabled": True,
    **{f"{DISK}.watermark.{level}": "1b" for level in ("low", "high", "flood_stage")},
}


@contextmanager
def full_disk(node: Cluster, store: ClusterStore) -> Iterator[None]:
    """The node finds its disk too full, as it would if somebody else had filled it."""
    ask(node, 0, "/_cluster/settings", "PUT", {"transient": TOO_FULL})
    try:
        wait_until(lambda: is_blocked(node, store))
        yield
    finally:
        ask(node, 0, "/_cluster/settings", "PUT", {"transient": dict.fromkeys(TOO_FULL)})
        ask(node, 0, "/_cluster/settings", "PUT", {"transient": ENOUGH_ROOM})
        wait_until(lambda: not is_blocked(node, store))
        ask(node, 0, "/_cluster/settings", "PUT", {"transient": dict.fromkeys(ENOUGH_ROOM)})


def is_blocked(node: Cluster, store: ClusterStore) -> bool:
    index = ask(node, 0, f"/{store.alias}/_settings?flat_settings=true")
    whole = ask(node, 0, "/_cluster/settings?flat_settings=true")
    blocks = ("index.blocks.read_only_allow_delete", "cluster.blocks.create_index")
    return any(f"'{block}': 'true'" in str([index, whole]) for block in blocks)


def test_a_full_disk_is_told_and_searches_go_on(node: Cluster, store: ClusterStore) -> None:
    three = ["0.py", "1.py", "2.py"]
    with ExitStack() as until_full, beside(store) as other:

        def filling() -> Iterator[Change]:
            yield file("0.py", "common new\n", repo="r0")
            until_full.enter_context(full_disk(node, store))

        with pytest.raises(StoreFull, match=r"a disk of opensearch://.* is full: .*flood") as full:
            store.commit(filling())
        assert "make room" in full.value.hint
        with pytest.raises(StoreFull):
            store.commit([file("new.py", "common new\n")])
        with pytest.raises(StoreFull):  # there is no room for another index either
            store.commit([file("new.py", "common new\n")], anew=True)

        assert found(store) == found(other) == three
        assert store.snapshot().count([Term("new")])[0] == 0

    store.commit([file("new.py", "common new\n")])
    assert found(store) == [*three, "new.py"]


# ---------------------------------------------------------------- too much to do


def refusals(node: Cluster) -> int:
    """How often the node refused to write because too much was waiting."""
    told = ask(node, 0, "/_cat/thread_pool/write?format=json&h=rejected")
    rows = told["items"]
    assert isinstance(rows, list)
    return sum(int(row["rejected"]) for row in rows)


def test_a_bulk_that_is_refused_in_part_is_finished_and_changes_nothing_twice(
    node: Cluster,
) -> None:
    """Eight shards want to write at once where one may, and one may wait."""
    files = [file(f"{n}.py", f"common word{n}\n", repo=f"r{n}") for n in range(64)]
    with collection(node, shards=8) as store:
        before = refusals(node)
        store.commit(files)
        assert refusals(node) > before

        assert found(store) == sorted(f"{n}.py" for n in range(64))
        assert store.check() == []
        assert store.snapshot().count([Term("common")])[0] == 64


def test_a_cluster_that_never_takes_it_is_told_and_nothing_has_changed(
    store: ClusterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "PATIENCE_S", 1.0)
    long = "lorem ipsum dolor sit amet\n" * 40_000  # more than the node bears at once
    with pytest.raises(StoreBusy, match="refuses to write for 1 s") as busy:
        store.commit([file("0.py", "common new\n", repo="r0"), file("long.py", long)])

    assert "fewer workers" in busy.value.hint
    assert found(store) == ["0.py", "1.py", "2.py"]
    assert store.snapshot().count([Term("new")])[0] == 0
    store.commit([file("0.py", "common new\n", repo="r0")])
    assert store.snapshot().count([Term("new")])[0] == 1


# ---------------------------------------------------------------- nobody there


@contextmanager
def mute() -> Iterator[tuple[Address, socket.socket]]:
    """Somebody who takes calls and never says anything."""
    with socket.create_server(("127.0.0.1", 0), backlog=4 * TRIES) as listening:
        port = listening.getsockname()[1]
        yield Address((("127.0.0.1", port),), "nothing", timeout_s=1), listening


@contextmanager
def closed() -> Iterator[Address]:
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    yield Address((("127.0.0.1", port),), "nothing", timeout_s=1)


def calls(listening: socket.socket) -> int:
    """How many have called."""
    listening.setblocking(False)
    with ExitStack() as taken:
        for count in range(4 * TRIES):
            try:
                taken.enter_context(listening.accept()[0])
            except BlockingIOError:
                return count
    return 4 * TRIES


def ask_everything(address: Address) -> None:
    """Every command finds nobody, and says so."""
    with closing(ClusterStore(address, ANALYSIS)) as store:
        for asked in (store.snapshot, lambda: store.commit([file("a.py", "a\n")]), store.check):
            with pytest.raises(StoreUnreachable, match=r"no node of opensearch://.* answers"):
                asked()


def test_a_cluster_nobody_listens_for_is_told() -> None:
    with closed() as address:
        ask_everything(address)


def test_a_cluster_that_does_not_answer_is_called_a_few_times_and_told() -> None:
    with mute() as (address, listening):
        ask_everything(address)

        assert 3 <= calls(listening) <= TRIES


def test_a_node_that_stands_still_is_told_and_answers_again(
    node: Cluster, store: ClusterStore
) -> None:
    snapshot = store.snapshot()
    with beside(store, timeout_s=1) as impatient:
        impatient.snapshot()
        node.pause(0)
        try:
            with pytest.raises(StoreUnreachable):
                impatient.snapshot()
            with pytest.raises(StoreUnreachable):
                impatient.commit([file("new.py", "common new\n")])
        finally:
            node.resume(0)

    assert len(snapshot.match(Term("common"), Scope(), 9).hits) == 3
    assert set(found(store)) >= {"0.py", "1.py", "2.py"}


# ---------------------------------------------------------------- a shard that is lost


@pytest.mark.parametrize(
    "lost", [pytest.param("with-the-manifest", marks=pytest.mark.nightly), "without-the-manifest"]
)
def test_a_lost_shard_is_told_and_never_an_empty_answer(node: Cluster, lost: str) -> None:
    with collection(node, shards=2) as store:
        store.commit([file(f"{n}.py", f"common word{n}\n", repo=f"r{n}") for n in range(16)])
        held = store.snapshot()
        lose_a_shard(node, store, has_manifest=lost == "with-the-manifest")

        with pytest.raises(
            StoreDegraded, match=r"a part of the index on .* cannot be read"
        ) as told:
            store.snapshot().match(Term("common"), Scope(), 100)
        assert "health" in told.value.hint
        with beside(store) as other, pytest.raises(StoreDegraded):
            list(other.snapshot().grep(LineQuery((Pattern("common"),))))
        with pytest.raises(StoreDegraded):
            held.match(Term("common"), Scope(), 100)
        faults = store.check()
        assert faults
        assert "cannot be read" in faults[0] or "on no node" in faults[0]


def lose_a_shard(node: Cluster, store: ClusterStore, *, has_manifest: bool) -> None:
    """Take the files of one of two shards away, as a broken disk does."""
    read = read_manifest(store.connection, store.alias)
    assert read is not None
    ask(node, 0, f"/{read.index}/_flush", "POST")
    placed = ask(node, 0, f"/{read.index}/_search_shards?routing=manifest")["shards"]
    assert isinstance(placed, list)
    with_manifest = int(placed[0][0]["shard"])
    settings = ask(node, 0, f"/{read.index}/_settings?flat_settings=true")
    uuid = settings[read.index]["settings"]["index.uuid"]  # type: ignore[index]
    node.kill(0)
    (index,) = (node.folder / "node-0" / "data").glob(f"nodes/*/indices/{uuid}")
    shutil.rmtree(index / str(with_manifest if has_manifest else 1 - with_manifest))
    node.revive(0)

    def has_one_shard() -> bool:
        path = f"/_cluster/health/{read.index}?timeout=2s"
        _, health = node.caller.ask(node.addresses[0], path, timeout_s=10)
        return health.get("active_shards") == 1

    wait_until(has_one_shard)
