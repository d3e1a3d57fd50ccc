"""Bombs cost little, and what lies beside them is found."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tools.fuzz.bombs import Bomb, Watch, bombs, drop

PLAIT = [sys.executable, "-P", "-m", "plait"]
at_night = partial(pytest.param, marks=pytest.mark.nightly)
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what is held")


def bomb(part: str) -> Bomb:
    return next(one for one in bombs(tiny=2_000) if part in one.name)


def test_twenty_files_of_brackets_cost_no_worker_its_memory(tmp_path: Path) -> None:
    outcome = drop(bomb("20 files"), PLAIT, tmp_path)

    assert outcome.broken == []
    assert 0 < outcome.worker_bytes < 200 << 20
    assert outcome.cpu_s < 30  # for all of them; one parse alone takes 10
    assert outcome.said.startswith("20 files indexed as plain text: its brackets nest")


def test_tiny_files_are_all_indexed(tmp_path: Path) -> None:
    outcome = drop(bomb("2,000 tiny"), PLAIT, tmp_path)

    assert outcome.broken == []
    assert outcome.said == ""  # nothing was skipped


@pytest.mark.slow
@pytest.mark.parametrize("part", ["a line of 4 MB", at_night("archives"), at_night("list of")])
def test_a_bomb_is_one_file_with_a_reason(tmp_path: Path, part: str) -> None:
    outcome = drop(bomb(part), PLAIT, tmp_path)

    assert outcome.broken == []


def test_what_goes_wrong_is_told(tmp_path: Path) -> None:
    outcome = drop(bomb("a line of 1 MB"), ["/bin/false"], tmp_path)

    assert outcome.broken == ["exit code 1", "the plain file is not found"]


def test_the_watch_sees_what_a_process_held() -> None:
    import subprocess

    code = "held = bytearray(100 << 20); input()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        watch = Watch(process.pid)
        watch.start()
        end = time.monotonic() + 60
        while watch.plait_bytes < 100 << 20 and time.monotonic() < end:
            time.sleep(0.05)
        watch.end()
        process.kill()

    assert 100 << 20 <= watch.plait_bytes < 200 << 20
