"""Layers are merged and files collected without a trace in what the store answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.errors import IndexMissing
from plait.stores.embedded.checking import alive_numbers
from plait.stores.embedded.commit import MAX_LAYERS
from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.snapshot import EmbeddedSnapshot
from plait.stores.leases import LeasedSnapshot
from plait.types import And, Change, Expression, Pattern, Scope, Snapshot, Term
from tests.contract.notation import file, gone, names, piece
from tests.contract.reference import Model
from tests.contract.test_store import assert_holds
from tests.stores.folder import expected, opened, present


def numbers(snapshot: LeasedSnapshot[EmbeddedSnapshot]) -> set[int]:
    """The numbers by which the word index knows the chunks."""
    found = alive_numbers(snapshot.whole.layers)
    assert found == snapshot.whole.indexed_numbers()
    return set(found)


def answers(snapshot: Snapshot) -> list[list[str]]:
    asked: list[Expression] = [Term("one"), Term("text3"), Pattern("text[0-9]*5"), And(())]
    return [names(snapshot.match(wanted, Scope(), 1000)) for wanted in asked]


def test_layers_do_not_pile_up(place: Path) -> None:
    store = opened(place / "store")
    counts = []
    for n in range(40):
        store.commit([file(f"{n}.py", f"one text{n}\n")])
        counts.append(len(read_current(store.root).layers))

    assert max(counts) <= MAX_LAYERS
    assert_holds(store, Model([file(f"{n}.py", f"one text{n}\n") for n in range(40)]))


def test_a_merge_keeps_numbers_and_answers(place: Path) -> None:
    store = opened(place / "store")
    model = Model()
    merges = 0
    for n in range(30):
        batch = [
            file(f"{n}.py", piece(f"one text{n}\n", f"f{n}"), "more\n"),
            file(f"{n // 2}.py", f"one again{n}\n") if n % 3 == 1 else gone(f"{n - 5}.py"),
        ]
        layers = {record.name for record in read_current(store.root).layers} if n else set()
        before = store.snapshot() if n else None
        known = numbers(before) if before else set()
        store.commit(batch)
        model.commit(batch)
        after = store.snapshot()
        merges += len(layers - {r.name for r in read_current(store.root).layers}) > 1
        survivors = known & numbers(after)

        assert len(numbers(after)) == len(model.chunks())
        assert len(survivors) >= len(known) - 4  # only what changed has new numbers
        assert_holds(store, model)
    assert merges >= 2


def test_a_merge_changes_no_answer(place: Path) -> None:
    store = opened(place / "store")
    store.commit([file(f"{n:02d}.py", f"one text{n}\n") for n in range(20)])
    before = answers(store.snapshot())
    for n in range(12):  # the same files again, one by one, until layers are merged
        store.commit([file(f"{n:02d}.py", f"one text{n}\n")])

        assert answers(store.snapshot()) == before


def test_a_layer_that_is_mostly_dead_is_rewritten(place: Path) -> None:
    store = opened(place / "store")
    store.commit([file(f"{n}.py", f"text{n} " * 200 + "\n") for n in range(10)])
    size = store.snapshot().statistics().index_bytes
    for n in range(8):
        store.commit([gone(f"{n}.py")])

    text = sum(path.stat().st_size for path in (store.root / "layers").glob("*.text"))
    assert text < 5 * len("text9 " * 200)
    assert store.snapshot().statistics().index_bytes < size
    assert_holds(store, Model([file(f"{n}.py", f"text{n} " * 200 + "\n") for n in (8, 9)]))


def test_the_folder_holds_what_the_manifest_names_and_no_more(place: Path) -> None:
    store = opened(place / "store")
    for n in range(25):
        held = store.snapshot() if n else None
        store.commit([file(f"{n % 7}.py", f"one text{n}\n"), gone(f"{(n + 3) % 7}.py")])

        assert present(store.root) == expected(store.root)
        if held is not None:
            held.close()
    store.commit([file("z.py", "one\n")], anew=True)

    assert present(store.root) == expected(store.root)


@pytest.mark.parametrize("is_first", [True, False], ids=["first", "later"])
def test_a_commit_that_fails_leaves_no_file(place: Path, is_first: bool) -> None:
    def changes() -> Iterator[Change]:
        for n in range(200):
            yield file(f"{n}.py", f"one text{n}\n")
        raise RuntimeError("half way")

    store = opened(place / "store")
    if not is_first:
        store.commit([file("a.py", "one\n")])
    before = present(store.root)
    with pytest.raises(RuntimeError):
        store.commit(changes())

    assert present(store.root) - {"lock"} == before - {"lock"}


def test_the_next_writer_collects_what_a_killed_one_left(place: Path) -> None:
    store = opened(place / "store")
    store.commit([file("a.py", "one\n")])
    for name in (
        "generations/000002/words/meta.json",
        "generations/000002/manifest.json",
        "generations/000077/words/deep/er.term",
        "layers/000002.text",
        "layers/000002.tables",
        "layers/000002m.text",
        "CURRENT.new",
        "proofs.1.new",
    ):
        path = store.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    store.commit([file("b.py", "two\n")])

    assert present(store.root) == expected(store.root)
    assert_holds(store, Model([file("a.py", "one\n"), file("b.py", "two\n")]))


def test_a_writer_killed_before_the_first_commit_leaves_no_index(place: Path) -> None:
    store = opened(place / "store")
    path = store.root / "generations/000001/words/meta.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"half")

    with pytest.raises(IndexMissing):
        store.snapshot()
    store.commit([file("a.py", "one\n")])
    assert present(store.root) == expected(store.root)


def test_clear_leaves_nothing_to_read(place: Path) -> None:
    store = opened(place / "store")
    store.commit([file("a.py", "a secret\n")])
    store.clear()

    assert present(store.root) <= {"lock"}
