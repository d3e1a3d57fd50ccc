"""Points in time that nobody looks at any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from plait.stores.cluster import points
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.points import Orphans
from plait.stores.cluster.store import ClusterStore
from plait.stores.cluster.view import View
from tests.cluster.collection import collection
from tests.cluster.running import Running
from tests.contract.notation import file

pytestmark = pytest.mark.slow


@pytest.fixture
def store(one_node: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClusterStore]:
    """A collection whose points in time are tried again at once."""
    monkeypatch.setattr(points, "AGAIN_S", 0.0)
    with collection(one_node) as made:
        made.commit([file("a.py", "word\n")])
        yield made


@pytest.fixture
def nobody(store: ClusterStore) -> Connection:
    """A way to a node that is away."""
    return Connection(replace(store.address, hosts=(("127.0.0.1", 9),)))


def test_what_cannot_be_let_go_is_tried_again_later(
    store: ClusterStore, nobody: Connection
) -> None:
    orphans, before = Orphans(), held(store)
    View(store.connection, store.alias, orphans).close()
    assert held(store) == before + 1

    orphans.let_go(nobody)
    assert held(store) == before + 1

    orphans.let_go(store.connection)
    assert held(store) == before


def test_what_has_ended_by_itself_is_forgotten(
    store: ClusterStore, nobody: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "KEEP_ALIVE_S", -1.0)
    orphans, before = Orphans(), held(store)
    View(store.connection, store.alias, orphans).close()
    orphans.let_go(nobody)

    orphans.let_go(store.connection)  # it is asked for nothing

    assert held(store) == before + 1


def held(store: ClusterStore) -> int:
    """How many points in time look at a collection of one shard."""
    told = store.connection.ask("GET", f"/{store.alias}/_stats/search")
    return int(told["_all"]["total"]["search"]["point_in_time_current"])
