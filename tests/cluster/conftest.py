"""Clusters of real nodes, as session fixtures; ``running.py`` says how they are started."""

from __future__ import annotations

import pytest

from tests.cluster import running

one_node = pytest.fixture(scope="session")(running.one_node)
three_nodes = pytest.fixture(scope="session")(running.three_nodes)
secured_node = pytest.fixture(scope="session")(running.secured_node)
