"""A damaged index says so; it neither crashes nor lies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(("only", "trials"), [("*", 100), ("*.vectors", 25)])
@pytest.mark.skipif(not hasattr(sys, "getdlopenflags"), reason="trials are forked processes")
def test_damage_is_detected_or_harmless(only: str, trials: int) -> None:
    script = "benchmarks/chaos/bitflip.py"
    run = subprocess.run(
        [sys.executable, script, "--n", str(trials), "--only", only, "--no-record"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["trials"] == trials
