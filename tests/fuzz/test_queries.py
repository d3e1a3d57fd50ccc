"""Whatever is typed ends in an answer or in an error meant for the user, and soon."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from plait.answering.index import Index
from plait.errors import PlaitError
from tools.fuzz.queries import MAX_MS, fuzz, small_index

SEED = int(os.environ.get("PLAIT_FUZZ_SEED", "1"))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return small_index(Path(tmp_path_factory.mktemp("fuzz")))


@pytest.mark.slow
@pytest.mark.parametrize("count", [400, pytest.param(2_000, marks=pytest.mark.nightly)])
def test_random_queries_end_well_and_almost_all_of_them_soon(index: Index, count: int) -> None:
    tally = fuzz(index, count, SEED)

    assert tally.faults == []
    assert tally.answered + sum(tally.refused.values()) >= count
    assert tally.with_results > count // 4
    assert sorted(tally.milliseconds)[count * 99 // 100] < MAX_MS


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"def parse" ' * 800, id="many-phrases"),
        pytest.param("path:*.py " * 900, id="many-globs"),
        pytest.param("path:" + "*?" * 40 + "a", id="one-long-glob"),
        pytest.param("/q[xyz]+q/ OR " * 700, id="many-patterns"),
    ],
)
def test_no_query_a_person_may_send_takes_long(index: Index, text: str) -> None:
    snapshot = index.snapshot()
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        with suppress(PlaitError):
            index.ask(snapshot, text)
        best = min(best, time.process_time() - began)

    assert best * 1000 < MAX_MS
