"""Many writes in few requests: split by size, repeated where refused, told where impossible."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plait.errors import StoreError
from plait.stores.cluster import bulk as bulks
from plait.stores.cluster.bulk import Bulk
from plait.stores.cluster.connection import Json
from plait.stores.cluster.manifest import read_manifest
from plait.stores.cluster.store import ClusterStore
from tests.cluster.collection import collection
from tests.cluster.running import Running
from tests.contract.notation import file

pytestmark = pytest.mark.slow


@pytest.fixture
def store(one_node: Running) -> Iterator[ClusterStore]:
    """A collection with one commit."""
    with collection(one_node) as made:
        made.commit([file("a.py", "alpha\n")])
        yield made


@pytest.fixture
def bulk(store: ClusterStore) -> Bulk:
    return bulk_to(store)


def bulk_to(store: ClusterStore) -> Bulk:
    read = read_manifest(store.connection, store.alias)
    assert read is not None
    return Bulk(store.connection, read.index)


def kept(store: ClusterStore, key: str, routing: str) -> Json | None:
    answer = store.connection.ask(
        "GET", f"/{store.alias}/_doc/{key}", params={"routing": routing}, allowed={404}
    )
    return answer.get("_source")


def test_nothing_is_sent_before_there_is_enough_or_somebody_says_so(
    store: ClusterStore, bulk: Bulk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulks, "MAX_ACTIONS", 3)
    for number in range(7):
        bulk.put(f"doc{number}", {"born": 99}, "r")
    assert bulk.sent == 2
    bulk.flush()
    assert bulk.sent == 3
    bulk.flush()

    assert bulk.sent == 3
    assert [kept(store, f"doc{number}", "r") for number in range(7)] == [{"born": 99}] * 7


def test_large_documents_go_in_requests_of_their_own(
    bulk: Bulk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulks, "TARGET_BYTES", 1_000)
    for number in range(4):
        bulk.put(f"doc{number}", {"digest": "x" * 600}, "r")

    assert bulk.sent == 2


def test_what_is_not_there_is_deleted_and_updated_without_a_word(
    store: ClusterStore, bulk: Bulk
) -> None:
    bulk.put("there", {"born": 1}, "r")
    bulk.update("there", {"digest": "new"}, "r")
    bulk.update("never", {"digest": "new"}, "r")
    bulk.delete("never", "r")
    bulk.flush()

    assert kept(store, "there", "r") == {"born": 1, "digest": "new"}
    assert kept(store, "never", "r") is None


def test_the_same_again_changes_nothing(store: ClusterStore, bulk: Bulk) -> None:
    for again in (bulk, bulk_to(store)):
        again.put("one", {"born": 1}, "r")
        again.put("two", {"born": 2}, "r")
        again.flush()

    assert (kept(store, "one", "r"), kept(store, "two", "r")) == ({"born": 1}, {"born": 2})


def test_a_document_that_was_deleted_is_not_written_again(store: ClusterStore, bulk: Bulk) -> None:
    bulk.put("one", {"born": 1}, "r")
    bulk.update("one", {"digest": "new"}, "r")
    bulk.delete("one", "r")
    bulk.flush()
    late = bulk_to(store)
    late.put("one", {"born": 1}, "r")

    with pytest.raises(StoreError, match="given up"):
        late.flush()
    assert kept(store, "one", "r") is None


def test_a_document_the_index_cannot_take_is_told(bulk: Bulk) -> None:
    bulk.put("one", {"no such field": 1}, "r")

    with pytest.raises(StoreError, match=r"did not write a document: .*strict"):
        bulk.flush()


def test_who_watches_each_request_can_stop_it(store: ClusterStore, bulk: Bulk) -> None:
    def stop() -> None:
        raise RuntimeError("enough")

    read = read_manifest(store.connection, store.alias)
    assert read is not None
    watched = Bulk(store.connection, read.index, stop)
    watched.put("one", {"born": 1}, "r")

    with pytest.raises(RuntimeError):
        watched.flush()
    assert kept(store, "one", "r") is None
