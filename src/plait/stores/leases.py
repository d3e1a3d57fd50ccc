"""Leases: one open generation for all who read it, each through a snapshot of their own.

Opening the newest generation again costs nothing while it is the newest. A snapshot that is
closed lets go of the generation; whoever is in the middle of a question still holds it, and
what it holds of files or of a cluster goes with the last one.

A snapshot may be bound to some repositories (``within``). This is the one place where that is
enforced: every question passes through it, narrowed or cut down to what may be seen.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Generic, Protocol, TypeVar

from plait.errors import StoreError
from plait.types import (
    Chunk,
    ChunkId,
    Contents,
    Counting,
    Embedded,
    Expression,
    FileFacts,
    FileKey,
    FileLines,
    Finding,
    LineQuery,
    Links,
    Ranking,
    Reason,
    Repos,
    Scope,
    Statistics,
    SymbolName,
    Tally,
    Vectors,
)


class Generation(Contents, Finding, Counting, Embedded, Protocol):
    """A generation as a store opens it: the whole of it."""


G = TypeVar("G", bound=Generation)


class Leases(Generic[G]):
    """The newest generation that was opened, and who reads it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: Hashable = None
        self._newest: G | None = None
        self._given: weakref.WeakSet[Held[G]] = weakref.WeakSet()

    def newest(self, key: Hashable, open_it: Callable[[], G]) -> LeasedSnapshot[G]:
        """A snapshot of the newest generation.

        Args:
            key: What tells it from every other.
            open_it: Opens it, if it is not open yet.
        """
        with self._lock:
            if self._newest is None or self._key != key:
                self._newest, self._key = open_it(), key
            held = Held(self._newest)
            self._given.add(held)
            return LeasedSnapshot(held)

    def held(self) -> list[int]:
        """The generations of the snapshots that are open, each as often as it is held."""
        with self._lock:
            return sorted(one.whole.generation for one in self._given if one.whole is not None)

    def close_all(self) -> list[G]:
        """Close every snapshot that was given, when there will be no more questions; the
        generations that were open, for the store to let go of what they hold elsewhere."""
        with self._lock:
            found = [held.whole for held in self._given]
            found.append(self._newest)
            self._newest = self._key = None
            for held in self._given:
                held.whole = None
        return [one for one in dict.fromkeys(found) if one is not None]

    def forget(self) -> None:
        """Open anew next time; what is held stays open."""
        with self._lock:
            self._newest = self._key = None


@dataclass(slots=True, weakref_slot=True, eq=False)
class Held(Generic[G]):
    """A generation that a reader holds, by a snapshot and its views, until one is closed."""

    whole: G | None


class LeasedSnapshot(Generic[G]):
    """A generation as one reader sees it: until it is closed, and only what may be seen.

    Args:
        held: The generation.
        repos: The repositories that may be seen; None for all.
    """

    def __init__(self, held: Held[G], repos: Repos = None) -> None:
        self._held = held
        self._repos = repos

    def within(self, repos: Repos) -> LeasedSnapshot[G]:
        """The same generation, told of some repositories alone; None for all that may be seen."""
        if isinstance(repos, str):
            raise TypeError(f"within takes a set of repositories, got the text {repos!r}")
        if repos is None or repos.issuperset(self.repos()):
            return self
        return LeasedSnapshot(self._held, self._both(repos))

    def close(self) -> None:
        self._held.whole = None

    @property
    def is_closed(self) -> bool:
        return self._held.whole is None

    @property
    def whole(self) -> G:
        """The generation itself, for the store that opened it.

        Raises:
            StoreError: The snapshot was closed.
        """
        whole = self._held.whole
        if whole is None:
            raise StoreError("this snapshot was closed")
        return whole

    # ------------------------------------------------------------ contents

    @property
    def generation(self) -> int:
        return self.whole.generation

    @property
    def is_remote(self) -> bool:
        return self.whole.is_remote

    def repos(self) -> Sequence[str]:
        return [repo for repo in self.whole.repos() if self._sees(repo)]

    def roots(self, repos: Iterable[str], until: float = inf) -> Mapping[str, str]:
        asked = list(repos)
        found = self.whole.roots([repo for repo in asked if self._sees(repo)], until)
        return {repo: found.get(repo, "") for repo in asked}

    def digests(self, repo: str) -> Mapping[str, str]:
        return self.whole.digests(repo) if self._sees(repo) else {}

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        return self.whole.outline(repo, path) if self._sees(repo) else ()

    def files(self, keys: Iterable[FileKey], until: float = inf) -> Mapping[FileKey, FileFacts]:
        seen = keys if self._repos is None else [key for key in keys if self._sees(key[0])]
        return self.whole.files(seen, until)

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        return self.whole.fetch(self._seen(ids))

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        return self.whole.links(self._seen(ids))

    # ------------------------------------------------------------ finding

    def match(self, wanted: Expression, scope: Scope, limit: int, until: float = inf) -> Ranking:
        return self.whole.match(wanted, self._narrowed(scope), limit, until)

    def definitions(
        self, names: Sequence[str], scope: Scope, limit: int, until: float = inf
    ) -> Mapping[ChunkId, SymbolName]:
        return self.whole.definitions(names, self._narrowed(scope), limit, until)

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        return self.whole.explain(wanted, self._seen(ids))

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        return self.whole.grep(replace(asked, scope=self._narrowed(asked.scope)))

    # ------------------------------------------------------------ counting

    def count(self, wanted: Sequence[Expression], repos: Repos = None) -> Sequence[int]:
        return self.whole.count(wanted, self._both(repos))

    def spellings(self, term: str, limit: int, repos: Repos = None) -> Sequence[str]:
        return self.whole.spellings(term, limit, self._both(repos))

    def statistics(self, repos: Repos = None) -> Statistics:
        return self.whole.statistics(self._both(repos))

    # ------------------------------------------------------------ vectors

    def nearest(
        self,
        model: str,
        question: Vectors,
        where: Expression,
        scope: Scope,
        limit: int,
        until: float = inf,
    ) -> Ranking:
        return self.whole.nearest(model, question, where, self._narrowed(scope), limit, until)

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        return self.whole.vectors(model, self._seen(ids))

    def missing_vectors(self, model: str, repos: Repos = None) -> int:
        return self.whole.missing_vectors(model, self._both(repos))

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        return self.whole.embedded(model, where, self._narrowed(scope))

    # ------------------------------------------------------------ what may be seen

    def _sees(self, repo: str) -> bool:
        return self._repos is None or repo in self._repos

    def _seen(self, ids: Iterable[ChunkId]) -> Sequence[ChunkId]:
        repos = self._repos
        return list(ids) if repos is None else [key for key in ids if key.repo in repos]

    def _both(self, repos: Repos) -> Repos:
        if self._repos is None or repos is None:
            return self._repos if repos is None else repos
        return repos & self._repos

    def _narrowed(self, scope: Scope) -> Scope:
        return scope if self._repos is None else replace(scope, repos=self._both(scope.repos))
