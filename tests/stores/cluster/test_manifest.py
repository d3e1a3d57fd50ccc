"""The manifest of a collection: read as written, replaced only by those who read it last."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from plait.errors import FormatMismatch, IndexBusy, IndexMissing
from plait.stores.cluster import manifest as manifests
from plait.stores.cluster.manifest import (
    Manifest,
    Read,
    begin_attempt,
    change_manifest,
    end_attempt,
    give_up,
    read_manifest,
    renew_attempt,
    replace_manifest,
    require,
    write_first,
)
from plait.stores.cluster.store import ClusterStore
from tests.cluster.collection import collection
from tests.cluster.running import Running
from tests.contract.notation import file


def test_a_manifest_is_read_back_as_it_was_written() -> None:
    made = Manifest(
        "words",
        generation=7,
        next_attempt=9,
        attempts={8: 1.5, 3: -2.5},
        dead={5: 2},
        index_bytes=10,
        shards=3,
        retired={"old": 4.0},
        closed_for="next",
        nonce="n",
    )

    assert Manifest.from_json(json.loads(json.dumps(made.to_json()))) == made


def test_what_a_later_version_adds_is_passed_over_and_another_format_refused() -> None:
    kept = Manifest("words", generation=1).to_json()

    assert Manifest.from_json({**kept, "novelty": 1}) == Manifest("words", generation=1)
    with pytest.raises(FormatMismatch, match="has format 99") as refused:
        Manifest.from_json({**kept, "format": 99})
    assert "--rebuild" in refused.value.hint


# ---------------------------------------------------------------- on a cluster


@pytest.fixture
def store(one_node: Running) -> Iterator[ClusterStore]:
    """A collection with one commit."""
    with collection(one_node) as made:
        made.commit([file("a.py", "alpha\n")])
        yield made


def current(store: ClusterStore) -> Read:
    read = read_manifest(store.connection, store.alias)
    assert read is not None
    return read


@pytest.mark.slow
def test_of_two_who_read_the_same_only_one_replaces_it(store: ClusterStore) -> None:
    read = current(store)
    done = replace_manifest(store.connection, read, replace(read.manifest, generation=5))
    late = replace_manifest(store.connection, read, replace(read.manifest, generation=6))

    assert done is not None
    assert late is None
    assert current(store) == done
    assert current(store).manifest.generation == 5


@pytest.mark.slow
def test_changes_at_once_are_all_made(store: ClusterStore) -> None:
    def add(name: str) -> None:
        change_manifest(
            store.connection,
            store.alias,
            lambda read: replace(read.manifest, retired={**read.manifest.retired, name: 0.0}),
        )

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, map(str, range(12))))

    assert set(current(store).manifest.retired) == set(map(str, range(12)))


@pytest.mark.slow
def test_who_is_always_too_late_gives_up(
    store: ClusterStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifests, "MAX_CHANGES", 3)

    def edit(read: Read) -> Manifest:
        assert replace_manifest(store.connection, read, read.manifest)  # somebody was faster
        return replace(read.manifest, generation=99)

    with pytest.raises(IndexBusy):
        change_manifest(store.connection, store.alias, edit)
    assert current(store).manifest.generation == 1


@pytest.mark.slow
def test_a_first_manifest_does_not_replace_one(store: ClusterStore) -> None:
    read = current(store)
    write_first(store.connection, read.index, Manifest("other"))

    assert current(store) == read


@pytest.mark.slow
def test_what_was_never_written_is_missing(one_node: Running) -> None:
    with collection(one_node) as empty:
        assert read_manifest(empty.connection, empty.alias) is None
        with pytest.raises(IndexMissing, match="nothing is indexed in opensearch://"):
            require(empty.connection, empty.alias)
        with pytest.raises(IndexMissing):
            change_manifest(empty.connection, empty.alias, lambda read: read.manifest)


@pytest.mark.slow
def test_an_attempt_has_a_number_of_its_own_and_gives_signs_of_life(store: ClusterStore) -> None:
    _, one = begin_attempt(store.connection, store.alias)
    read, two = begin_attempt(store.connection, store.alias)
    before = read.manifest.attempts[one]
    renew_attempt(store.connection, read.index, one)
    after = current(store).manifest.attempts

    assert one != two
    assert before < after[one] <= time.time()
    assert after[two] == read.manifest.attempts[two]
    end_attempt(store.connection, read.index, one)
    end_attempt(store.connection, read.index, one)
    assert set(current(store).manifest.attempts) == {two}


@pytest.mark.slow
def test_an_attempt_that_was_given_up_is_never_alive_again(store: ClusterStore) -> None:
    read, attempt = begin_attempt(store.connection, store.alias)
    given_up = give_up(store.connection, read.index, attempt)

    assert given_up.manifest.attempts[attempt] < 0
    assert give_up(store.connection, read.index, attempt).manifest == given_up.manifest
    with pytest.raises(IndexBusy, match="given up"):
        renew_attempt(store.connection, read.index, attempt)
