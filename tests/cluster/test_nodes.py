"""The test cluster itself: it starts, asks who is calling, is hurt, and heals."""

from __future__ import annotations

import pytest

from tests.cluster.asked import ask
from tests.cluster.running import Running
from tools.opensearch.asking import Caller
from tools.opensearch.errors import ClusterError
from tools.opensearch.nodes import Cluster

pytestmark = pytest.mark.slow
HANGS_S = 600  # nothing here takes that long unless it never ends
REPLICATED = {
    "settings": {
        "number_of_shards": 1,
        "number_of_replicas": 1,
        "index.unassigned.node_left.delayed_timeout": "0s",
    }
}


@pytest.fixture
def index(three_nodes: Cluster) -> str:
    """An index of one document with a copy on a second node."""
    three_nodes.heal(HANGS_S)  # whatever a test before this one left
    ask(three_nodes, 0, "/kept", "DELETE", ok=(200, 404))
    ask(three_nodes, 0, "/kept?wait_for_active_shards=all", "PUT", REPLICATED)
    ask(three_nodes, 0, "/kept/_doc/1?refresh=true", "PUT", {"text": "here"}, ok=(201,))
    return "/kept/_doc/1"


# ---------------------------------------------------------------- one node


def test_one_node_is_green_and_has_nearest_neighbours(one_node: Running) -> None:
    caller = Caller()
    code, health = caller.ask(one_node.addresses[0], "/_cluster/health")
    _, plugins = caller.ask(one_node.addresses[0], "/_cat/plugins?format=json")

    assert code == 200
    assert health["status"] in ("green", "yellow")  # one that runs elsewhere may have replicas
    assert "opensearch-knn" in str(plugins)


def test_a_secured_node_answers_only_those_it_knows(secured_node: Cluster) -> None:
    address = secured_node.addresses[0]
    known, trusted = secured_node.caller, secured_node.ca_file
    wrong = Caller(secured_node.user, "wrong", trusted)

    assert address.startswith("https://")
    assert known.ask(address, "/_cluster/health")[0] == 200
    assert Caller(ca_file=trusted).ask(address, "/_cluster/health")[0] == 401
    assert wrong.ask(address, "/_cluster/health")[0] == 401
    assert "certificate verify failed" in str(Caller().ask(address, "/"))


def test_the_reader_of_a_secured_node_reads_and_does_not_write(secured_node: Cluster) -> None:
    ask(secured_node, 0, "/kept/_doc/1?refresh=true", "PUT", {"text": "here"}, ok=(200, 201))
    reader = Caller(secured_node.reader, secured_node.reader_password, secured_node.ca_file)
    address = secured_node.addresses[0]

    assert reader.ask(address, "/kept/_search")[0] == 200
    assert reader.ask(address, "/kept/_doc/2", method="PUT", body={"text": "no"})[0] == 403


# ---------------------------------------------------------------- three nodes


def test_three_nodes_are_one_green_cluster(three_nodes: Cluster) -> None:
    three_nodes.wait_green(HANGS_S)

    for node in range(3):
        assert ask(three_nodes, node, "/_cluster/health")["number_of_nodes"] == 3


def test_a_killed_node_is_missed_and_comes_back(three_nodes: Cluster, index: str) -> None:
    three_nodes.kill(1)
    with pytest.raises(ClusterError, match="not running"):
        three_nodes.pause(1)
    three_nodes.wait_green(HANGS_S)

    assert ask(three_nodes, 0, index)["_source"] == {"text": "here"}

    three_nodes.revive(1)
    three_nodes.wait_green(HANGS_S)

    assert ask(three_nodes, 1, index)["_source"] == {"text": "here"}


def test_a_paused_node_is_missed_and_goes_on(three_nodes: Cluster, index: str) -> None:
    three_nodes.pause(2)
    three_nodes.wait_green(HANGS_S)

    assert three_nodes.caller.ask(three_nodes.addresses[2], "/", timeout_s=1)[0] == 0
    assert ask(three_nodes, 0, index)["_source"] == {"text": "here"}

    three_nodes.resume(2)
    three_nodes.wait_green(HANGS_S)

    assert ask(three_nodes, 2, index)["_source"] == {"text": "here"}


def test_a_node_that_is_cut_off_is_missed_and_joins_again(three_nodes: Cluster, index: str) -> None:
    if not three_nodes.wanted.in_namespaces:
        with pytest.raises(ClusterError, match="namespace of its own"):
            three_nodes.cut(0)
        pytest.skip("network namespaces need root and iproute2")
    three_nodes.cut(0)
    three_nodes.wait_green(HANGS_S)

    assert three_nodes.nodes[0].is_running
    assert three_nodes.caller.ask(three_nodes.addresses[0], "/", timeout_s=1)[0] == 0
    assert ask(three_nodes, 1, index)["_source"] == {"text": "here"}

    three_nodes.mend(0)
    three_nodes.wait_green(HANGS_S)

    assert ask(three_nodes, 0, index)["_source"] == {"text": "here"}
