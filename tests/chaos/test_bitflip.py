"""A damaged index says so; it neither crashes nor lies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
TRIALS = 100


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(sys, "getdlopenflags"), reason="trials are forked processes")
def test_damage_is_detected_or_harmless() -> None:
    run = subprocess.run(
        [sys.executable, "benchmarks/chaos/bitflip.py", "--n", str(TRIALS), "--no-record"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["trials"] == TRIALS
