"""A call to the system that fails costs an answer at most, never the index."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tools.chaos import faults
from tools.chaos.faults import Bench, Point, fail_all, summary

NIGHTLY = pytest.mark.nightly
needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")


@pytest.mark.slow
@needs_strace
@pytest.mark.parametrize(("every", "least"), [(1_000, 3), pytest.param(250, 10, marks=NIGHTLY)])
def test_whichever_call_fails_the_index_is_the_old_one_or_the_new_one(
    every: int, least: int
) -> None:
    rows = fail_all(4, every=every)

    counted = summary(rows)
    assert [row for row in rows if row["broke"]] == []
    assert counted["calls that failed"] >= least
    assert any(row["exit"] for row in rows)  # some were felt


@pytest.mark.slow
@needs_strace
def test_a_command_that_claims_what_it_has_not_done_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, 4, 0)
    really = Bench.run

    def claims(self: Bench, name: str, *before: str) -> CompletedProcess[str]:
        if before:
            (self.folder / "injected").touch()
            return CompletedProcess([sys.executable], 0, "", "")
        return really(self, name)

    monkeypatch.setattr(faults.Bench, "run", claims)
    given: dict[str, Any] = bench.trial(Point("index", "write", 1, "EIO", ""))

    assert given["fault"] == "said to be done, and is not"
