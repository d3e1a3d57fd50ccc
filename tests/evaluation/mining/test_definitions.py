"""What a version of a file defines, as a worker process tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.errors import WorkerUnusable
from plait.evaluation.mining.definitions import MODULE, Blob, DefinitionCache, answer
from plait.symbols.workers import Message, WorkerPool

CODE = b'''\
import os


class Store:
    """Keeps rows."""

    @property
    def size(self):
        return 1

    @size.setter
    def size(self, value):
        """Set it.

        Or not.
        """
        os.sync()
'''


def test_symbols_come_with_their_rows_repeats_and_docstrings() -> None:
    reply = answer(Message("python", CODE)).value

    assert [row[:5] for row in reply["symbols"]] == [
        ["Store", "Store", "class", 3, 16],
        ["Store.size", "Store.size", "method", 6, 8],
        ["Store.size#2", "Store.size", "method", 10, 16],
    ]
    assert [row[6:] for row in reply["symbols"]] == [[4, 4], [0, -1], [12, 15]]
    assert reply["imports"] == [0]


def test_a_blob_is_asked_about_once() -> None:
    with WorkerPool(MODULE, 1) as pool:
        cache = DefinitionCache(pool)
        cache.read([Blob("1", "python", CODE)])

        assert ("1", "python") in cache
        assert ("1", "ruby") not in cache
        assert cache["1", "python"].owners()[8].id == "Store.size"
        assert 1 not in cache["1", "python"].owners()


def test_a_worker_that_dies_leaves_a_blob_without_definitions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree_sitter_python.py").write_text("import os\nos._exit(9)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with WorkerPool(MODULE, 1) as pool:
        cache = DefinitionCache(pool)
        cache.read([Blob("1", "python", CODE)])

    assert cache["1", "python"].was_lost


def test_a_worker_that_cannot_start_is_no_blobs_fault() -> None:
    with (
        WorkerPool("plait.no_such_module", 1) as pool,
        pytest.raises(WorkerUnusable, match=r"could not start: .*no_such_module"),
    ):
        DefinitionCache(pool).read([Blob("1", "python", CODE)])
