"""Readers and writers in several threads and processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest

from plait.errors import IndexBusy
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Scope, Term
from tests.contract.notation import file
from tests.stores.folder import expected, opened, present, tags, uniform

PROJECT = Path(__file__).resolve().parents[2]


def writing(root: Path, *arguments: str) -> subprocess.Popen[str]:
    """Another process that writes."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.stores.writing", str(root), *arguments],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def root(place: Path) -> Path:
    """A store with one commit."""
    opened(place / "store").commit(uniform("tag"))
    return place / "store"


class Readers:
    """Threads that look at a store until stopped; what went wrong, and how often they looked."""

    def __init__(self, look: list[object], count: int = 2) -> None:
        self.faults: list[str] = []
        self.looks = 0
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=look) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _run(self, look: object) -> None:
        assert callable(look)
        while not self._stop.is_set():
            try:
                fault = look()
            except BaseException as error:  # noqa: BLE001  # whatever it is, it is the finding
                fault = f"{type(error).__name__}: {error}"
            self.looks += 1
            if fault:
                self.faults.append(fault)

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def mixture(store: EmbeddedStore) -> str:
    found = tags(store)
    return "" if len(found) == 1 else f"a mixture: {found}"


@pytest.mark.parametrize("commits", [40, pytest.param(200, marks=pytest.mark.nightly)])
def test_a_reader_never_sees_an_error_or_a_mixture(root: Path, commits: int) -> None:
    store = opened(root)
    readers = Readers([lambda: mixture(store)])
    held = store.snapshot()
    writer = writing(root, "commits", str(commits // 2))
    try:
        for n in range(commits // 2):
            store.commit(uniform(f"mine{n}"))
        writer.communicate(timeout=120)
    finally:
        readers.stop()

    assert writer.returncode == 0
    assert readers.faults == []
    assert readers.looks > 5
    assert store.snapshot().generation == commits + 1
    assert len(held.match(Term("tag"), Scope(), 9).hits) == 5
    assert present(root) == expected(root)


def test_a_check_beside_a_writer_finds_no_fault(root: Path) -> None:
    store = opened(root)
    readers = Readers([lambda: "; ".join(store.check())])
    try:
        for n in count():
            store.commit(uniform(f"tag{n}"))
            if n > 20 and readers.looks > 20:
                break
    finally:
        readers.stop()

    assert readers.faults == []


def test_a_second_writer_waits_then_says_who_is_writing(root: Path) -> None:
    other = writing(root, "hold")
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "holding\n"
        began = time.monotonic()
        with pytest.raises(IndexBusy, match=rf"another process is writing .*\b{other.pid}\b"):
            opened(root, wait_s=0.3).commit(uniform("mine"))
        waited = time.monotonic() - began

        assert waited >= 0.3
        assert tags(opened(root)) == {"tag"}  # readers do not wait
    finally:
        other.communicate(timeout=60)
    assert tags(opened(root)) == {"held"}


def test_a_second_writer_gets_its_turn(root: Path) -> None:
    other = writing(root, "hold")
    assert other.stdout is not None
    assert other.stdout.readline() == "holding\n"
    threading.Timer(0.3, lambda: other.stdin and other.stdin.close()).start()
    opened(root, wait_s=60).commit([file("5.py", "common held\n")])
    other.wait(timeout=60)
    other.stdout.close()

    assert tags(opened(root)) == {"held"}
    assert len(opened(root).snapshot().digests("r")) == 6


def test_a_killed_writer_holds_no_lock(root: Path) -> None:
    other = writing(root, "hold")
    assert other.stdout is not None
    assert other.stdout.readline() == "holding\n"
    other.kill()
    other.communicate()
    opened(root, wait_s=1).commit(uniform("mine"))

    assert tags(opened(root)) == {"mine"}
    assert present(root) == expected(root)
