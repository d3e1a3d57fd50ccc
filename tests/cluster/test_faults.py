"""Nodes die, stand still or are cut off while others write and search: nothing is wrong or lost.

One node on every run, three with a copy of each shard at night; ``python -m tools.cluster.faults``
is the same with more faults. How many searches time out depends on how busy the machine is, so no
test counts them: three nodes are hurt until searches were answered without the one that is gone.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from plait.types import Scope, Term
from tests.cluster.collection import collection
from tests.contract.notation import file
from tools.cluster.faults import COMMITTED, KINDS, SEARCHED, Outcome, run
from tools.opensearch.nodes import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.cluster, pytest.mark.xdist_group("hurt")]
HANGS_S = 600  # nothing here takes that long unless it never ends
UNREACHABLE = ("StoreUnreachable", "StoreDegraded")  # what a search may say while a node is gone
SEED = 1


@pytest.fixture(scope="module")
def alone(hurt_node: Cluster) -> Outcome:
    """The only node killed and stopped, while others write and search."""
    return run(hurt_node, ["kill", "stop"], minutes=0, timeout_s=5, seed=SEED)


@pytest.fixture(scope="module")
def together(three_nodes: Cluster) -> Outcome:
    """One node of three killed, one stopped and one cut off, while others write and search."""
    plan = [kind for kind in KINDS if kind != "cut" or three_nodes.wanted.in_namespaces]
    three_nodes.heal(HANGS_S)
    return run(three_nodes, plan, minutes=0, timeout_s=10, seed=SEED)


@pytest.fixture(params=["alone", pytest.param("together", marks=pytest.mark.nightly)])
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """What one node, and what three, went through."""
    found: Outcome = request.getfixturevalue(request.param)
    return found


def test_no_search_is_wrong_or_older_than_one_before_and_one_that_fails_says_why(
    outcome: Outcome,
) -> None:
    bad = ("search wrong", "search went back")
    failed = [one.words for one in outcome.load.troubles if one.what == "search failed"]

    assert [one for one in outcome.load.troubles if one.what in bad] == []
    assert [words for words in failed if not words.startswith(UNREACHABLE)] == []
    assert outcome.load.counts["searches"] >= SEARCHED * len(outcome.faults)


def test_what_was_acknowledged_is_there_and_all_is_as_it_would_be_in_peace(
    outcome: Outcome,
) -> None:
    assert outcome.ended
    assert outcome.differences == []
    assert outcome.load.counts["commit broken"] == 0
    assert outcome.load.counts["commits"] >= COMMITTED * len(outcome.faults)


def test_a_node_is_hurt_in_every_way(outcome: Outcome) -> None:
    assert {"kill", "stop"} <= {fault.kind for fault in outcome.faults}


def test_a_node_that_comes_back_gets_its_copies_though_searches_held_what_it_had(
    three_nodes: Cluster,
) -> None:
    """A point in time holds a shard's files; what nobody let go of while the node was away must
    not keep it from being given a fresh copy."""
    if not three_nodes.wanted.in_namespaces:
        pytest.skip("network namespaces need root and iproute2")
    three_nodes.heal(HANGS_S)
    with collection(three_nodes, shards=3, replicas=2, timeout_s=10) as store:
        held = []
        for number in range(8):  # each point in time is on one of three copies of every shard
            store.commit([file(f"{number}.py", "common\n", repo=f"r{number}")])
            held.append(store.snapshot())
            assert len(held[-1].match(Term("common"), Scope(), 99).hits) == number + 1
        three_nodes.wait_green(HANGS_S)
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
    limit = time.monotonic() + HANGS_S
    while not holds():
        assert time.monotonic() < limit
        time.sleep(1)
