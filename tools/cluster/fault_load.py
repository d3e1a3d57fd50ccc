"""The load while nodes fail: threads that write and threads that search, and what they saw.

A writer repeats a commit until it is acknowledged, as an indexer would, so in the end it is
known what every file has to be. A search outlives the loss of its snapshot as ``Index.search``
does; if it fails nevertheless, it is repeated once, and if that fails too, it counts as failed. A
wrong answer is never asked again.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from plait.errors import PlaitError
from plait.search.retry import retry_on_newest
from plait.stores.cluster.store import ClusterStore
from plait.types import Change, Snapshot
from tools.chaos.record import say
from tools.cluster.fault_files import Question, version

SEARCH_PAUSE_S = 0.1
WRITE_PAUSE_S = 0.2
AGAIN_S = 1.0

Key = tuple[str, str]  # repository and path


class Trouble(NamedTuple):
    """Something that went wrong, when, and in which words."""

    at_s: float  # since the load began
    what: str
    words: str


class Seen(NamedTuple):
    """What came of a search."""

    generation: int
    wrong: str  # in words; "" if it is right


class Ledger:
    """What every owned file has been told to be, and up to where that was acknowledged."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: dict[Key, list[str]] = {}  # digests; "" where it was removed
        self._sure: dict[Key, int] = {}  # how many of them are known to have happened

    def tell(self, changes: Sequence[Change]) -> None:
        """These are about to be committed."""
        with self._lock:
            for change in changes:
                digest = change.file.digest if change.file else ""
                self._told.setdefault((change.repo, change.path), []).append(digest)

    def acknowledge(self, changes: Sequence[Change]) -> None:
        with self._lock:
            for change in changes:
                self._sure[change.repo, change.path] = len(self._told[change.repo, change.path])

    def some(self, draw: random.Random) -> tuple[Key, int] | None:
        """A file that was acknowledged, and how often."""
        with self._lock:
            key = draw.choice(sorted(self._sure)) if self._sure else None
            return (key, self._sure[key]) if key else None

    def is_right(self, key: Key, sure: int, digest: str) -> bool:
        """Whether a file may be so, seen after it was acknowledged so often."""
        with self._lock:
            return digest in self._told[key][sure - 1 :]

    def state(self) -> dict[Key, str]:
        """What every file has to be, once nothing is under way."""
        with self._lock:
            assert all(len(told) == self._sure.get(key) for key, told in self._told.items())
            return {key: told[-1] for key, told in sorted(self._told.items()) if told[-1]}


class Load:
    """Writers and searchers on one collection, until ``stop``."""

    def __init__(
        self,
        opened: Callable[[], ClusterStore],
        questions: Sequence[Question],
        *,
        writers: int,
        searchers: int,
        seed: int,
    ) -> None:
        self.ledger = Ledger()
        self.contents: dict[Key, Change] = {}  # the last that was acknowledged
        self.counts: Counter[str] = Counter()
        self.troubles: list[Trouble] = []
        self.took_s: dict[str, list[float]] = {"search": [], "commit": []}
        self._questions = questions
        self._began = time.monotonic()
        self._stop, self._stop_writing = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._stores = [opened() for _ in range(writers + 1)]
        self._threads = [
            threading.Thread(target=self._write, args=(number, random.Random(seed + number)))
            for number in range(writers)
        ]
        self._threads += [
            threading.Thread(target=self._search, args=(random.Random(seed - 1 - number),))
            for number in range(searchers)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def at_s(self) -> float:
        return time.monotonic() - self._began

    def wait_for(self, what: str, count: int, within_s: float) -> None:
        """Wait until so many more searches were answered, or commits acknowledged."""
        wanted, limit = self.counts[what] + count, time.monotonic() + within_s
        while self.counts[what] < wanted:
            if time.monotonic() > limit:
                raise TimeoutError(f"no {count} more {what} in {within_s:.0f} s")
            time.sleep(SEARCH_PAUSE_S)

    def stop(self, within_s: float) -> bool:
        """End the load; whether every commit under way was acknowledged in time."""
        self._stop_writing.set()
        limit = time.monotonic() + within_s
        for thread in self._threads[: len(self._stores) - 1]:
            thread.join(max(0.0, limit - time.monotonic()))
        self._stop.set()
        for thread in self._threads:
            thread.join(within_s)
        has_ended = not any(thread.is_alive() for thread in self._threads)
        for store in self._stores:
            store.close()
        return has_ended

    def _note(self, what: str, words: str) -> None:
        trouble = Trouble(round(self.at_s, 1), what, words)
        say(f"{trouble}")
        with self._lock:
            self.counts[what] += 1
            self.troubles.append(trouble)

    # ------------------------------------------------------------ writing

    def _write(self, owner: int, draw: random.Random) -> None:
        store, number = self._stores[owner], 0
        while not self._stop_writing.is_set():
            changes = version(owner, number, draw)
            number += 1
            self.ledger.tell(changes)
            if self._commit(store, changes):
                self.ledger.acknowledge(changes)
                with self._lock:
                    self.contents |= {(one.repo, one.path): one for one in changes}
                    self.counts["commits"] += 1
            self._stop_writing.wait(WRITE_PAUSE_S)

    def _commit(self, store: ClusterStore, changes: Sequence[Change]) -> bool:
        """Commit until it is acknowledged, or nobody waits any more."""
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                store.commit(changes)
            except PlaitError as error:
                self._note("commit repeated", f"{type(error).__name__}: {error}")
                self._stop.wait(AGAIN_S)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
                self._note("commit broken", f"{type(error).__name__}: {error}")
                return False
            else:
                self.took_s["commit"].append(time.monotonic() - began)
                return True
        return False

    # ------------------------------------------------------------ searching

    def _search(self, draw: random.Random) -> None:
        store, newest = self._stores[-1], 0
        while not self._stop.is_set():
            look = self._look(draw)
            began = time.monotonic()
            try:
                try:
                    generation, wrong = retry_on_newest(store.snapshot, look)
                except PlaitError as error:
                    self._note("search repeated", f"{type(error).__name__}: {error}")
                    generation, wrong = retry_on_newest(store.snapshot, look)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
                self._note("search failed", f"{type(error).__name__}: {error}")
                continue
            self.took_s["search"].append(time.monotonic() - began)
            with self._lock:
                self.counts["searches"] += 1
            if wrong:
                self._note("search wrong", wrong)
            if generation < newest:
                self._note("search went back", f"{newest} to {generation}")
            newest = max(newest, generation)
            self._stop.wait(SEARCH_PAUSE_S)

    def _look(self, draw: random.Random) -> Callable[[Snapshot], Seen]:
        """A question with a known answer, or a file that has to be there."""
        if draw.random() < 0.3 and (known := self.ledger.some(draw)):
            key, sure = known
            return lambda snapshot: self._looked_up(snapshot, key, sure)
        question = draw.choice(self._questions)

        def look(snapshot: Snapshot) -> Seen:
            answer = question.ask(snapshot)
            wrong = "" if answer == question.right else f"{question.name}: {answer}"
            return Seen(snapshot.generation, wrong)

        return look

    def _looked_up(self, snapshot: Snapshot, key: Key, sure: int) -> Seen:
        digest = snapshot.digests(key[0]).get(key[1], "")
        is_right = self.ledger.is_right(key, sure, digest)
        wrong = "" if is_right else f"{key} is {digest or 'gone'}, acknowledged {sure} times"
        return Seen(snapshot.generation, wrong)
