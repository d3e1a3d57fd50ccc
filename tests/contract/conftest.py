"""The stores every test of the contract runs on.

To add a store, add a factory: it yields a store in which nothing was ever committed, and takes
away afterwards what the store itself leaves.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from plait.stores.embedded.store import EmbeddedStore
from plait.types import Store

MEMORY = Path("/dev/shm")  # where there is one, a thousand commits do not wait for a disk


def embedded(_: pytest.FixtureRequest) -> Iterator[Store]:
    """The store in a folder."""
    folder = Path(tempfile.mkdtemp("-plait-contract", dir=MEMORY if MEMORY.is_dir() else None))
    try:
        yield EmbeddedStore(folder / "store", "contract", wait_s=60)
    finally:
        shutil.rmtree(folder)


def cluster(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A collection of its own on a real node."""
    from plait.stores.cluster.store import ClusterStore
    from tests.cluster.collection import address_of

    yield ClusterStore(address_of(request.getfixturevalue("one_node")), "contract")


FACTORIES = [
    pytest.param(embedded, id="embedded"),
    pytest.param(cluster, id="cluster", marks=pytest.mark.cluster),
]

NewStore = Callable[[], AbstractContextManager[Store]]


@pytest.fixture(scope="session", params=FACTORIES)
def new_store(request: pytest.FixtureRequest) -> NewStore:
    """Makes empty stores: ``with new_store() as store``."""
    factory: Callable[[pytest.FixtureRequest], AbstractContextManager[Store]]
    factory = contextmanager(request.param)

    @contextmanager
    def opened() -> Iterator[Store]:
        with factory(request) as made:
            try:
                yield made
            finally:
                made.clear()
                made.close()

    return opened


@pytest.fixture
def store(new_store: NewStore) -> Iterator[Store]:
    """An empty store."""
    with new_store() as made:
        yield made
