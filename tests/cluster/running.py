"""Real clusters for tests, each started when the first test wants it and stopped at the end.

Environment:
    PLAIT_CLUSTER          the address of a node that runs already: ``one_node`` uses it.
    PLAIT_REQUIRE_CLUSTER  1 if clusters have to start: where one cannot, tests fail.

Functions here are plain generators; a ``conftest.py`` makes session fixtures of them. Two that
do so in one session share the cluster.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from tools.opensearch.errors import PartMissing
from tools.opensearch.network import check_namespaces
from tools.opensearch.nodes import QUICK, Cluster

LITTLE_ROOM = {
    "thread_pool.write.size": 1,
    "thread_pool.write.queue_size": 1,
    "indexing_pressure.memory.limit": "512kb",
    "cluster.info.update.interval": "10s",
    "cluster.routing.allocation.disk.reroute_interval": "1s",
}


class Running(Protocol):
    """What it takes to call a cluster."""

    @property
    def addresses(self) -> list[str]: ...
    @property
    def user(self) -> str: ...
    @property
    def password(self) -> str: ...
    @property
    def ca_file(self) -> Path | None: ...


@dataclass(frozen=True)
class Elsewhere:
    """A cluster somebody else started and stops."""

    addresses: list[str]
    user: str = ""
    password: str = ""
    ca_file: Path | None = None


def one_node() -> Iterator[Running]:
    """One node of the newest release this machine can run, or the one ``PLAIT_CLUSTER`` names."""
    if address := os.environ.get("PLAIT_CLUSTER"):
        yield Elsewhere([address.rstrip("/")])
    else:
        yield from _shared("one", _one_node)


def hurt_node() -> Iterator[Cluster]:
    """One node that tests may hurt, with little room for what is being written."""
    yield from _shared("hurt", lambda: Cluster.start(java_options=QUICK, settings=LITTLE_ROOM))


def three_nodes() -> Iterator[Cluster]:
    """Three nodes, each with a network of its own where this machine allows it."""
    yield from _shared("three", _three_nodes)


def secured_node() -> Iterator[Cluster]:
    """One node of the older release with TLS and users."""
    yield from _shared(
        "secured", lambda: Cluster.start("2.19.1", security=True, java_options=QUICK)
    )


def has_namespaces() -> bool:
    """Whether a node can have a network of its own here."""
    try:
        check_namespaces()
    except PartMissing:
        return False
    return True


def _one_node() -> Cluster:
    try:
        return Cluster.start(java_options=QUICK)
    except PartMissing:  # no Java for it
        return Cluster.start("2.19.1", java_options=QUICK)


def _three_nodes() -> Cluster:
    return Cluster.start(nodes=3, in_namespaces=has_namespaces(), java_options=QUICK)


_running: dict[str, Cluster] = {}
_users: Counter[str] = Counter()


def _shared(name: str, start: Callable[[], Cluster]) -> Iterator[Cluster]:
    """A cluster by its name, started for its first user and stopped after its last."""
    if name not in _running:
        try:
            _running[name] = start()
        except PartMissing as error:
            if os.environ.get("PLAIT_REQUIRE_CLUSTER") == "1":
                pytest.fail(f"PLAIT_REQUIRE_CLUSTER=1, but {error}")
            pytest.skip(f"no cluster: {error}")
    _users[name] += 1
    try:
        yield _running[name]
    finally:
        _users[name] -= 1
        if not _users[name]:
            _running.pop(name).stop()
