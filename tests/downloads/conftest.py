"""A server to fetch from; no proxy of the machine's stands before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.downloads.server import Server, serving


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.delenv("PLAIT_OFFLINE", raising=False)
    with serving() as running:
        yield running
