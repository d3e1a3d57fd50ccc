"""Operations: what an administrator does with a collection on a cluster.

Looking after it, copying it away and back, and asking whether a server can hold one at all.
Everything else, indexing and searching, goes through the store.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from plait.errors import PlaitError
from plait.stores.cluster.address import Address
from plait.stores.cluster.operations import copies
from plait.stores.cluster.operations.advice import Advice, advice
from plait.stores.cluster.operations.copies import Copied
from plait.stores.cluster.operations.restore import Restored, restore
from plait.stores.cluster.operations.status import Standing, standing
from plait.stores.cluster.store import ClusterStore

__all__ = ["Advice", "Operations", "Server", "advice"]

OLDEST = (2, 19)
NEWEST_MAJOR = 3
KNN = "opensearch-knn"
ROUND_TRIPS = 5


@dataclass(frozen=True, slots=True)
class Server:
    """What answers at an address, and what is wrong with it."""

    version: str
    nodes: int
    round_trip_s: float
    problems: tuple[str, ...]


class Operations:
    """What can be done with one collection besides indexing and searching it.

    Args:
        address: Where it is.
        analysis: How terms are made.
    """

    def __init__(self, address: Address, analysis: str) -> None:
        self.address = address
        self._store = ClusterStore(address, analysis)
        self._connection = self._store.connection

    def status(self, model: str = "") -> Standing:
        """How the cluster and the collection are doing; ``model``'s vectors are counted."""
        return standing(self._connection, self._store.snapshot, model)

    def register(self, repository: str, location: str) -> None:
        """Let snapshots be put in a folder that every node can write to."""
        copies.register(self._connection, repository, location)

    def snapshot(self, repository: str, name: str) -> Copied:
        """Copy the collection as it is now into a repository for snapshots."""
        return copies.snapshot(self._connection, repository, name)

    def snapshots(self, repository: str) -> Sequence[copies.Listed]:
        """The snapshots of collections that a repository has, the oldest first."""
        return copies.listed(self._connection, repository)

    def restore(self, repository: str, name: str, *, is_replacing: bool = False) -> Restored:
        """Bring a collection back, and read all of it."""
        return restore(
            self._connection, repository, name, self._store.check, is_replacing=is_replacing
        )

    def server(self) -> Server:
        """What answers, and whether plait can work with it."""
        root = self._connection.ask("GET", "/")
        version = root.get("version", {}).get("number", "")
        told = self._connection.ask("GET", "/_nodes/plugins")["nodes"].values()
        without = [
            one["name"] for one in told if KNN not in {part["name"] for part in one["plugins"]}
        ]
        problems = []
        if root.get("version", {}).get("distribution") != "opensearch":
            problems.append("it is not OpenSearch")
        elif not _is_supported(version):
            problems.append(f"OpenSearch {version} was not tried: 2.19 and later and 3.x were")
        if without:
            problems.append(f"the k-NN plug-in is missing on {', '.join(sorted(without))}")
        if not self._has_painless():
            problems.append("the module lang-painless is missing or may not be used")
        return Server(version, len(told), self._round_trip_s(), tuple(problems))

    def _has_painless(self) -> bool:
        body = {"script": {"source": "1 + 1"}}
        try:
            answer = self._connection.ask("POST", "/_scripts/painless/_execute", body)
        except PlaitError:
            return False
        return bool(answer["result"] == "2")

    def _round_trip_s(self) -> float:
        spent = []
        for _ in range(ROUND_TRIPS):
            begin = time.perf_counter()
            self._connection.ask("GET", "/")
            spent.append(time.perf_counter() - begin)
        return median(spent)

    def close(self) -> None:
        self._store.close()


def _is_supported(version: str) -> bool:
    parts = version.split(".")
    if len(parts) < 2 or not all(part.isdecimal() for part in parts[:2]):
        return False
    major, minor = int(parts[0]), int(parts[1])
    return (major, minor) >= OLDEST and major <= NEWEST_MAJOR
