"""Lines of more files, names and chunks than one answer of a cluster holds."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from plait.errors import OutOfTime
from plait.stores.cluster.address import Address
from plait.stores.cluster.line_files import FIRST_BYTES, FIRST_LISTED, FileReader
from plait.stores.cluster.line_scope import FEW_CHUNKS
from plait.stores.cluster.points import Orphans
from plait.stores.cluster.store import ClusterStore
from plait.stores.cluster.view import View
from plait.stores.embedded.store import EmbeddedStore
from plait.stores.line_search import MANY_NAMED, Budget
from plait.types import (
    And,
    Change,
    Defines,
    FileLines,
    LineQuery,
    Not,
    Order,
    Pattern,
    Scope,
    Snapshot,
    Tag,
    Tally,
)
from tests.cluster import running
from tests.contract.lines import grepped, places
from tests.contract.notation import Piece, file

pytestmark = pytest.mark.slow
FILES = 700
FUNCTIONS = 8


def source(number: int) -> Change:
    """A file with functions; every seventh is a test."""
    pieces = [
        Piece(
            f"def handle_{number}_{at}(request):\n    return answer_{number % 9}(request, {at})\n"
            f"    # {'nothing to see here ' * 3}\n",
            f"handle_{number}_{at}",
            signature=f"def handle_{number}_{at}(request):",
        )
        for at in range(FUNCTIONS)
    ]
    tags = ("test",) if number % 7 == 0 else ()
    return file(
        f"part{number % 11}/f{number}.py", "import os\n", *pieces, repo=f"r{number % 3}", tags=tags
    )


CHANGES = [
    *(source(number) for number in range(FILES)),
    file("part1.py", "import os\n", repo="r1"),  # what is in the folder part1 comes before
]


@pytest.fixture(scope="module")
def store(one_node: running.Running) -> Iterator[ClusterStore]:
    """A collection with all files."""
    address = one_node.addresses[0].replace("http://", "opensearch://")
    made = ClusterStore(Address.parse(f"{address}/lines-{uuid.uuid4().hex}", {}), "lines")
    made.commit(CHANGES)
    yield made
    made.clear()
    made.close()


@pytest.fixture(scope="module")
def snapshot(store: ClusterStore) -> Snapshot:
    """What is in it."""
    return store.snapshot()


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """The same in a folder."""
    store = EmbeddedStore(Path(tmp_path_factory.mktemp("other")) / "store", "lines")
    store.commit(CHANGES)
    yield store.snapshot()
    store.close()


def test_the_corpus_is_large_enough_to_tell() -> None:
    assert FILES > 2 * FIRST_LISTED
    assert max(FEW_CHUNKS, MANY_NAMED) < FILES * FUNCTIONS
    assert sum(len(one.file.content) for one in CHANGES if one.file) > 2 * FIRST_BYTES


@pytest.mark.parametrize(
    "asked",
    [
        LineQuery((Pattern("handle_"),)),
        LineQuery((Pattern("handle_.*_3"),), per_file=1),
        LineQuery((Pattern("handle_12"),), limit=500, count_to=1_000),
        LineQuery((Pattern("return answer_7"),)),
        LineQuery((Pattern("[02468][(]"),)),
        LineQuery((Pattern("import os"),), is_inverted=True, limit=100, count_to=9_000),
        LineQuery((Pattern("os|answer"),), scope=Scope(kinds=frozenset({"function"}))),
        LineQuery((Pattern("handle_"),), where=Not(Tag("is", "symbol"))),
        LineQuery((Pattern("answer"),), where=Defines("handle_601_4")),
        LineQuery((Pattern("os|answer"),), where=And((Tag("is", "test"), Tag("repo", "r1")))),
        LineQuery((Pattern("request"),), scope=Scope(repos=frozenset({"r2"}), under="part5")),
    ],
    ids=str,
)
@pytest.mark.parametrize("order", list(Order))
def test_all_lines_are_found_whichever_page_they_are_on(
    snapshot: Snapshot, other: Snapshot, asked: LineQuery, order: Order
) -> None:
    query = replace(asked, order=order)
    files, tally = grepped(snapshot, query)
    expected, other_tally = grepped(other, query)
    assert tally == other_tally
    found, wanted = named(files), named(expected)
    if order is Order.PATH:
        assert found == wanted
    elif not asked.limit:
        assert sorted(found) == sorted(wanted)


def test_files_that_define_the_shortest_names_come_first(snapshot: Snapshot) -> None:
    files, _ = grepped(snapshot, LineQuery((Pattern("handle_5"),), limit=400))
    shortest = [f"part5/f5.py:{3 * at + 2}" for at in range(FUNCTIONS)]
    assert places(files)[:FUNCTIONS] == shortest
    assert all(line.defines for line in files[0].lines)
    sizes = [len(one.path.rpartition("/")[2]) for one in files]
    assert sizes == sorted(sizes)


def test_without_time_some_lines_are_missing_and_the_tally_says_so(snapshot: Snapshot) -> None:
    *files, tally = snapshot.grep(LineQuery((Pattern("e"),), within_s=0.03))
    assert isinstance(tally, Tally)
    assert tally.is_partial
    assert any("time" in note for note in tally.notes)
    assert len(files) < FILES


def test_an_answer_that_the_cluster_cut_short_is_none(store: ClusterStore) -> None:
    orphans = Orphans()
    view = View(store.connection, store.alias, orphans)
    reader = FileReader(view, Budget(time.monotonic() + 0.2, None, 0))
    slow = "long n = 0; for (int i = 0; i < 200000; ++i) { n += i % 7 } return n > 0"
    with pytest.raises(OutOfTime):
        reader.search({"query": {"script": {"script": slow}}, "size": 0, "track_total_hits": True})
    view.close()
    orphans.let_go(store.connection)


def named(files: Sequence[FileLines]) -> list[tuple[str, str, int]]:
    """Repository, path and line of every line, in order."""
    return [(one.repo, one.path, line.number) for one in files for line in one.lines]
