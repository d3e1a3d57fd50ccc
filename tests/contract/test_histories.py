"""Random histories: after every commit a store holds what a dictionary would."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from plait.types import Change, Expression, Pattern, Phrase, Scope, Store, Tag, Term
from tests.contract.conftest import NewStore
from tests.contract.notation import file, gone, piece
from tests.contract.reference import Model
from tests.contract.test_store import assert_holds

WORDS = ["fox", "bear", "owl"]
ASKED: list[Expression] = [
    *(Term(word) for word in WORDS),
    Pattern("^f"),
    Phrase("fox bear", ("fox", "bear")),
    Tag("is", "test"),
    Tag("repo", "r1"),
]

keys = st.tuples(st.sampled_from(["r1", "r2", "r3"]), st.sampled_from([f"{c}.py" for c in "abcde"]))
texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(lambda row: " ".join(row) + "\n"),
    min_size=1,
    max_size=3,
)


def made(repo: str, path: str, parts: list[str], is_test: bool) -> Change:
    """A file whose first chunk defines a symbol."""
    first, *rest = parts
    tags = ("test",) if is_test else ()
    return file(path, piece(first, first.split()[0]), *rest, repo=repo, tags=tags)


changes = st.builds(
    lambda key, parts, is_test: made(key[0], key[1], parts, is_test), keys, texts, st.booleans()
)


class Histories(RuleBasedStateMachine):
    """Commits of every sort, on a store and on a model of it."""

    new_store: ClassVar[list[NewStore]]  # one, put there by the test

    @initialize()
    def open(self) -> None:
        self.opened: AbstractContextManager[Store] = self.new_store[0]()
        self.store = self.opened.__enter__()
        self.model = Model()
        self.generation = self.store.commit([])

    def teardown(self) -> None:
        if hasattr(self, "opened"):
            self.opened.__exit__(None, None, None)

    def commit(self, batch: list[Change], *, anew: bool = False) -> None:
        generation = self.store.commit(batch, anew=anew)
        assert generation > self.generation or (generation == self.generation and not batch)
        self.generation = generation
        self.model.commit(batch, anew=anew)

    @rule(batch=st.lists(changes, max_size=5, unique_by=lambda c: (c.repo, c.path)))
    def write(self, batch: list[Change]) -> None:
        self.commit(batch)

    @rule(change=changes, times=st.integers(3, 10))
    def write_one_by_one(self, change: Change, times: int) -> None:
        for n in range(times):
            self.commit([file(f"{n}.py", "fox owl\n"), change])

    @rule(batch=st.lists(keys, max_size=4, unique=True))
    def remove(self, batch: list[tuple[str, str]]) -> None:
        self.commit([gone(path, repo) for repo, path in batch])

    @precondition(lambda self: self.model.files)
    @rule(share=st.floats(0.4, 1.0))
    def remove_most(self, share: float) -> None:
        every = sorted(self.model.files)
        self.commit([gone(path, repo) for repo, path in every[: int(len(every) * share)]])

    @precondition(lambda self: self.model.files)
    @rule(data=st.data(), to=st.sampled_from(["moved.py", "dir/moved.py"]))
    def rename(self, data: st.DataObject, to: str) -> None:
        old = self.model.files[data.draw(st.sampled_from(sorted(self.model.files)))]
        parts = [entry.chunk.text for entry in old.entries]
        target = made(old.repo, to, parts, bool(old.entries[0].chunk.tags))
        self.commit([target] if old.path == to else [gone(old.path, old.repo), target])

    @rule(batch=st.lists(changes, max_size=2, unique_by=lambda c: (c.repo, c.path)))
    def write_anew(self, batch: list[Change]) -> None:
        self.commit(batch, anew=True)

    @invariant()
    def store_holds_what_the_model_does(self) -> None:
        if not hasattr(self, "store"):
            return
        assert_holds(self.store, self.model)
        snapshot = self.store.snapshot()
        for wanted in ASKED:
            found = {hit.chunk for hit in snapshot.match(wanted, Scope(), 10_000).hits}
            assert found == self.model.matching(wanted, Scope()), wanted
        counted = snapshot.statistics()
        entries = list(self.model.entries())
        assert counted.files == len(self.model.files)
        assert counted.chunks == len(entries)
        assert counted.symbols == sum(entry.chunk.symbol is not None for entry in entries)
        assert counted.source_bytes == sum(len(entry.chunk.text) for entry in entries)
        assert counted.languages == ({"python": counted.files} if counted.files else {})


@pytest.mark.parametrize("examples", [4, pytest.param(12, marks=pytest.mark.nightly)])
def test_a_store_holds_what_a_dictionary_would(new_store: NewStore, examples: int) -> None:
    machine = type("Bound", (Histories,), {"new_store": [new_store]})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=20)
    )
