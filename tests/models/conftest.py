"""Servers to ask; no proxy of the machine's stands before them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.downloads.server import Server, serving
from tests.models.endpoint import Endpoint, answering


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("no_proxy", "*")
    with answering() as running:
        yield running


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with serving() as running:
        yield running
