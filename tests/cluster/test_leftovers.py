"""A test cluster leaves nothing behind: no process, no namespace, no record, no lock."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.asked import ask
from tests.cluster.running import has_namespaces
from tools.opensearch import records
from tools.opensearch.asking import Caller
from tools.opensearch.distribution import install
from tools.opensearch.errors import PartMissing
from tools.opensearch.java import java_home
from tools.opensearch.nodes import QUICK, Cluster

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "tools.opensearch"]
START = [*COMMAND, "start", *(f"--java-option={option}" for option in QUICK)]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder the user nodes run as may enter, as pytest's own are not."""
    made = Path(tempfile.mkdtemp(prefix="plait-leftovers-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture(autouse=True)
def installed() -> None:
    """Skip in words where a node cannot start."""
    try:
        java_home("3.4.0")
        install("3.4.0")
    except PartMissing as error:
        if os.environ.get("PLAIT_REQUIRE_CLUSTER") == "1":
            pytest.fail(str(error))
        pytest.skip(f"no cluster: {error}")


def running_in(folder: Path) -> list[str]:
    """The processes that were told of a folder."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            told = file.read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in told and b"org.opensearch.bootstrap" in told:
            found.append(file.parent.name)
    return found


def noted_in(folder: Path) -> list[records.Record]:
    return [record for _, record in records.read_all() if record.folder == str(folder)]


def links() -> set[str]:
    """The network links and namespaces of this machine that are ours."""
    if shutil.which("ip") is None:
        return set()
    found = ""
    for words in (["-o", "link"], ["netns"]):
        run = subprocess.run(
            ["ip", *words], capture_output=True, text=True, check=False, timeout=60
        )
        found += run.stdout
    return {word for word in found.split() if word.startswith("plait")}


@pytest.mark.nightly
def test_stop_leaves_nothing_and_the_data_can_be_used_again(folder: Path) -> None:
    before = links()
    with Cluster.start(folder=folder, java_options=QUICK, in_namespaces=has_namespaces()) as one:
        ask(one, 0, "/kept/_doc/1", "PUT", {"text": "here"}, ok=(201,))
        assert running_in(folder)
        assert noted_in(folder)

    assert not running_in(folder)
    assert not noted_in(folder)
    assert links() == before

    with Cluster.start(folder=folder, java_options=QUICK) as two:
        assert ask(two, 0, "/kept/_doc/1")["_source"] == {"text": "here"}


@pytest.mark.nightly
def test_what_a_killed_owner_leaves_is_cleared_away_by_the_next(folder: Path) -> None:
    before = links()
    apart = ["--namespaces"] if has_namespaces() else []
    with subprocess.Popen([*START, "--folder", str(folder), *apart], cwd=ROOT) as owner:
        limit = time.monotonic() + 120
        while not running_in(folder) and time.monotonic() < limit:
            time.sleep(0.5)
        owner.kill()
    assert running_in(folder)

    assert records.reap() >= 1

    assert not running_in(folder)
    assert not noted_in(folder)
    assert links() == before


def test_a_living_owner_keeps_its_nodes_until_it_is_told_to_stop(folder: Path) -> None:
    with subprocess.Popen(
        [*START, "--folder", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        address = owner.stdout.readline().strip()
        records.reap()
        code, _ = Caller().ask(address, "/")
        owner.send_signal(signal.SIGTERM)
        ended = owner.wait(timeout=60)

    assert code == 200
    assert ended == 0
    assert not running_in(folder)
    assert not noted_in(folder)
