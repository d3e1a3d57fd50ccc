"""Asking a node of a test cluster, when only the right answer will do."""

from __future__ import annotations

from tools.opensearch.nodes import Cluster


def ask(
    cluster: Cluster,
    node: int,
    path: str,
    method: str = "GET",
    body: object = None,
    ok: tuple[int, ...] = (200,),
) -> dict[str, object]:
    """What a node answers; any status but those expected fails the test."""
    address = cluster.addresses[node]
    code, told = cluster.caller.ask(address, path, method=method, body=body, timeout_s=30)
    assert code in ok, told
    return told
