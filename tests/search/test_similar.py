"""Similar code: runs of tokens, kinds of copies, neighbours and groups of copies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import QueryError
from plait.index.embed import embed
from plait.search.duplicates import Groups, duplicates
from plait.search.shingles import Shingled, overlap
from plait.search.similar import Copy, compare, neighbours, similar
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Change, ChunkId, Scope, Snapshot, Tag
from tests.contract.notation import file, ids, names, piece
from tests.search.bag import Bag, passage_of

SEND = """\
def send(request, timeout):
    connection = pool.acquire(request.host, timeout)
    try:
        connection.write(request.head + request.body)
        return connection.read(limit=request.limit)
    finally:
        pool.release(connection)
"""
RENAMED = (
    SEND.replace("request", "query")
    .replace("connection", "session")
    .replace("pool", "sessions")
    .replace("timeout", "patience")
    .replace("send", "ask")
)
PARTLY = SEND.replace("pool", "sessions").replace("timeout", "patience")
EDITED = SEND.replace("limit=request.limit", "limit=request.most")
OTHER = """\
def parse(text, strict):
    tokens = scanner.scan(text)
    tree = grammar.build(tokens, strict)
    for node in tree.walk():
        if node.is_error and strict:
            raise SyntaxError(node.place)
    return tree
