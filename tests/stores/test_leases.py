"""Leases: one open generation for all who read it, and none pulled from under a reader."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from pathlib import Path

import pytest

from plait.errors import IndexCorrupt, StoreError
from plait.stores.embedded.store import EmbeddedStore
from plait.types import And, ChunkId, Pattern, Phrase, Scope, Term
from tests.stores.folder import uniform
from tests.stores.test_proofs import a_layer, flip

SETTLED_S = 0.06  # after it a write to a file leaves a trace


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    made = EmbeddedStore(tmp_path / "store", "leases", wait_s=60)
    made.commit(uniform("first"))
    time.sleep(SETTLED_S)
    return made


def test_opening_the_newest_generation_again_opens_nothing(store: EmbeddedStore) -> None:
    one, two = store.snapshot(), store.snapshot()

    assert one.whole is two.whole
    assert store.held() == [1, 1]


def test_a_new_generation_is_seen_by_who_asks_and_not_by_who_holds(store: EmbeddedStore) -> None:
    before = store.snapshot()
    store.commit(uniform("second"))
    after = store.snapshot()

    assert (before.generation, after.generation) == (1, 2)
    assert before.count([Term("first"), Term("second")]) != after.count(
        [Term("first"), Term("second")]
    )


def test_closing_one_leaves_the_others_open(store: EmbeddedStore) -> None:
    one, two = store.snapshot(), store.snapshot()
    one.close()

    assert two.match(And(()), Scope(), 1).hits
    assert store.held() == [1]
    with pytest.raises(StoreError, match="was closed"):
        one.repos()


def test_a_view_closes_with_its_snapshot(store: EmbeddedStore) -> None:
    snapshot = store.snapshot()
    view = snapshot.within(frozenset({"another"}))
    snapshot.close()

    with pytest.raises(StoreError, match="was closed"):
        view.match(And(()), Scope(), 1)


def test_what_nobody_holds_is_let_go_of(store: EmbeddedStore) -> None:
    snapshot = store.snapshot()
    whole = weakref.ref(snapshot.whole)
    store.commit(uniform("second"))
    store.snapshot().close()
    assert whole() is not None
    snapshot.close()
    gc.collect()

    assert whole() is None


def test_a_question_under_way_outlives_the_close(store: EmbeddedStore) -> None:
    """The close comes while lines are being read, from another thread."""
    snapshot = store.snapshot()
    (key,) = snapshot.outline("r", "0.py")
    before = snapshot.match(Phrase("common first"), Scope(), 10)
    closing = threading.Thread(target=snapshot.close)
    whole = snapshot.whole
    closing.start()
    closing.join()

    assert whole.fetch([key])[key].text
    assert len(whole.match(Pattern("first"), Scope(), 10).hits) == len(before.hits) == 5


def test_a_file_that_was_written_to_is_told_by_the_next_opening(store: EmbeddedStore) -> None:
    held = store.snapshot()
    assert held.fetch([ChunkId("r", "nowhere", 0)]) == {}
    flip(a_layer(store.root))

    with pytest.raises(IndexCorrupt):
        store.snapshot()


def test_an_index_that_was_cleared_and_built_again_is_another(store: EmbeddedStore) -> None:
    before = store.snapshot()
    store.clear()
    store.commit(uniform("second"))
    after = store.snapshot()

    assert (before.generation, after.generation) == (1, 1)
    assert before.whole is not after.whole
    assert after.count([Term("second")]) != [0]


def test_a_snapshot_outlives_an_index_that_was_cleared_and_built_again(
    store: EmbeddedStore,
) -> None:
    """The files of the new index have the names of those that are held."""
    held = store.snapshot()
    store.clear()
    store.commit(uniform("second"))
    time.sleep(SETTLED_S)

    assert held.count([Term("first"), Term("second")]) == [5, 0]
    assert len(held.match(Pattern("first"), Scope(), 10).hits) == 5


def test_a_view_is_on_the_books_though_its_snapshot_was_dropped(store: EmbeddedStore) -> None:
    view = store.snapshot().within(frozenset({"another"}))
    gc.collect()

    assert store.held() == [1]
    view.close()
    assert store.held() == []


def test_a_name_is_no_set_of_names(store: EmbeddedStore) -> None:
    with pytest.raises(TypeError, match="takes a set of repositories"):
        store.snapshot().within("r")  # type: ignore[arg-type]  # the mistake
