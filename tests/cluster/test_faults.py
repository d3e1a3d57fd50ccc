"""Three nodes, one copy of each shard: one node at a time may die, stand still or be cut off.

The long version is ``benchmarks/cluster/faults.py``; it is the same with more faults.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from benchmarks.cluster.faults import KINDS, Outcome, run
from plait.types import Scope, Term
from tests.cluster.collection import collection
from tests.contract.notation import file
from tools.opensearch.nodes import Cluster

pytestmark = pytest.mark.slow
GREEN_S = 240
BACK_S = 150  # far less than a point in time lives if nobody lets go of it


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


def test_a_node_that_comes_back_gets_its_copies_though_searches_held_what_it_had(
    three_nodes: Cluster,
) -> None:
    """A point in time holds a shard's files; what nobody let go of while the node was away must
    not keep it from being given a fresh copy."""
    if not three_nodes.wanted.in_namespaces:
        pytest.skip("network namespaces need root and iproute2")
    three_nodes.heal(GREEN_S)
    with collection(three_nodes, shards=3, replicas=2, timeout_s=10) as store:
        held = []
        for number in range(8):  # each point in time is on one of three copies of every shard
            store.commit([file(f"{number}.py", "common\n", repo=f"r{number}")])
            held.append(store.snapshot())
            assert len(held[-1].match(Term("common"), Scope(), 99).hits) == number + 1
        three_nodes.wait_green(GREEN_S)
        three_nodes.cut(1)
        try:
            _wait_until(lambda: _health(three_nodes)[1] == 2)
            held.clear()
            store.commit([file("new.py", "common\n")])
            assert len(store.snapshot().match(Term("common"), Scope(), 99).hits) == 9
        finally:
            three_nodes.mend(1)
        _wait_until(lambda: bool(store.snapshot()) and _health(three_nodes) == ("green", 3))


def _health(nodes: Cluster) -> tuple[object, object]:
    """The status of a cluster and how many nodes it has, as one of them sees it."""
    _, told = nodes.caller.ask(nodes.addresses[0], "/_cluster/health?timeout=2s")
    return told.get("status"), told.get("number_of_nodes")


def _wait_until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + BACK_S
    while not holds():
        assert time.monotonic() < limit
        time.sleep(1)