"""


# ---------------------------------------------------------------- token by token


def test_runs_of_five_tokens_are_counted_by_hand() -> None:
    one, other = Shingled("a b c d e f g"), Shingled("a b c d e f x")

    assert len(one.runs) == 3
    assert overlap(one.runs, other.runs) == pytest.approx(2 / 4)
    assert overlap(Shingled("a b").runs, Shingled("a  b").runs) == 1.0
    assert overlap(Shingled("").runs, Shingled("").runs) == 0.0


@pytest.mark.parametrize(
    ("other", "copy"),
    [
        pytest.param(SEND, Copy.NEAR, id="itself"),
        pytest.param(SEND.replace("    ", "\t"), Copy.NEAR, id="indented-anew"),
        pytest.param(EDITED, Copy.NEAR, id="one-name-changed"),
        pytest.param(RENAMED, Copy.RENAMED, id="all-names-changed"),
        pytest.param(OTHER, None, id="something-else"),
        pytest.param(SEND + OTHER, None, id="only-a-part"),
    ],
)
def test_copies_are_told_apart(other: str, copy: Copy | None) -> None:
    assert compare(Shingled(SEND), Shingled(other)).copy == copy


def test_names_are_replaced_so_that_what_is_the_same_stays_the_same() -> None:
    doubled, added = Shingled("a = a + b"), Shingled("x = y + z")

    assert doubled.nameless_runs == Shingled("x = x + y").nameless_runs
    assert doubled.nameless_runs != added.nameless_runs
    assert Shingled("for a in b: c").nameless_runs != Shingled("if a in b: c").nameless_runs


def test_short_code_is_no_renamed_copy() -> None:
    assert compare(Shingled("def f(a): return a.b"), Shingled("def g(x): return x.y")).copy is None


@given(st.text("abc =+(\n", max_size=60), st.text("abc =+(\n", max_size=60))
def test_comparing_is_symmetric_and_a_share(one: str, other: str) -> None:
    there, back = compare(Shingled(one), Shingled(other)), compare(Shingled(other), Shingled(one))

    assert there == back
    assert 0 <= there.share <= 1


# ---------------------------------------------------------------- over a store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    made = EmbeddedStore(tmp_path / "store", "similar")
    yield made
    made.close()


def committed(store: EmbeddedStore, *changes: Change) -> Snapshot:
    store.commit(changes)
    embed(store, Bag(), passage_of)
    return store.snapshot()


@pytest.fixture
def snapshot(store: EmbeddedStore) -> Snapshot:
    return committed(
        store,
        file("send.py", piece(SEND, "send")),
        file("copy.py", piece("import pool\n"), piece(EDITED, "send")),
        file("renamed.go", piece(PARTLY, "send"), language="go"),
        file("parse.py", piece(OTHER, "parse")),
    )


def test_neighbours_are_nearest_first_without_the_chunk_itself(snapshot: Snapshot) -> None:
    (key,) = ids("send.py")
    found = similar(snapshot, Bag.digest, snapshot.fetch([key])[key], 3)

    assert names([one.chunk.id for one in found.near])[0] == "copy.py#1"
    assert found.near[0].likeness.copy == Copy.NEAR
    assert key not in [one.chunk.id for one in found.near]
    cosines = [one.cosine for one in found.near]
    assert cosines == sorted(cosines, reverse=True)
    assert 0.9 < cosines[0] <= 1.0


def test_copies_only_conditions_and_limit_hold(snapshot: Snapshot) -> None:
    (key,) = ids("send.py")
    chunk = snapshot.fetch([key])[key]
    copies = similar(snapshot, Bag.digest, chunk, 10, copies_only=True).near
    go = similar(snapshot, Bag.digest, chunk, 10, where=Tag("lang", "go")).near
    elsewhere = similar(snapshot, Bag.digest, chunk, 10, scope=Scope(under="nowhere")).near

    assert {one.chunk.path: one.likeness.copy for one in copies} == {
        "copy.py": Copy.NEAR,
        "renamed.go": Copy.RENAMED,
    }
    assert [one.chunk.path for one in go] == ["renamed.go"]
    assert elsewhere == ()
    assert len(similar(snapshot, Bag.digest, chunk, 1).near) == 1


def test_a_chunk_without_a_vector_is_refused_in_words(store: EmbeddedStore) -> None:
    store.commit([file("a.py", piece(SEND, "send"))])
    snapshot = store.snapshot()
    (chunk,) = snapshot.fetch(ids("a.py")).values()

    with pytest.raises(QueryError, match=r"a\.py has no vector at line 1 yet"):
        similar(snapshot, Bag.digest, chunk, 5)


def test_every_result_can_have_a_neighbourhood(snapshot: Snapshot) -> None:
    send, parse, nowhere = ids("send.py", "parse.py", "nowhere.py")
    found = neighbours(snapshot, Bag.digest, [send, parse, nowhere], 2)

    assert set(found) == {send, parse}
    assert [len(near) for near in found.values()] == [2, 2]
    assert found[send][0][0] == ChunkId("r", "copy.py", 1)
    assert all(key not in [other for other, _ in near] for key, near in found.items())


# ---------------------------------------------------------------- groups of copies


def grouped(found: Groups) -> list[tuple[list[str], Copy]]:
    return [(names([c.id for c in group.chunks]), group.copy) for group in found.groups]


def test_copies_are_found_in_groups_that_repeat_most_first(snapshot: Snapshot) -> None:
    found = duplicates(snapshot, Bag.digest)

    assert grouped(found) == [(["copy.py#1", "renamed.go", "send.py"], Copy.RENAMED)]
    assert found.groups[0].lines == 14
    assert found.compared == 4
    assert found.notes == ()


def test_equal_texts_are_one_group_however_many_there_are(store: EmbeddedStore) -> None:
    copies = [file(f"copy{n:02}.py", piece(SEND, "send")) for n in range(40)]
    others = [file("x.py", piece(OTHER, "parse")), file("y.py", piece(OTHER, "parse"))]
    found = duplicates(committed(store, *copies, *others), Bag.digest)

    assert [len(group.chunks) for group in found.groups] == [40, 2]
    assert [group.share for group in found.groups] == [1.0, 1.0]


def test_short_definitions_and_comments_are_not_worth_a_group(store: EmbeddedStore) -> None:
    licence = "# Permission is granted, free of charge, to any person to do as they like.\n" * 5
    short = piece(f"{licence}def f(self): return self.x\n", "f")
    found = duplicates(committed(store, file("a.py", short), file("b.py", short)), Bag.digest)

    assert found.groups == ()


def test_code_that_shares_lines_is_no_copy(store: EmbeddedStore) -> None:
    one_line = SEND.replace("\n", " ")
    changes = file("min.js", piece(one_line, "a"), piece(one_line, "b"), piece(one_line, "c"))
    assert [entry.chunk.span.first for entry in changes.entries] == [1, 1, 1]

    assert duplicates(committed(store, changes), Bag.digest).groups == ()


def test_conditions_choose_what_is_compared(snapshot: Snapshot) -> None:
    python = duplicates(snapshot, Bag.digest, where=Tag("lang", "python"))

    assert grouped(python) == [(["copy.py#1", "send.py"], Copy.NEAR)]


@pytest.mark.slow
def test_a_large_index_is_compared_in_cells_and_loses_no_copy(store: EmbeddedStore) -> None:
    def function(n: int) -> str:
        random = Random(n)
        words = ["".join(random.choices("abcdefgh", k=2)) for _ in range(40)]
        return f"def f{n}():\n" + "".join(f"    {w} {random.choice('+-*/')}\n" for w in words)

    kept = [file(f"a{n:04}.py", piece(function(n), f"f{n}")) for n in range(1_600)]
    twins = [
        file(f"b{n:04}.py", piece(f"{function(n)}    done()\n", f"f{n}"))
        for n in range(0, 1600, 80)
    ]
    found = duplicates(committed(store, *kept, *twins), Bag.digest)

    assert len(found.groups) == 20
    for group in found.groups:
        assert [chunk.path[1:] for chunk in group.chunks] == [group.chunks[0].path[1:]] * 2
