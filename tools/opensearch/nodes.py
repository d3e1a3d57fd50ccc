"""Nodes: a cluster of real OpenSearch processes that can be hurt and healed.

    with Cluster.start(nodes=3, in_namespaces=True) as cluster:
        cluster.kill(1)  # as if its machine lost power
        took_s = cluster.wait_green(60)  # the two others go on
        cluster.revive(1)

Nodes are counted from 0, as ``addresses`` are. Whatever happens to the process that started
them, nothing stays: ``stop`` ends nodes, namespaces and a temporary folder, it also runs when
the interpreter exits, and whoever starts the next cluster clears up after a crash.
"""

from __future__ import annotations

import atexit
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tools.opensearch import account, network, records
from tools.opensearch.asking import Caller
from tools.opensearch.distribution import RELEASES, install
from tools.opensearch.errors import ClusterError, PortTaken
from tools.opensearch.node import Node
from tools.opensearch.processes import Process, end
from tools.opensearch.security import ADMIN, READER, Security, secure
from tools.opensearch.starting import Wanted, plan_nodes, prepare_folder, wait_for

START_S = 240.0
ATTEMPTS = 3  # at finding ports nobody takes first
# For tests, never for figures: half the CPU time and half the memory of a start.
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-AlwaysPreTouch")


