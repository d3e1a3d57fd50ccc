"""Why a chunk is found, or what of a query it does not have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plait.lanes.lexical import Lexical
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.search.why import NO_MATCH, Explained, explained
from plait.stores.embedded.store import EmbeddedStore
from plait.types import ChunkId, Query, Snapshot
from tests.contract.notation import file

LANE = Lexical()


@pytest.fixture
def snapshot(tmp_path: Path) -> Iterator[Snapshot]:
    store = EmbeddedStore(tmp_path / "index", "words")
    files = (
        file("a.py", "retry the request\n", "nothing else\n"),
        file("b.py", "retry retry retry\n", tags=("test",)),
    )
    store.commit(
        replace(
            change,
            entries=tuple(
                replace(entry, terms=LANE.terms(entry.chunk)) for entry in change.entries
            ),
        )
        for change in files
    )
    found = store.snapshot()
    yield found
    found.close()


def asked(snapshot: Snapshot, text: str, path: str = "a.py", ordinal: int = 0) -> Explained:
    key = ChunkId("r", path, ordinal)
    chunk = snapshot.fetch([key])[key]
    query = Query(text, parse(text).wanted)
    return explained(snapshot, Searcher(snapshot, [LANE]), LANE, query, chunk)


def test_a_chunk_that_is_found_has_its_rank_and_its_reason(snapshot: Snapshot) -> None:
    first, second = asked(snapshot, "retry", "b.py"), asked(snapshot, "retry")

    assert (first.rank, second.rank) == (1, 2)
    assert first.matches
    assert second.matches
    assert first.reason.value > second.reason.value > 0
    assert second.missing == ()


def test_words_a_chunk_does_not_have_are_named_although_it_matches(snapshot: Snapshot) -> None:
    found = asked(snapshot, "retry request", "b.py")

    assert found.matches
    assert found.missing == ("request",)


def test_a_condition_that_does_not_hold_keeps_a_chunk_out(snapshot: Snapshot) -> None:
    found = asked(snapshot, "retry -is:test lang:go", "b.py")

    assert not found.matches
    assert found.rank is None
    assert found.reason == NO_MATCH
    assert found.missing == ("-is:test", "lang:go")


def test_only_the_chunk_itself_counts_not_its_file(snapshot: Snapshot) -> None:
    found = asked(snapshot, "retry", ordinal=1)

    assert not found.matches
    assert found.missing == ("retry",)


def test_a_name_whose_parts_are_all_missing_is_named_once(snapshot: Snapshot) -> None:
    found = asked(snapshot, "AsyncResult")

    assert found.missing == ("AsyncResult",)
