"""Three nodes, one copy of each shard: one node at a time may die, stand still or be cut off.

The long version is ``benchmarks/cluster/faults.py``; it is the same with more faults.
"""

from __future__ import annotations

import pytest

from benchmarks.cluster.faults import KINDS, Outcome, run
from tools.opensearch.nodes import Cluster

pytestmark = pytest.mark.slow
GREEN_S = 240


@pytest.fixture(scope="module")
def outcome(three_nodes: Cluster) -> Outcome:
    """One node killed, one stopped and one cut off, while others write and search."""
    plan = [kind for kind in KINDS if kind != "cut" or three_nodes.wanted.in_namespaces]
    found = _run(three_nodes, plan, seed=1)
    if found.ended and not found.load.counts["search failed"]:
        return found
    return _run(three_nodes, plan, seed=2)  # so busy that a search outlasts two time-outs: again


def _run(nodes: Cluster, plan: list[str], seed: int) -> Outcome:
    nodes.heal(GREEN_S)
    return run(nodes, plan, minutes=0, timeout_s=10, seed=seed)


def test_no_search_fails_twice_and_none_is_wrong_or_older_than_one_before(outcome: Outcome) -> None:
    bad = ("search failed", "search wrong", "search went back")

    assert [trouble for trouble in outcome.load.troubles if trouble.what in bad] == []
    assert outcome.load.counts["searches"] > 50


def test_what_was_acknowledged_is_there_and_all_is_as_it_would_be_in_peace(
    outcome: Outcome,
) -> None:
    assert outcome.ended
    assert outcome.differences == []
    assert outcome.load.counts["commit broken"] == 0
    assert outcome.load.counts["commits"] > 5


def test_the_cluster_is_green_again_after_each_fault(outcome: Outcome) -> None:
    assert len(outcome.faults) >= 2
    assert all(fault.green_s < GREEN_S for fault in outcome.faults)
