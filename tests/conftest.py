"""What every test can rely on: hypothesis profiles, shared test data, real clusters.

Environment:
    HYPOTHESIS_PROFILE    ``dev`` (the default) looks at new examples on every run;
                          ``ci`` looks at more, and at the same ones each time.
    PLAIT_SHARED          the folder of shared test data; by default ``../shared``.
    PLAIT_REQUIRE_SHARED  1 if that data has to be there: a test marked ``shared``
                          that is skipped then fails.
    PLAIT_CLUSTER, PLAIT_REQUIRE_CLUSTER: ``tests/cluster/running.py``.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.cluster import running

ROOT = Path(__file__).resolve().parent.parent

one_node = pytest.fixture(scope="session")(running.one_node)
hurt_node = pytest.fixture(scope="session")(running.hurt_node)
three_nodes = pytest.fixture(scope="session")(running.three_nodes)
secured_node = pytest.fixture(scope="session")(running.secured_node)
NIGHTLY = frozenset({"three_nodes", "secured_node"})  # what takes minutes to start and hurt
CLUSTERS = frozenset({"one_node", "hurt_node", "three_nodes", "secured_node"})

# No deadlines: on a busy machine the clock says nothing about the code.
settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared test data; a test that takes it is marked ``shared``."""
    folder = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no shared test data at {folder} (PLAIT_SHARED names another place)")
    return folder


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what takes shared data or a cluster, so that no test can forget to."""
    taken = set(getattr(item, "fixturenames", ()))
    if "shared" in taken:
        item.add_marker("shared")
    if not NIGHTLY.isdisjoint(taken):
        item.add_marker("nightly")
    if not CLUSTERS.isdisjoint(taken):
        item.add_marker("cluster")
    if item.get_closest_marker("cluster") and not item.get_closest_marker("xdist_group"):
        group = "hurt" if "hurt_node" in taken else "cluster"
        item.add_marker(pytest.mark.xdist_group(group))  # one worker for each set of nodes


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped ``shared`` test where the data has to be there."""
    report = yield
    if (
        os.environ.get("PLAIT_REQUIRE_SHARED") == "1"
        and report.skipped
        and not hasattr(report, "wasxfail")
        and item.get_closest_marker("shared")
    ):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"PLAIT_REQUIRE_SHARED=1, but this test did not run: {why}"
    return report
