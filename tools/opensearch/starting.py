"""Starting: from what is wanted to processes, and the wait until they are one cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.opensearch import account
from tools.opensearch.asking import Caller
from tools.opensearch.distribution import RELEASES
from tools.opensearch.errors import ClusterError
from tools.opensearch.network import Place
from tools.opensearch.node import Node, Plan
from tools.opensearch.security import Security
from tools.opensearch.settings import names, node_settings

PAUSE_S = 0.5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a cluster should be."""

    version: str = RELEASES[0]
    nodes: int = 1
    heap: str = "512m"
    security: bool = False
    in_namespaces: bool = False
    java_options: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)


def prepare_folder(folder: Path, home: Path) -> None:
    """Have a folder nodes can live in, and say in words why one cannot be."""
    if any(sign.isspace() for sign in str(folder)):
        raise ClusterError(f"a node cannot live in {folder}: the name has spaces")
    (folder / "snapshots").mkdir(parents=True, exist_ok=True)
    account.hand_over(folder / "snapshots")
    account.check_can_enter(folder)
    account.check_can_enter(home)


def plan_nodes(
    wanted: Wanted,
    folder: Path,
    home: Path,
    places: Sequence[Place],
    security: Security | None,
) -> list[Node]:
    """The nodes of a cluster, none of them started."""
    told = node_settings(folder, places) | (security.settings if security else {})
    plan = Plan(
        wanted.version,
        home,
        wanted.heap,
        tuple(wanted.java_options),
        {**told, **wanted.settings},
        security.config if security else None,
    )
    return [
        Node(name, folder / name, place, plan)
        for name, place in zip(names(len(places)), places, strict=True)
    ]


def wait_for(
    status: str,
    answering: Callable[[], Mapping[str, Node]],
    caller: Caller,
    timeout_s: float,
) -> float:
    """Wait until nodes, by address, are one cluster of a status or better; how many seconds."""
    began = time.monotonic()
    seen: object = "nothing"
    while time.monotonic() - began < timeout_s:
        nodes = answering()
        if not nodes:
            raise ClusterError("there is no node left that could answer")
        for node in nodes.values():
            node.check_running()
        question = (
            f"/_cluster/health?wait_for_status={status}&wait_for_nodes={len(nodes)}"
            "&timeout=2s&cluster_manager_timeout=2s"
        )
        # Each is asked: a node is in the cluster a moment before it listens to clients.
        for address in nodes:
            code, told = caller.ask(address, question)
            if code != 200 or told.get("timed_out"):
                seen = told
                break
        else:
            return time.monotonic() - began
        time.sleep(PAUSE_S)
    raise ClusterError(
        f"{len(answering())} nodes were not one {status} cluster within {timeout_s:g} s;"
        f" last heard: {seen}"
    )
