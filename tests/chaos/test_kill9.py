"""An indexer that is killed loses nothing it has acknowledged."""

from __future__ import annotations

import sys

import pytest

from tests.contract.conftest import MEMORY
from tools.chaos.kill9 import kill_repeatedly, summary

KILLS = 24


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_indexer_leaves_the_old_generation_or_the_new_one() -> None:
    within = MEMORY if MEMORY.is_dir() else None
    rows = kill_repeatedly(KILLS, files=60, workers=2, seed=1, within=within)
    counted = summary(rows)

    assert [row["faults"] for row in rows if row["faults"]] == []
    assert counted["kills"] == KILLS
    assert counted["index had some of its vectors only"] > 0
    assert counted["kills that left files behind"] > 0  # or nobody was killed while writing
