"""Where the tests of stores write: in memory where possible, so that no commit waits for a disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.conftest import MEMORY


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder. A thread of the engine may write to it for a moment after a test has
    damaged it, so what cannot be removed is left."""
    parent = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=parent, ignore_cleanup_errors=True) as name:
        yield Path(name)
