"""Where the tests of stores write: in memory where possible, so that no commit waits for a disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.conftest import MEMORY


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)
