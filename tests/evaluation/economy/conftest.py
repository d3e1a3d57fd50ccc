"""Nearly everything here runs the real ripgrep."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture
def _ripgrep() -> None:
    if shutil.which("rg") is None:
        pytest.skip("ripgrep is not installed")
