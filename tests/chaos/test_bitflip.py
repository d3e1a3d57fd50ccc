"""A damaged index says so; it neither crashes nor lies, whichever way it is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("only", "trials"),
    [
        ("", 20),
        pytest.param("", 100, marks=pytest.mark.nightly),
        pytest.param("clusters", 20, marks=pytest.mark.nightly),
        pytest.param("stamps", 20, marks=pytest.mark.nightly),
    ],
)
@pytest.mark.skipif(not hasattr(sys, "getdlopenflags"), reason="trials are forked processes")
def test_every_answer_of_a_damaged_index_is_right_or_says_so(only: str, trials: int) -> None:
    command = [sys.executable, "-m", "tools.chaos.bitflip", "--no-record"]
    run = subprocess.run(
        [*command, "--n", str(trials), "--only", only],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )

    assert run.returncode == 0, run.stderr
    assert f"damages: {trials}\n" in run.stdout
