"""Processes are ended by id, never by mistake, and what dead owners left is cleared away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tools.opensearch import records
from tools.opensearch.network import PORTS, on_loopback
from tools.opensearch.processes import Process, end
from tools.opensearch.records import Record

STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print(flush=True); time.sleep(60)"
)


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"]) as child:
        yield child
        child.kill()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAIT_OPENSEARCH", str(tmp_path / "cache"))
    return tmp_path


def test_a_process_that_is_stopped_is_ended_too(sleeper: subprocess.Popen[bytes]) -> None:
    process = Process.of(sleeper.pid)
    process.send(signal.SIGSTOP)
    os.waitpid(sleeper.pid, os.WUNTRACED)
    end([process])

    assert not process.is_alive
    assert sleeper.wait(timeout=60) == -signal.SIGTERM


@pytest.mark.slow
def test_a_process_that_does_not_listen_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.opensearch.processes.TERM_S", 1.0)
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        end([Process.of(child.pid)])

        assert child.wait(timeout=60) == -signal.SIGKILL


def test_a_later_process_of_the_same_id_is_left_alone(sleeper: subprocess.Popen[bytes]) -> None:
    now = Process.of(sleeper.pid)
    before = replace(now, began=now.began - 1)
    end([before])

    assert not before.is_alive
    assert now.is_alive


def test_what_a_dead_owner_left_is_cleared_away(
    cache: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    node = Process.of(sleeper.pid)
    folder = cache / "data"
    folder.mkdir()
    dead = replace(node, began=node.began - 1)
    records.write(records.fresh_file(), Record(dead, str(folder), True, (node,)))

    assert records.reap() == 1
    assert not node.is_alive
    assert not folder.exists()
    assert list(records.read_all()) == []


def test_what_a_living_owner_has_is_left_until_its_folder_is_stopped(
    cache: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    node = Process.of(sleeper.pid)
    folder = cache / "data"
    folder.mkdir()
    record = Record(node, str(folder), False, (node,))
    records.write(records.fresh_file(), record)

    assert records.reap() == 0
    assert [each for _, each in records.read_all()] == [record]
    assert records.stop_in(cache / "other") == 0
    assert sleeper.poll() is None

    assert records.stop_in(folder) == 1
    assert sleeper.wait(timeout=60) == -signal.SIGTERM
    assert folder.exists()


def test_ports_are_distinct_and_below_those_of_outgoing_connections() -> None:
    places = on_loopback(3)
    ports = [port for place in places for port in (place.http, place.transport)]
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()[0])

    assert len(set(ports)) == 6
    assert all(port in PORTS for port in ports)
    assert max(PORTS) < lowest
