"""Network: where each node listens, and how it is cut off.

Plain nodes share loopback, each with ports of its own. Nodes in namespaces have a network of
their own, joined by a virtual cable to one bridge; to cut a node off is to unplug its cable:
packets vanish without a word, as they do when a switch dies.

A node that talks to others beyond loopback insists on limits (65,535 open files, 262,144 memory
maps) that a machine for tests may not be able to give. So nodes in namespaces answer clients
at a private address, and talk to one another at loopback addresses led over the cable.
"""

from __future__ import annotations

import ipaddress
import json
import os
import random
import secrets
import shutil
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from tools.opensearch.errors import ClusterError, PartMissing

LOOPBACK = "127.0.0.1"
PEERS = "127.99.0"  # the network of the nodes among themselves; seen by nobody else
LOOPBACK_GOES_OUT = [f"net.ipv4.conf.{each}.route_localnet=1" for each in ("all", "eth0")]
HTTP, TRANSPORT = 9200, 9300  # OpenSearch's own, where nobody else can have them
# Below the ports Linux gives to outgoing connections: the port of a killed node stays free
# until it is revived, and a client that calls it meanwhile cannot be connected to itself.
PORTS = range(20_000, 32_000)


@dataclass(frozen=True, slots=True)
class Place:
    """Where one node listens, and the namespace and cable it has there, if any."""

    host: str
    http: int
    peer_host: str  # where other nodes call
    transport: int
    namespace: str = ""
    cable: str = ""

    @property
    def inside(self) -> list[str]:
        """What to put before a command to run it there."""
        return ["ip", "netns", "exec", self.namespace] if self.namespace else []


def on_loopback(nodes: int) -> tuple[Place, ...]:
    """Places with ports nobody listens on now."""
    ports = iter(_free_ports(2 * nodes))
    return tuple(Place(LOOPBACK, next(ports), LOOPBACK, next(ports)) for _ in range(nodes))


def _free_ports(wanted: int) -> list[int]:
    found = []
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        with socket.socket() as tried:
            try:
                tried.bind((LOOPBACK, port))
            except OSError:
                continue
        found.append(port)
        if len(found) == wanted:
            return found
    raise ClusterError(f"no free ports from {PORTS[0]} to {PORTS[-1]} on {LOOPBACK}")


# ---------------------------------------------------------------- namespaces


@dataclass(frozen=True, slots=True)
class Bridged:
    """Namespaces joined by a bridge. Nothing is made before ``make``."""

    name: str
    places: tuple[Place, ...]
    gateway: str

    @classmethod
    def plan(cls, nodes: int) -> Bridged:
        """Names nobody else has and a private network this machine does not use."""
        name = f"plait{secrets.token_hex(3)}"
        network = _unused_network()
        hosts = [str(host) for host in network.hosts()]
        own = [f"{name}-{node}" for node in range(nodes)]  # of the namespace and of the cable
        places = tuple(
            Place(hosts[node + 1], HTTP, f"{PEERS}.{node + 1}", TRANSPORT, own[node], own[node])
            for node in range(nodes)
        )
        return cls(name, places, f"{hosts[0]}/{network.prefixlen}")

    @property
    def namespaces(self) -> tuple[str, ...]:
        return tuple(place.namespace for place in self.places)

    def make(self) -> None:
        _ip("link", "add", self.name, "type", "bridge", "forward_delay", "0")
        _ip("addr", "add", self.gateway, "dev", self.name)
        _ip("link", "set", self.name, "up")
        length = self.gateway.partition("/")[2]
        for place in self.places:
            end = f"type veth peer name eth0 netns {place.namespace}".split()
            _ip("netns", "add", place.namespace)
            _ip("link", "add", place.cable, *end)
            _ip("link", "set", place.cable, "master", self.name, "up")
            for told in (
                "link set lo up",
                "addr del 127.0.0.1/8 dev lo",  # all of 127 would stay inside
                "addr add 127.0.0.1/32 dev lo",
                f"addr add {place.host}/{length} dev eth0",
                f"addr add {place.peer_host}/24 dev eth0",
                "link set eth0 up",
            ):
                _ip("-n", place.namespace, *told.split())
            _run([*place.inside, "sysctl", "-q", "-w", *LOOPBACK_GOES_OUT])

    def remove(self) -> None:
        remove(self.name, self.namespaces)


def plug(place: Place, *, is_in: bool) -> None:
    """Plug the cable of a node in, or pull it out."""
    _ip("link", "set", place.cable, "up" if is_in else "down")


def remove(bridge: str, namespaces: Sequence[str]) -> None:
    """Take namespaces, their cables and the bridge away, as far as they are there."""
    there = {each["name"] for each in _listed("netns", "list")}
    links = {each["ifname"] for each in _listed("link", "show")}
    for name in namespaces:
        if name in links:
            _ip("link", "delete", name)
        if name in there:
            _ip("netns", "delete", name)
    if bridge in links:
        _ip("link", "delete", bridge)


def check_namespaces() -> None:
    """Say in words why nodes cannot have networks of their own here."""
    if os.geteuid() != 0:
        raise PartMissing("network namespaces need root")
    if shutil.which("ip") is None:
        raise PartMissing("the command ip is not installed", hint="install iproute2")
    tried = Bridged.plan(1)
    try:
        tried.make()
    finally:
        tried.remove()


def _unused_network() -> ipaddress.IPv4Network:
    """A network of 256 addresses that no route of this machine leads to."""
    used = [
        ipaddress.ip_network(route["dst"], strict=False)
        for route in _listed("-4", "route", "show", "table", "all")
        if route["dst"] != "default"
    ]
    for _ in range(100):
        number = secrets.randbelow(1 << 16)
        found = ipaddress.IPv4Network((f"10.{number >> 8}.{number & 255}.0", 24))
        if not any(found.overlaps(each) for each in used if each.version == 4):
            return found
    raise ClusterError("every private network 10.x.y.0/24 that was tried is in use")


def _listed(*words: str) -> list[dict[str, str]]:
    text = _ip("-json", *words)
    found: list[dict[str, str]] = json.loads(text) if text.strip() else []
    return found


def _ip(*words: str) -> str:
    return _run(["ip", *words])


def _run(command: list[str]) -> str:
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except OSError as error:
        raise PartMissing(f"{command[0]} cannot be run: {error}") from None
    if run.returncode:
        raise PartMissing(f"{' '.join(command)} failed: {run.stderr.strip()}")
    return run.stdout
