"""The store on a cluster: one collection, any number of writers and readers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from plait.errors import FormatMismatch, IndexBusy, StoreDegraded, StoreError
from plait.stores.cluster.address import Address
from plait.stores.cluster.commit import Commit, tidy
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.manifest import (
    NOT_FOUND,
    REBUILD,
    STALE_S,
    Manifest,
    Read,
    begin_attempt,
    change_manifest,
    give_up,
    read_manifest,
    require,
    write_first,
)
from plait.stores.cluster.points import Orphans
from plait.stores.cluster.schema import (
    TEMPLATE,
    alias_of,
    index_name,
    own_settings,
    template,
    vectors_index,
)
from plait.stores.cluster.snapshot import ClusterSnapshot
from plait.stores.cluster.view import LAGGING_S, View
from plait.stores.leases import LeasedSnapshot, Leases
from plait.stores.made import made_otherwise
from plait.types import Change, Model

if TYPE_CHECKING:
    from plait.stores.cluster.embedding import ClusterSession

LAG_S = 10.0  # so long a manifest older than one we know of is asked for again
HOLD_S = 900.0  # an index that was built anew elsewhere is kept so long for searches that hold it
ALREADY_THERE = 400


class ClusterStore:
    """A collection on an OpenSearch cluster.

    Args:
        address: Where it is.
        analysis: How terms are made. A collection made otherwise is refused.
    """

    def __init__(self, address: Address, analysis: str) -> None:
        self.address = address
        self._analysis = analysis
        self.connection = Connection(address)
        self.alias = alias_of(address.collection)
        self._leases: Leases[ClusterSnapshot] = Leases()
        self._orphans = Orphans()
        self._seen = 0  # the newest generation we know of
        self._lock = threading.Lock()

    # ------------------------------------------------------------ reading

    def snapshot(self) -> LeasedSnapshot[ClusterSnapshot]:
        read = self._freshest()
        self._check_analysis(read.manifest)
        return self._leased(read)

    def as_built(self) -> tuple[LeasedSnapshot[ClusterSnapshot], str]:
        """The newest generation whatever it was built with, and what that was."""
        read = self._freshest()
        return self._leased(read), read.manifest.analysis

    def waiting(self, wait_s: float) -> Self:  # noqa: ARG002 - writers do not wait for each other
        """The same store."""
        return self

    def _leased(self, read: Read) -> LeasedSnapshot[ClusterSnapshot]:
        def opened() -> ClusterSnapshot:
            generation = read.manifest.generation
            return ClusterSnapshot(View(self.connection, self.alias, self._orphans, generation))

        leased = self._leases.newest(read.place, opened)
        with self._lock:
            self._seen = max(self._seen, leased.generation)
        if leased.whole.view.read.place != read.place:  # others were quicker
            self._leases.forget()
        self._orphans.let_go(self.connection)
        return leased

    def held(self) -> list[int]:
        """The generations of the snapshots that are open, each as often as it is held."""
        return self._leases.held()

    def _freshest(self) -> Read:
        """The manifest, never an older one than we know of unless it stays so: a node that was
        cut off answers from before, for a moment; a collection that was cleared begins again."""
        end = time.monotonic() + LAG_S
        while True:
            read = require(self.connection, self.alias)
            if read.manifest.generation >= self._seen:
                return read
            if time.monotonic() >= end:
                self._seen = 0
                return read
            time.sleep(LAGGING_S)

    def check(self) -> Sequence[str]:
        from plait.stores.cluster.checking import faults

        try:
            return faults(self.snapshot().whole.view)
        except (FormatMismatch, StoreDegraded) as error:
            return [str(error)]

    # ------------------------------------------------------------ writing

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> int:
        if anew:
            return self._commit_anew(changes)
        self._prepare()
        read, attempt = begin_attempt(self.connection, self.alias)
        self._check_analysis(read.manifest)
        commit = Commit(self.connection, read.index, attempt)
        try:
            if not commit.write(changes) and read.manifest.generation:
                commit.abandon()
                return read.manifest.generation
            done = commit.publish()
        except BaseException:
            published = commit.abandon()
            if published is None:
                raise
            done = published
        with suppress(StoreError):  # it has happened; the next commit tidies up
            self._collect(tidy(self.connection, done))
        return done.manifest.generation

    def _commit_anew(self, changes: Iterable[Change]) -> int:
        """Build the next index beside the current one, then let the alias name it."""
        self._prepare()
        old = read_manifest(self.connection, self.alias)
        assert old is not None
        self._remove_unfinished(old)
        index = self._create(self._last_number() + 1, {})
        _, attempt = begin_attempt(self.connection, index)
        commit = Commit(self.connection, index, attempt)
        try:
            commit.write(changes)
            generation = self._close(old.index, index) + 1
            retired = {**old.manifest.retired, old.index: time.time()}
            self._take_over(index, retired)
            done = commit.publish(generation=generation)
        except BaseException:
            published = commit.abandon()
            if published is None:
                self._reopen(old.index, index)
                self.connection.ask("DELETE", f"/{index}", allowed={NOT_FOUND})
                raise
            done = published
        self._swap(old.index, index)
        with suppress(StoreError):  # it has happened
            self._collect(done)
        return done.manifest.generation

    def _close(self, index: str, successor: str) -> int:
        """Let nothing more be published in an index; its generation."""

        def edit(read: Read) -> Manifest:
            if read.manifest.closed_for not in ("", successor):
                raise IndexBusy(
                    "another process is rebuilding the collection", hint="try again later"
                )
            return replace(read.manifest, closed_for=successor)

        return change_manifest(self.connection, index, edit).manifest.generation

    def _reopen(self, index: str, successor: str) -> None:
        def edit(read: Read) -> Manifest | None:
            if read.manifest.closed_for != successor:
                return None
            return replace(read.manifest, closed_for="")

        change_manifest(self.connection, index, edit)

    def _take_over(self, index: str, retired: dict[str, float]) -> None:
        change_manifest(
            self.connection, index, lambda read: replace(read.manifest, retired=retired)
        )

    def _swap(self, old: str, new: str) -> None:
        self.connection.ask(
            "POST",
            "/_aliases",
            {
                "actions": [
                    {"remove": {"index": old, "alias": self.alias}},
                    {"add": {"index": new, "alias": self.alias}},
                ]
            },
        )

    def _collect(self, read: Read) -> None:
        """Delete indexes that nobody can hold any more."""
        now = time.time()
        due = [name for name, since in read.manifest.retired.items() if now - since > HOLD_S]
        if not due:
            return
        for name in due:
            self.connection.ask("DELETE", f"/{name}", allowed={NOT_FOUND})

        def edit(read: Read) -> Manifest:
            left = {name: at for name, at in read.manifest.retired.items() if name not in due}
            return replace(read.manifest, retired=left)

        change_manifest(self.connection, read.index, edit)

    @contextmanager
    def vector_session(self, model: Model, within_s: float) -> Iterator[ClusterSession]:
        from plait.stores.cluster.embedding import ClusterSession

        session = ClusterSession(self.snapshot().whole.view, model)
        yield session
        session.publish(within_s)

    def clear(self) -> None:
        self._seen = 0
        for name in (*self._indexes(), vectors_index(self.address.collection)):
            self.connection.ask("DELETE", f"/{name}", allowed={NOT_FOUND})

    def close(self) -> None:
        """Let go of every view and of the connections."""
        for generation in self._leases.close_all():
            generation.view.close()
        self._orphans.let_go(self.connection)
        self.connection.close()

    # ------------------------------------------------------------ indexes

    def _prepare(self) -> None:
        """Make the first index of the collection, if there is none."""
        read = read_manifest(self.connection, self.alias)
        if read is None:
            self._create(1, {self.alias: {}})
        elif read.manifest.closed_for:
            self._finish_swap(read)

    def _finish_swap(self, read: Read) -> None:
        """Do what somebody left undone who built the collection anew, or undo it."""
        successor = read_manifest(self.connection, read.manifest.closed_for)
        if successor is not None and _is_given_up(self.connection, successor):
            successor = read_manifest(self.connection, successor.index)
        if successor is not None and successor.manifest.generation:
            self._swap(read.index, successor.index)
        elif successor is None or all(at < 0 for at in successor.manifest.attempts.values()):
            self._reopen(read.index, read.manifest.closed_for)
            self.connection.ask("DELETE", f"/{read.manifest.closed_for}", allowed={NOT_FOUND})

    def _remove_unfinished(self, read: Read) -> None:
        """Delete what others began to build who were never heard of again."""
        for name in self._indexes():
            if name == read.index or name in read.manifest.retired:
                continue
            left = read_manifest(self.connection, name)
            if left is not None and _is_given_up(self.connection, left):
                left = read_manifest(self.connection, name)
                if left is not None and not left.manifest.generation:
                    self.connection.ask("DELETE", f"/{name}", allowed={NOT_FOUND})

    def _create(self, number: int, aliases: Json) -> str:
        """Make an index with an empty manifest."""
        index = index_name(self.address.collection, number)
        self._put_template()
        body = {"settings": own_settings(self.address), "aliases": aliases}
        made = self.connection.ask("PUT", f"/{index}", body, allowed={ALREADY_THERE})
        if made.get("status") == ALREADY_THERE and not aliases:
            raise IndexBusy("another process is rebuilding the collection", hint="try again later")
        manifest = Manifest(self._analysis, shards=self.address.shards)
        write_first(self.connection, index, manifest)
        return index

    def _put_template(self) -> None:
        """Let the cluster know how our indexes are made, unless it does."""
        wanted = template()
        known = self.connection.ask("GET", f"/_index_template/{TEMPLATE}", allowed={NOT_FOUND})
        found = known.get("index_templates", [{}])[0].get("index_template", {})
        if found.get("_meta") != wanted["_meta"]:
            self.connection.ask("PUT", f"/_index_template/{TEMPLATE}", wanted)

    def _indexes(self) -> list[str]:
        found = self.connection.ask(
            "GET", f"/{self.alias}.*/_alias", params={"expand_wildcards": "all"}
        )
        return [name for name in found if name[len(self.alias) + 1 :].isdecimal()]

    def _last_number(self) -> int:
        return max(int(name[len(self.alias) + 1 :]) for name in self._indexes())

    def _check_analysis(self, manifest: Manifest) -> None:
        if manifest.analysis != self._analysis:
            raise FormatMismatch(
                f"the collection was {made_otherwise(manifest.analysis, self._analysis)}",
                hint=REBUILD,
            )


def _is_given_up(connection: Connection, read: Read) -> bool:
    """Give up whoever builds an index and gave no sign of life for long."""
    stale = [number for number, at in read.manifest.attempts.items() if time.time() - at > STALE_S]
    for number in stale:
        give_up(connection, read.index, number)
    return bool(stale)
