"""Collections on a running cluster: made for a test, and taken away after it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from plait.stores.cluster.address import Address
from plait.stores.cluster.store import ClusterStore
from tests.cluster.running import Running

ANALYSIS = "tests"


def address_of(cluster: Running, **others: Any) -> Address:
    """A collection nobody else has, by all nodes of a cluster."""
    parts = [urlsplit(address) for address in cluster.addresses]
    made = Address(
        tuple((part.hostname or "", part.port or 0) for part in parts),
        f"test-{uuid.uuid4().hex}",
        tls=parts[0].scheme == "https",
        ca=str(cluster.ca_file or ""),
        user=cluster.user,
        password=cluster.password,
    )
    return replace(made, **others)


@contextmanager
def collection(cluster: Running, **others: Any) -> Iterator[ClusterStore]:
    """An empty collection; ``others`` are parts of its address."""
    store = ClusterStore(address_of(cluster, **others), ANALYSIS)
    try:
        yield store
    finally:
        store.clear()
        store.close()


@contextmanager
def beside(store: ClusterStore, **others: Any) -> Iterator[ClusterStore]:
    """The same collection, opened by somebody else."""
    other = ClusterStore(replace(store.address, **others), ANALYSIS)
    try:
        yield other
    finally:
        other.close()
