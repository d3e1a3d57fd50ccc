"""The smallest chunk around a line, where chunks lie within chunks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plait.lanes.chunks_at import chunks_at
from plait.search.places import Place, chunk_around
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Snapshot
from tests.contract.notation import file

COUNT = 40


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """Two files of forty chunks of two lines each."""
    store = EmbeddedStore(tmp_path_factory.mktemp("store") / "s", "test", wait_s=60)
    pieces = [f"a{n}\nb{n}\n" for n in range(COUNT)]
    store.commit([file("a.py", *pieces), file("b.py", *pieces)])
    opened = store.snapshot()
    yield opened
    opened.close()


@pytest.mark.parametrize("line", range(1, 2 * COUNT + 1))
def test_every_line_has_the_chunk_that_all_chunks_of_its_file_give(
    snapshot: Snapshot, line: int
) -> None:
    places = [(("r", "a.py"), line), (("r", "b.py"), line)]
    found = chunks_at(snapshot, places)
    assert [found[place] for place in places] == [
        chunk_around(snapshot, "r", Place(path, line)) for path in ("a.py", "b.py")
    ]


def test_a_line_behind_the_last_has_no_chunk(snapshot: Snapshot) -> None:
    assert chunks_at(snapshot, [(("r", "a.py"), 2 * COUNT + 1)]) == {}


def test_a_file_that_is_not_there_has_no_chunk(snapshot: Snapshot) -> None:
    assert chunks_at(snapshot, [(("r", "none.py"), 1)]) == {}
