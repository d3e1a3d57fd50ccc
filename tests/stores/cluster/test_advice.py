"""Advice on shards: none too large, every node at work, no more than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.stores.cluster.operations.advice import (
    SHARD_BYTES,
    SHARD_CHUNKS,
    SPREAD_CHUNKS,
    advice,
)


@pytest.mark.parametrize(
    ("chunks", "bytes_per_chunk", "nodes", "growth", "shards", "replicas"),
    [
        pytest.param(0, 0, 1, 2, 1, 0, id="nothing-yet"),
        pytest.param(1_000_000, 2_000, 1, 2, 1, 0, id="one-node"),
        pytest.param(1_000_000, 2_000, 3, 2, 1, 1, id="too-few-to-spread"),
        pytest.param(3_000_000, 2_000, 3, 2, 3, 1, id="one-for-each-node"),
        pytest.param(3_000_000, 2_000, 3, 1, 1, 1, id="without-growth-too-few"),
        pytest.param(50_000_000, 600, 1, 2, 3, 0, id="by-chunks"),
        pytest.param(20_000_000, 6_000, 1, 1, 4, 0, id="by-bytes"),
        pytest.param(20_000_000, 6_000, 3, 1, 6, 1, id="the-same-on-each-node"),
    ],
)
def test_shards_and_replicas(
    chunks: int, bytes_per_chunk: float, nodes: int, growth: float, shards: int, replicas: int
) -> None:
    found = advice(chunks, bytes_per_chunk, nodes, growth)

    assert (found.shards, found.replicas) == (shards, replicas)
    assert found.options == f"?shards={shards}&replicas={replicas}"


def test_disk_is_for_what_is_planned_its_copies_and_merging() -> None:
    assert advice(1_000, 2_000, 1, growth=3).disk_bytes == 1_000 * 3 * 2_000 * 1.5
    assert advice(1_000, 2_000, 2, growth=3).disk_bytes == 2 * 1_000 * 3 * 2_000 * 1.5


def test_the_reasons_say_what_was_measured_and_what_was_not() -> None:
    assert "2 times the 1,000 there are, 1,500 bytes each" in advice(1_000, 1_500, 1).reasons[0]
    assert "size not measured yet" in advice(0, 0, 1).reasons[0]


@given(st.integers(0, 10**11), st.floats(100, 20_000), st.integers(1, 200))
def test_no_shard_is_too_large_and_none_is_superfluous(
    chunks: int, bytes_per_chunk: float, nodes: int
) -> None:
    found = advice(chunks, bytes_per_chunk, nodes, growth=1)

    assert chunks / found.shards <= SHARD_CHUNKS
    assert chunks * bytes_per_chunk / found.shards <= SHARD_BYTES * 1.000001
    if found.shards > nodes:
        fewer = found.shards - nodes
        assert chunks / fewer > SHARD_CHUNKS or chunks * bytes_per_chunk / fewer > SHARD_BYTES
    if chunks <= SPREAD_CHUNKS and chunks * bytes_per_chunk <= SHARD_BYTES:
        assert found.shards == 1
