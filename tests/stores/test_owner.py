"""An index answers for the tree it was made of, and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.answering.index import Index
from plait.assembly import open_index
from plait.errors import IndexCorrupt
from plait.settings import Settings
from plait.stores.embedded.owner import OWNER
from tests.sources.repositories import git, repository, tree


@pytest.fixture
def two(tmp_path: Path) -> tuple[Index, Index]:
    """The indexes of two trees, with their folders exchanged."""
    first = index_of(tree(tmp_path / "s1", {"a.py": "def apple(): pass\n"}))
    second = index_of(tree(tmp_path / "s2", {"a.py": "def quince(): pass\n"}))
    for index in (first, second):
        index.refresh()
    first.writer.folder.rename(tmp_path / "aside")
    second.writer.folder.rename(first.writer.folder)
    (tmp_path / "aside").rename(second.writer.folder)
    return first, second


def index_of(root: Path) -> Index:
    cache = root.parent / "cache"
    return open_index(root, Settings(cache_dir=str(cache), mode="lexical", workers=1))


def test_an_index_of_another_tree_is_refused(two: tuple[Index, Index]) -> None:
    first, _ = two

    with pytest.raises(IndexCorrupt, match="of another tree"):
        first.search("quince", fresh=False)
    with pytest.raises(IndexCorrupt, match="of another tree"):
        first.waiting(1.0).snapshot()
    assert "of another tree" in first.reader.store.check()[0]


def test_an_index_of_another_tree_is_built_anew_with_a_note(two: tuple[Index, Index]) -> None:
    for index, own, others in ((two[0], "apple", "quince"), (two[1], "quince", "apple")):
        answer = index.search(own)

        assert len(answer.results) == 1
        assert "of another tree; the index was rebuilt" in "".join(answer.notes)
        assert not index.search(others, fresh=False).results
        assert not index.reader.store.check()


def test_worktrees_share_an_index_that_is_of_both(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"a.py": "def apple(): pass\n"})
    git(root, "worktree", "add", "-q", str(tmp_path / "w"))

    for place in (root, tmp_path / "w", root):
        answer = index_of(place).search("apple")
        assert (len(answer.results), answer.notes) == (1, ())


@pytest.mark.parametrize("said", [b"", b"x" * 99, None])
def test_a_record_that_says_nothing_is_written_by_the_next_commit(
    tmp_path: Path, said: bytes | None
) -> None:
    root = tree(tmp_path / "s", {"a.py": "def apple(): pass\n"})
    index = index_of(root)
    index.refresh()
    record = index.writer.folder / OWNER
    written = record.read_bytes()
    record.unlink()
    if said is not None:
        record.write_bytes(said)

    answer = index.search("apple")
    assert (len(answer.results), answer.notes) == (1, ())
    tree(root, {"b.py": "x = 1\n"})
    index.refresh()
    assert record.read_bytes() == written
