"""An indexer that is killed loses nothing it has acknowledged."""

from __future__ import annotations

import sys

import pytest

from tests.contract.conftest import MEMORY
from tools.chaos.kill9 import kill_repeatedly, summary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows"),
]
FEW, MANY = 5, 24


def killed(times: int) -> dict[str, int]:
    """What was counted while an indexer was killed so often; it lost nothing."""
    within = MEMORY if MEMORY.is_dir() else None
    rows = kill_repeatedly(times, files=60, workers=2, seed=1, within=within)
    counted = summary(rows)

    assert [row["faults"] for row in rows if row["faults"]] == []
    assert counted["kills"] == times
    return counted


def test_a_killed_indexer_leaves_the_old_generation_or_the_new_one() -> None:
    killed(FEW)


@pytest.mark.nightly
def test_so_does_one_that_is_killed_while_it_writes_or_embeds() -> None:
    counted = killed(MANY)

    assert counted["index had some of its vectors only"] > 0
    assert counted["kills that left files behind"] > 0  # or nobody was killed while writing
