"""A question outlives the snapshot it was put to."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.errors import QueryError, SnapshotLost
from plait.search import retry
from plait.search.retry import retry_on_newest
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Snapshot
from tests.contract.notation import file


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "PAUSES_S", (0.0, 0.0, 0.0))


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    made = EmbeddedStore(tmp_path / "store", "retry")
    made.commit([file("a.py", "word\n")])
    return made


def test_a_newer_snapshot_is_asked_when_one_is_lost(store: EmbeddedStore) -> None:
    asked = []

    def ask(snapshot: Snapshot) -> str:
        asked.append(snapshot.generation)
        if len(asked) < 4:
            store.commit([file(f"{len(asked)}.py", "word\n")])
            raise SnapshotLost("gone")
        return "found"

    assert retry_on_newest(store.snapshot, ask) == "found"
    assert asked == [1, 2, 3, 4]


def test_what_is_lost_every_time_is_an_error_at_last(store: EmbeddedStore) -> None:
    asked = []

    def ask(snapshot: Snapshot) -> None:
        asked.append(snapshot.generation)
        raise SnapshotLost("gone")

    with pytest.raises(SnapshotLost):
        retry_on_newest(store.snapshot, ask)
    assert len(asked) == 4


def test_other_errors_are_no_reason_to_ask_again(store: EmbeddedStore) -> None:
    asked = []

    def ask(snapshot: Snapshot) -> None:
        asked.append(snapshot.generation)
        raise QueryError("what?")

    with pytest.raises(QueryError):
        retry_on_newest(store.snapshot, ask)
    assert len(asked) == 1
