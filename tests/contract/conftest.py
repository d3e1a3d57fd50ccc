"""The stores every test of the contract runs on.

To add a store, add a factory: it takes an empty folder of its own and returns a store in
which nothing was ever committed.
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


def embedded(folder: Path) -> Store:
    """The store in a folder."""
    return EmbeddedStore(folder / "store", "contract", wait_s=60)


FACTORIES = [pytest.param(embedded, id="embedded")]

NewStore = Callable[[], AbstractContextManager[Store]]


@pytest.fixture(scope="session", params=FACTORIES)
def new_store(request: pytest.FixtureRequest) -> NewStore:
    """Makes empty stores: ``with new_store() as store``."""
    factory: Callable[[Path], Store] = request.param

    @contextmanager
    def opened() -> Iterator[Store]:
        folder = Path(tempfile.mkdtemp("-plait-contract", dir=MEMORY if MEMORY.is_dir() else None))
        made = factory(folder)
        try:
            yield made
        finally:
            made.clear()
            made.close()
            shutil.rmtree(folder)

    return opened


@pytest.fixture
def store(new_store: NewStore) -> Iterator[Store]:
    """An empty store."""
    with new_store() as made:
        yield made
