"""Settings: what every node of a test cluster is told in ``opensearch.yml``.

The times after which nodes give one another up are node settings, fixed at the start. With
OpenSearch's own (3 checks of 10 s, 30 s for a connection) a stopped or cut-off node is noticed
after half a minute; with these, after about 10 s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.opensearch.network import Place

CHECK = {"interval": "1s", "timeout": "2s", "retry_count": 3}
IMPATIENT: Mapping[str, object] = {
    **{f"cluster.fault_detection.follower_check.{name}": value for name, value in CHECK.items()},
    **{f"cluster.fault_detection.leader_check.{name}": value for name, value in CHECK.items()},
    "cluster.follower_lag.timeout": "10s",  # to apply a state that was agreed on
    "cluster.publish.timeout": "10s",  # to agree on a state
    "cluster.join.timeout": "10s",
    "transport.connect_timeout": "3s",
    "transport.tcp.connect_timeout": "3s",
    "discovery.request_peers_timeout": "3s",
}


def names(count: int) -> list[str]:
    """The names of the nodes, in the order they are counted."""
    return [f"node-{number}" for number in range(count)]


def node_settings(folder: Path, places: Sequence[Place]) -> dict[str, object]:
    """What all nodes of a cluster have in common."""
    told: dict[str, object] = {
        "cluster.name": "plait-test",
        "path.repo": str(folder / "snapshots"),
        "node.processors": 2 if len(places) == 1 else 1,
        # A developer's disk is often nearly full; a test of a full one turns this on again.
        "cluster.routing.allocation.disk.threshold_enabled": False,
    }
    if len(places) == 1:
        return told | {"discovery.type": "single-node"}
    return told | {
        "discovery.seed_hosts": [f"{place.peer_host}:{place.transport}" for place in places],
        "cluster.initial_cluster_manager_nodes": names(len(places)),
        **IMPATIENT,
    }
