"""What is known of files, names and numbers without loading any text: the same on every store."""

from __future__ import annotations

import time

import pytest

from plait.errors import OutOfTime
from plait.types import (
    And,
    ChunkId,
    Defines,
    Expression,
    Field,
    FileFacts,
    Not,
    Or,
    Reference,
    Refers,
    Relation,
    Scope,
    Snapshot,
    Store,
    SymbolName,
    Tag,
    Term,
)
from tests.contract.notation import Piece, file, gone

CALLS = Reference(Relation.CALLS, "send")


@pytest.fixture
def snapshot(store: Store) -> Snapshot:
    """Two repositories, in two commits, with a file that was replaced and one that is gone."""
    store.commit(
        [
            file("src/old.py", "alpha\n", repo="one"),
            file("src/gone.py", Piece("alpha\n", "send"), repo="one"),
            file(
                "src/core/client.py",
                Piece("class Client:\n", "Client", "class"),
                Piece("def send(): alpha\n", "Client.send", "method"),
                "beta\n",
                repo="one",
            ),
        ]
    )
    store.commit(
        [
            file(
                "src/old.py", Piece("def old(): send()\n", "old", references=(CALLS,)), repo="one"
            ),
            gone("src/gone.py", repo="one"),
            file("tests/test_client.py", "alpha gamma\n", repo="two", tags=("test", "generated")),
        ]
    )
    return store.snapshot()


def test_files_tell_language_tags_size_and_chunks(snapshot: Snapshot) -> None:
    client, test = ("one", "src/core/client.py"), ("two", "tests/test_client.py")
    nowhere = [("one", "nowhere.py"), ("two", "src/core/client.py"), ("one", "src/gone.py")]
    found = snapshot.files([client, *nowhere, test])

    assert found == {
        client: FileFacts("python", (), 14 + 18 + 5, 3),
        test: FileFacts("python", ("test", "generated"), 12, 1),
    }


def test_definitions_are_told_with_their_symbols_first_by_key(snapshot: Snapshot) -> None:
    ids = [ChunkId("one", "src/core/client.py", n) for n in range(2)]
    names = ["nowhere", "send", "CLIENT", "client.Send", "client"]
    found = snapshot.definitions(names, Scope(), 9)

    assert list(found.items()) == [
        (ids[0], SymbolName("Client", "class", "", 0)),
        (ids[1], SymbolName("send", "method", "Client", 0)),
    ]
    assert list(snapshot.definitions(names, Scope(), 1)) == ids[:1]
    assert snapshot.definitions(names, Scope(repos=frozenset({"two"})), 9) == {}
    assert snapshot.definitions(["nowhere"], Scope(), 9) == {}
    assert snapshot.definitions([], Scope(), 9) == {}


def test_what_is_asked_for_too_late_is_refused(snapshot: Snapshot) -> None:
    late = time.monotonic() - 1

    with pytest.raises(OutOfTime):
        snapshot.files([("one", "src/core/client.py")], late)
    with pytest.raises(OutOfTime):
        snapshot.roots(["one"], late)
    with pytest.raises(OutOfTime):
        snapshot.definitions(["send"], Scope(), 9, late)


@pytest.mark.parametrize(
    ("wanted", "everywhere", "in_two"),
    [
        (Term("alpha"), 2, 1),
        (Term("send", Field.NAME), 1, 0),
        (Defines("send"), 1, 0),
        (Defines("CLIENT.send"), 1, 0),
        (Refers(Relation.CALLS, "send"), 1, 0),
        (Tag("kind", "class"), 1, 0),
        (Tag("is", "test"), 1, 1),
        (Term("gamma"), 1, 1),
        (Term("nowhere"), 0, 0),
        (And((Term("alpha"), Tag("repo", "two"))), 1, 1),
        (Or((Defines("send"), Term("gamma"))), 2, 1),
        (Not(Term("alpha")), 3, 0),
        (And(()), 5, 1),
    ],
)
def test_what_is_defined_or_referred_to_is_counted(
    snapshot: Snapshot, wanted: Expression, everywhere: int, in_two: int
) -> None:
    assert list(snapshot.count([wanted])) == [everywhere]
    assert list(snapshot.count([wanted], frozenset({"two"}))) == [in_two]
    assert list(snapshot.count([wanted], frozenset({"one", "two", "three"}))) == [everywhere]
    assert list(snapshot.count([wanted], frozenset())) == [0]


def test_the_root_is_the_folder_that_holds_every_file(store: Store) -> None:
    store.commit(
        [
            file("src/pkg/a.py", "one\n", repo="deep"),
            file("src/pkg/sub/b.py", "one\n", repo="deep"),
            file("src/pkgs/c.py", "one\n", repo="near"),
            file("src/pkg/c.py", "one\n", repo="near"),
            file("setup.py", "one\n", repo="flat"),
            file("src/a.py", "one\n", repo="flat"),
            file("only/one/file.py", "one\n", repo="single"),
        ]
    )
    snapshot = store.snapshot()

    assert snapshot.roots((*snapshot.repos(), "nowhere")) == {
        "deep": "src/pkg",
        "near": "src",
        "flat": "",
        "single": "only/one",
    } | {"nowhere": ""}


def test_statistics_of_some_repositories_add_up_to_the_whole(snapshot: Snapshot) -> None:
    one, two = (snapshot.statistics(frozenset({repo})) for repo in ("one", "two"))
    whole = snapshot.statistics()

    assert (one.files, one.chunks, one.symbols) == (2, 4, 3)
    assert (two.files, two.chunks, two.source_bytes) == (1, 1, 12)
    assert whole.files == one.files + two.files
    assert whole.source_bytes == one.source_bytes + two.source_bytes
    assert whole.languages == {"python": 3}
    assert (one.index_bytes, whole.index_bytes > 0) == (0, True)
    assert snapshot.statistics(frozenset()).chunks == 0
