"""Which generation answers, what is said about it, and who is told meanwhile."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from plait.answering.freshness import (
    MIN_EMBEDDING_SECONDS,
    Refreshed,
    current,
    left_out,
    refreshed,
    stale_files,
)
from plait.answering.index import Index
from plait.answering.meaning import NO_MODEL, with_vectors
from plait.answering.places import chunk_at
from plait.assembly import open_index
from plait.errors import IndexBusy, IndexMissing, ModelError, SourceError
from plait.index.refresh import Progress
from plait.search.places import Place
from plait.settings import Settings
from plait.stores.embedded.lock import writer_lock
from tests.sources.repositories import tree

FILES = {"a.py": "def helper():\n    return 1\n", "b.py": "def other():\n    return 2\n"}


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    chosen = Settings(cache_dir=str(tmp_path / "cache"), workers=1, wait_s=0.1, mode="lexical")
    return open_index(tree(tmp_path / "tree", FILES), chosen)


@dataclass
class Told:
    """Who is told: in which order of what."""

    said: list[str] = field(default_factory=list)

    def files(self, progress: Progress) -> None:
        self.said.append("files")

    def refreshed(self, done: Refreshed) -> None:
        self.said.append(f"refreshed {done.report.added}")

    def vectors(self, done: int, of: int) -> None:
        self.said.append("vectors")


def test_a_search_is_answered_from_the_tree_as_it_is(index: Index, tmp_path: Path) -> None:
    first = current(index)
    tree(tmp_path / "tree", {"new.py": "def helper(): pass\n"})
    second = current(index)

    assert (first.stale, second.stale) == (0, 0)
    assert set(second.snapshot.digests(index.repo)) == {*FILES, "new.py"}
    assert second.refreshed is not None
    assert second.refreshed.report.added == 1
    assert not second.notes


def test_one_that_is_not_refreshed_counts_stale_files_only_if_asked(
    index: Index, tmp_path: Path
) -> None:
    current(index)
    tree(tmp_path / "tree", {"new.py": "x = 1\n"})

    assert current(index, fresh=False).stale is None
    looked = current(index, fresh=False, look=True)
    assert looked.refreshed is None
    assert looked.stale == stale_files(index, looked.snapshot)
    assert looked.stale in (1, 3)  # files written a moment ago may have been written again


def test_while_another_writes_the_generation_before_answers_and_says_so(
    index: Index, tmp_path: Path
) -> None:
    before = current(index).snapshot.generation
    tree(tmp_path / "tree", {"new.py": "x = 1\n"})
    with writer_lock(index.writer.folder / "lock", 1):
        now = current(index)

    behind = "1 file" if now.stale == 1 else f"{now.stale} files"
    assert now.stale
    assert now.refreshed is None
    assert now.snapshot.generation == before
    assert now.notes[0].endswith(f"answered from generation {before}, {behind} behind")


def test_without_a_generation_to_answer_from_the_trouble_is_raised(index: Index) -> None:
    with pytest.raises(IndexMissing):
        current(index, fresh=False)
    index.writer.folder.mkdir(parents=True, mode=0o700)
    with writer_lock(index.writer.folder / "lock", 1), pytest.raises(IndexBusy):
        current(index)


def test_vectors_get_as_long_as_words_took_but_a_few_seconds_at_least(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def embed(self: Index, watch: object, within_s: float) -> int:
        given.append(within_s)
        return 0

    monkeypatch.setattr(Index, "embed", embed)
    hybrid = index.with_settings(replace(index.settings, mode="hybrid"))
    current(hybrid)
    current(hybrid, vectors=True)

    assert given == [MIN_EMBEDDING_SECONDS]


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_a_model_that_does_not_answer_stops_only_a_search_by_meaning(
    index: Index, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    def embed(self: Index, watch: object, within_s: float) -> int:
        raise ModelError("the endpoint is down")

    monkeypatch.setattr(Index, "embed", embed)
    changed = index.with_settings(replace(index.settings, mode=mode))
    if mode == "dense":
        with pytest.raises(ModelError):
            current(changed, vectors=True)
    else:
        assert "the endpoint is down" in current(changed, vectors=True).notes[0]


def test_who_watches_is_told_of_files_before_the_end(index: Index) -> None:
    told = Told()
    refreshed(index, told)

    assert told.said[-1] == "refreshed 2"
    assert set(told.said[:-1]) == {"files"}


def test_a_file_that_is_named_and_not_indexed_has_a_reason(index: Index, tmp_path: Path) -> None:
    tree(tmp_path / "tree", {"logo.bin": "\0\0", "new.py": ""})
    binary = open_index(tmp_path / "tree" / "logo.bin", index.settings)
    indexed = open_index(tmp_path / "tree" / "a.py", index.settings)

    assert "logo.bin" in left_out(binary, current(binary).snapshot)[0]
    assert left_out(indexed, current(indexed).snapshot) == ()
    assert left_out(index, current(index).snapshot) == ()


def test_a_line_without_a_chunk_says_where_the_last_one_ends(index: Index) -> None:
    snapshot = current(index).snapshot

    assert chunk_at(index, snapshot, Place("a.py", 2)).span.last == 2
    with pytest.raises(SourceError, match=r"a\.py has no chunk at line 9; its last one ends at 2"):
        chunk_at(index, snapshot, Place("a.py", 9))
    with pytest.raises(SourceError, match=r"none\.py"):
        chunk_at(index, snapshot, Place("none.py", 1))


def test_code_is_compared_only_with_a_model_and_by_vectors_of_all_chunks(index: Index) -> None:
    with pytest.raises(ModelError, match=NO_MODEL):
        with_vectors(replace(index, reader=replace(index.reader, dense=None)))

    dense = index.with_settings(replace(index.settings, mode="dense"))
    current(dense)
    stale = with_vectors(dense, fresh=False)
    made = with_vectors(dense)

    assert "2 of 2 chunks have no vector yet" in stale.notes[0]
    assert made.notes == ()
    assert made.snapshot.missing_vectors(made.encoder.digest) == 0
