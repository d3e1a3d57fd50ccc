"""Commands: ``python -m tools.opensearch start|stop|install|lock|reap``."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from tools.opensearch import distribution, records
from tools.opensearch.errors import ClusterError
from tools.opensearch.nodes import Cluster

WATCH_S = 1.0


def main(words: Sequence[str] | None = None) -> int:
    """Run one command. Exit 0 if it did what it was told, 2 on an error."""
    told = _parser().parse_args(words)
    try:
        return _run(told)
    except ClusterError as error:
        _say(f"error: {error}")
        if error.hint:
            _say(f"hint: {error.hint}")
        return 2
    except OSError as error:  # a folder that cannot be written, a disk that is full
        _say(f"error: {error}")
        return 2


def _run(told: argparse.Namespace) -> int:
    if told.command == "install":
        _emit(str(distribution.install(told.version, security=told.security)))
    elif told.command == "lock":
        distribution.lock()
    elif told.command == "reap":
        _say(f"{records.reap()} clusters of dead owners were cleared away")
    elif told.command == "stop":
        stopped = records.stop_in(told.folder)
        _say(f"{stopped} clusters in {told.folder} were stopped")
        return 0 if stopped else 2
    else:
        return _start(told)
    return 0


def _start(told: argparse.Namespace) -> int:
    """Run nodes until somebody says stop, or stops them."""
    asked_to_stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: _interrupt(asked_to_stop))
    try:
        cluster = Cluster.start(
            told.version,
            told.folder,
            nodes=told.nodes,
            heap=told.heap,
            security=told.security,
            in_namespaces=told.namespaces,
            java_options=told.java_option,
        )
    except KeyboardInterrupt:
        return 0
    with cluster:
        for address in cluster.addresses:
            _emit(address)
        if known := cluster.security:
            _say(f"trust {known.ca_file}; passwords are in {known.passwords_file}")
        _say(f"data and logs are in {cluster.folder}; Ctrl-C stops the nodes")
        try:
            while not asked_to_stop.wait(WATCH_S):
                if not any(node.is_running for node in cluster.nodes):
                    _say("all nodes have ended")
                    break
        except KeyboardInterrupt:
            pass
    return 0


def _interrupt(asked_to_stop: threading.Event) -> None:
    """The first signal ends the start or the watch; more of them do not disturb the stopping."""
    if not asked_to_stop.is_set():
        asked_to_stop.set()
        raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tools.opensearch", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    start = commands.add_parser("start", help="run nodes in the foreground")
    install = commands.add_parser("install", help="have a release; prints its folder")
    for each in (start, install):
        each.add_argument("--version", default=distribution.RELEASES[0])
        each.add_argument("--security", action="store_true", help="with TLS and users")
    start.add_argument("--nodes", type=int, choices=(1, 3), default=1)
    start.add_argument("--heap", default="512m", help="of Java, for each node")
    start.add_argument("--folder", type=Path, help="for the data; else a temporary one")
    start.add_argument("--namespaces", action="store_true", help="a network for each node")
    start.add_argument("--java-option", action="append", default=[], metavar="OPTION")
    stop = commands.add_parser("stop", help="stop what runs in a folder")
    stop.add_argument("--folder", type=Path, required=True)
    commands.add_parser("lock", help="record the checksums of all packages anew")
    commands.add_parser("reap", help="clear away what crashed owners left running")
    return parser


def _emit(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
