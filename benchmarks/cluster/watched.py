"""Watched: a snapshot that tells what a search asked of it, and how long each answer took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple, TypeVar

from benchmarks.cluster.requests_sent import Recording, Sent
from plait.stores.cluster.points import Orphans
from plait.stores.cluster.snapshot import ClusterSnapshot
from plait.stores.cluster.view import View
from plait.types import (
    Chunk,
    ChunkId,
    Expression,
    FileFacts,
    FileKey,
    Links,
    Ranking,
    Reason,
    Repos,
    Scope,
    SymbolName,
    Vectors,
)

T = TypeVar("T")


class Call(NamedTuple):
    """One call of a method of the snapshot."""

    method: str
    wall_s: float
    asked_s: float  # of which the connection waited for answers
    requests: tuple[Sent, ...]


class Watched(ClusterSnapshot):
    """A snapshot of the newest generation that remembers the calls made of it.

    Args:
        connection: The way to the cluster.
        alias: The name of the collection there.
    """

    def __init__(self, connection: Recording, alias: str) -> None:
        view = View(connection, alias, Orphans())
        super().__init__(view)
        self._connection = connection
        self._is_inside = False  # of a call
        self.calls: list[Call] = []

    def _watched(self, method: str, work: Callable[[], T]) -> T:
        if self._is_inside:
            return work()
        connection = self._connection
        connection.sent, asked_s, began = [], connection.asked_s, time.perf_counter()
        self._is_inside = True
        try:
            return work()
        finally:
            self._is_inside = False
            wall_s = time.perf_counter() - began
            waited_s = connection.asked_s - asked_s
            self.calls.append(Call(method, wall_s, waited_s, tuple(connection.sent)))

    def match(self, wanted: Expression, scope: Scope, limit: int, until: float = inf) -> Ranking:
        return self._watched(
            "match", lambda: super(Watched, self).match(wanted, scope, limit, until)
        )

    def nearest(
        self,
        model: str,
        question: Vectors,
        where: Expression,
        scope: Scope,
        limit: int,
        until: float = inf,
    ) -> Ranking:
        return self._watched(
            "nearest",
            lambda: super(Watched, self).nearest(model, question, where, scope, limit, until),
        )

    def files(self, keys: Iterable[FileKey], until: float = inf) -> Mapping[FileKey, FileFacts]:
        return self._watched("files", lambda: super(Watched, self).files(keys, until))

    def roots(self, repos: Iterable[str], until: float = inf) -> Mapping[str, str]:
        return self._watched("roots", lambda: super(Watched, self).roots(repos, until))

    def definitions(
        self, names: Sequence[str], scope: Scope, limit: int, until: float = inf
    ) -> Mapping[ChunkId, SymbolName]:
        return self._watched(
            "definitions", lambda: super(Watched, self).definitions(names, scope, limit, until)
        )

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        return self._watched("fetch", lambda: super(Watched, self).fetch(ids))

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        return self._watched("links", lambda: super(Watched, self).links(ids))

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        return self._watched("explain", lambda: super(Watched, self).explain(wanted, ids))

    def count(self, wanted: Sequence[Expression], repos: Repos = None) -> Sequence[int]:
        return self._watched("count", lambda: super(Watched, self).count(wanted, repos))

    def spellings(self, term: str, limit: int, repos: Repos = None) -> Sequence[str]:
        return self._watched(
            "spellings", lambda: super(Watched, self).spellings(term, limit, repos)
        )
