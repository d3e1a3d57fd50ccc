"""Node: one OpenSearch process, its folder and its settings.

The folder of a node holds its settings, logs and data, so a node that was killed is revived
with what it had. Java is started directly, with the options OpenSearch's own launcher works
out: its start script would start Java seven times before the server.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.opensearch import account
from tools.opensearch.errors import ClusterError, PortTaken
from tools.opensearch.java import java_home
from tools.opensearch.network import Place
from tools.opensearch.processes import Process

LAUNCHER = "org.opensearch.tools.launchers.JvmOptionsParser"
SERVER = "org.opensearch.bootstrap.OpenSearch"
TAKEN = ("BindTransportException", "BindHttpException", "Address already in use")
REASON = re.compile(r"^[\w.$]+(Exception|Error): .*", re.MULTILINE)
# Ours: the size of the heap is a parameter, and logs of the garbage collector are not read.
NOT_OURS = re.compile(r"^(\d+(-\d*)?:)?-(Xm[sx]|Xlog:gc|Xloggc)")
COLLECTOR = re.compile(r"^(\d+(-\d*)?:)?-XX:.*(GC$|G1|CMS|InitiatingHeap)")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a node is told: which OpenSearch, how much memory, what else."""

    release: str
    home: Path
    heap: str
    java_options: tuple[str, ...]
    settings: Mapping[str, object]
    extra_config: Path | None = None  # files to lie beside opensearch.yml


@dataclass(slots=True)
class Node:
    """One node of a cluster."""

    name: str
    folder: Path
    place: Place
    plan: Plan
    process: Process | None = None
    _child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def config(self) -> Path:
        return self.folder / "config"

    @property
    def log(self) -> Path:
        return self.folder / "logs" / "start.out"

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.is_alive

    def prepare(self) -> None:
        """Write the folder of the node; data that is there stays."""
        for name in ("data", "logs", "scratch"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.plan.home / "config", self.config, dirs_exist_ok=True)
        if self.plan.extra_config:
            shutil.copytree(self.plan.extra_config, self.config, dirs_exist_ok=True)
        settings = {
            "node.name": self.name,
            "http.host": self.place.host,
            "http.port": self.place.http,
            "transport.host": self.place.peer_host,
            "transport.port": self.place.transport,
            "path.data": str(self.folder / "data"),
            "path.logs": str(self.folder / "logs"),
            **self.plan.settings,
        }
        lines = [f"{name}: {json.dumps(value)}\n" for name, value in settings.items()]
        (self.config / "opensearch.yml").write_text("".join(lines), "utf-8")
        options = self.config / "jvm.options"
        options.write_text(self._java_options(options.read_text("utf-8")), "utf-8")
        account.hand_over(self.folder)

    def start(self) -> None:
        """Start the process; it is not ready yet when this returns."""
        self.forget()
        java = java_home(self.plan.release)
        command = account.as_user(
            [
                str(java / "bin" / "java"),
                "-Xshare:auto",
                *self._launcher_options(java),
                f"-Dopensearch.path.home={self.plan.home}",
                f"-Dopensearch.path.conf={self.config}",
                "-Dopensearch.distribution.type=zip",
                "-Dopensearch.bundled_jdk=false",
                "-cp",
                f"{self.plan.home}/lib/*",
                SERVER,
            ]
        )
        with self.log.open("wb") as log:
            self._child = subprocess.Popen(
                [*self.place.inside, *command],
                cwd=self.plan.home,
                env=self._environment(java),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for us; we stop nodes in our own way
            )
        self.process = Process.of(self._child.pid)

    def check_running(self) -> None:
        """Say in words why the process ended, if it did."""
        if self.is_running:
            return
        self.forget()
        text = self.log.read_text("utf-8", errors="replace") if self.log.exists() else ""
        if any(each in text for each in TAKEN):
            raise PortTaken(f"{self.name} found its port taken ({self.place})")
        told = REASON.search(text)
        raise ClusterError(
            f"{self.name} ended while it was starting: {told[0] if told else text[-500:]}",
            hint=f"its whole output is in {self.log}",
        )

    def send(self, number: signal.Signals) -> None:
        if not self.is_running:
            raise ClusterError(f"{self.name} is not running")
        assert self.process is not None
        self.process.send(number)

    def forget(self) -> None:
        """Take notice that the process has ended."""
        if self._child is not None:
            self._child.wait(timeout=30)
        self._child = self.process = None

    def _environment(self, java: Path) -> dict[str, str]:
        """Nothing of ours but the path: settings of a developer's shell stay outside."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "JAVA_HOME": str(java),
            "OPENSEARCH_JAVA_HOME": str(java),
            "OPENSEARCH_PATH_CONF": str(self.config),
            "OPENSEARCH_TMPDIR": str(self.folder / "scratch"),
            "LANG": "C.UTF-8",
        }

    def _java_options(self, text: str) -> str:
        """The options of the distribution with our heap, our paths and our own options."""
        own = self.plan.java_options
        lines = [line for line in text.splitlines() if not NOT_OURS.match(line)]
        if any(COLLECTOR.match(option) for option in own):
            lines = [line for line in lines if not COLLECTOR.match(line)]
        moved = [
            line.replace("=logs/", f"={self.folder}/logs/").replace(
                "HeapDumpPath=data", f"HeapDumpPath={self.folder}/logs"
            )
            for line in lines
        ]
        return "\n".join([*moved, f"-Xms{self.plan.heap}", f"-Xmx{self.plan.heap}", *own, ""])

    def _launcher_options(self, java: Path) -> Sequence[str]:
        run = subprocess.run(
            [
                str(java / "bin" / "java"),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                f"{self.plan.home}/lib/*",
                LAUNCHER,
                str(self.config),
            ],
            cwd=self.plan.home,
            env=self._environment(java),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if run.returncode:
            raise ClusterError(f"the options of Java cannot be worked out: {run.stderr.strip()}")
        return run.stdout.split()