class Cluster:
    """Nodes that know each other. Made by ``start``."""

    def __init__(self, wanted: Wanted, folder: Path, *, is_temporary: bool) -> None:
        self.wanted, self.folder = wanted, folder
        self.nodes: list[Node] = []
        self.security: Security | None = None
        self._bridged = network.Bridged.plan(wanted.nodes) if wanted.in_namespaces else None
        self._is_temporary = is_temporary
        self._owner = Process.of(os.getpid())
        self._record = records.fresh_file()
        self._paused: set[int] = set()
        self._cut_off: set[int] = set()

    @classmethod
    def start(
        cls,
        version: str = RELEASES[0],
        folder: Path | None = None,
        *,
        nodes: int = 1,
        heap: str = "512m",
        security: bool = False,
        in_namespaces: bool = False,
        java_options: Sequence[str] = (),
        settings: Mapping[str, object] | None = None,
        timeout_s: float = START_S,
    ) -> Self:
        """Install where needed, start nodes and wait until all of them are one cluster.

        Without a folder the data goes into a temporary one. A folder used before still has
        its data. ``settings`` are added to ``opensearch.yml``.
        """
        wanted = Wanted(
            version, nodes, heap, security, in_namespaces, tuple(java_options), settings or {}
        )
        records.reap()
        account.prepare()
        if in_namespaces:
            network.check_namespaces()
        home = install(version, security=security)
        where = folder or Path(tempfile.mkdtemp(prefix="plait-opensearch-"))
        cluster = cls(wanted, where.absolute(), is_temporary=folder is None)
        atexit.register(cluster.stop)
        try:
            cluster._note()
            cluster._make(home, timeout_s)
        except BaseException:
            cluster.stop()
            raise
        return cluster

    # ------------------------------------------------------------ asking

    @property
    def addresses(self) -> list[str]:
        """Where each node answers."""
        scheme = "https" if self.security else "http"
        return [f"{scheme}://{node.place.host}:{node.place.http}" for node in self.nodes]

    @property
    def ca_file(self) -> Path | None:
        """The certificate of the authority to trust, where the cluster is secured."""
        return self.security.ca_file if self.security else None

    @property
    def user(self) -> str:
        return ADMIN if self.security else ""

    @property
    def password(self) -> str:
        return self.security.passwords[ADMIN] if self.security else ""

    @property
    def reader(self) -> str:
        """A user who may search and may not write."""
        return READER if self.security else ""

    @property
    def reader_password(self) -> str:
        return self.security.passwords[READER] if self.security else ""

    @property
    def caller(self) -> Caller:
        """Asks as the user who may do everything."""
        return Caller(self.user, self.password, self.ca_file)

    def wait_green(self, timeout_s: float) -> float:
        """Wait until the nodes that should answer are one green cluster; how many seconds."""
        return wait_for("green", self._answering, self.caller, timeout_s)

    # ------------------------------------------------------------ hurting and healing

    def kill(self, number: int) -> None:
        """End a node as a power cut does."""
        self.nodes[number].send(signal.SIGKILL)
        self.nodes[number].forget()
        self._paused.discard(number)
        self._note()

    def revive(self, number: int) -> None:
        """Start a killed node with the data it has; ``wait_green`` says when it is back."""
        if self.nodes[number].is_running:
            raise ClusterError(
                f"{self.nodes[number].name} is running; only a killed one is revived"
            )
        self.nodes[number].start()
        self._note()

    def pause(self, number: int) -> None:
        """Stop a node's process; its connections stay open and nobody answers."""
        self.nodes[number].send(signal.SIGSTOP)
        self._paused.add(number)

    def resume(self, number: int) -> None:
        """Let a paused node go on."""
        self.nodes[number].send(signal.SIGCONT)
        self._paused.discard(number)

    def cut(self, number: int) -> None:
        """Unplug a node: nothing it sends arrives, and nothing arrives at it."""
        self._plug(number, is_in=False)
        self._cut_off.add(number)

    def mend(self, number: int) -> None:
        """Plug a node in again."""
        self._plug(number, is_in=True)
        self._cut_off.discard(number)

    def heal(self, timeout_s: float = START_S) -> float:
        """Undo every hurt and wait until all nodes are one green cluster; how many seconds."""
        for number in sorted(self._cut_off):
            self.mend(number)
        for number in sorted(self._paused):
            self.resume(number)
        for number, node in enumerate(self.nodes):
            if not node.is_running:
                self.revive(number)
        return self.wait_green(timeout_s)

    def restart(self, timeout_s: float = START_S) -> None:
        """End all nodes in good order and start them again with their data."""
        self._end_all()
        self._start_all(timeout_s)

    def stop(self) -> None:
        """End everything and leave nothing but the data, and that only in a folder given."""
        if self._owner.pid != os.getpid():
            return  # a copy of us in a forked process
        self._end_all()
        self._noted().clear()
        self._record.unlink(missing_ok=True)
        atexit.unregister(self.stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    # ------------------------------------------------------------ inside

    def _make(self, home: Path, timeout_s: float) -> None:
        """From nothing to a cluster; on loopback, somebody may take a port first."""
        if self._is_temporary:
            self.folder.chmod(0o755)
        prepare_folder(self.folder, home)
        if self._bridged:
            self._bridged.make()
        for attempt in range(1, ATTEMPTS + 1):
            wanted = self.wanted
            places = self._bridged.places if self._bridged else network.on_loopback(wanted.nodes)
            if wanted.security:
                hosts = [place.host for place in places]
                self.security = secure(self.folder / "security", home, wanted.version, hosts)
            self.nodes = plan_nodes(wanted, self.folder, home, places, self.security)
            for node in self.nodes:
                node.prepare()
            try:
                self._start_all(timeout_s)
            except PortTaken:
                self._end_all()
                if attempt == ATTEMPTS:
                    raise
            else:
                return

    def _start_all(self, timeout_s: float) -> None:
        """Start every node and wait for all; data without its copies is good enough."""
        for node in self.nodes:
            node.start()
            self._note()
        wait_for("yellow", self._answering, self.caller, timeout_s)

    def _answering(self) -> dict[str, Node]:
        """The nodes that should answer, by address: not killed, paused or cut off."""
        return {
            address: node
            for number, (address, node) in enumerate(zip(self.addresses, self.nodes, strict=True))
            if node.process and number not in self._paused | self._cut_off
        }

    def _plug(self, number: int, *, is_in: bool) -> None:
        if not self._bridged:
            raise ClusterError("only a node in a namespace of its own can be cut off")
        network.plug(self.nodes[number].place, is_in=is_in)

    def _end_all(self) -> None:
        end([node.process for node in self.nodes if node.process])
        for node in self.nodes:
            node.forget()
        self._paused.clear()

    def _noted(self) -> records.Record:
        return records.Record(
            self._owner,
            str(self.folder),
            self._is_temporary,
            tuple(node.process for node in self.nodes if node.process),
            self._bridged.name if self._bridged else "",
            self._bridged.namespaces if self._bridged else (),
        )

    def _note(self) -> None:
        records.write(self._record, self._noted())
