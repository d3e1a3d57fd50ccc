"""The page on scale: what it says follows from the newest record, and the model behind it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from benchmarks.cluster.scale_model import GB, Machine, Measured, Mode, Plan, needed
from benchmarks.cluster.scale_page import PAGE, newest_record, page
from tools.record import read_raw

FOUND = Measured(
    chunks=1_000_000,
    source_bytes=500,
    text_bytes=1_000,
    code_bytes=256,
    graph_bytes=44,
    kept_bytes=400,
    write_ms=0.5,
    embed_ms=1.5,
    client_ms=0.5,
    words=Mode(core_ms=20, p50_ms=20, p95_ms=40, growing=0.5),
    hybrid=Mode(core_ms=40, p50_ms=40, p95_ms=80, growing=0.5, deepening=0.25),
)
MACHINE = Machine()


def test_the_page_is_what_the_newest_record_says() -> None:
    folder = newest_record()
    raw = read_raw(folder)

    assert PAGE.read_text(encoding="utf-8") == page(raw, folder.name)


def test_the_tenth_run_of_a_day_is_newer_than_the_second(tmp_path: Path) -> None:
    for name in ("2026-01-02-cluster-scale-2", "2026-01-02-cluster-scale-10", "2026-01-03-other"):
        (tmp_path / name).mkdir()

    assert newest_record(tmp_path).name == "2026-01-02-cluster-scale-10"


def test_disk_is_bytes_of_a_chunk_times_chunks_times_copies() -> None:
    made = needed(1e8, Plan(load=1), FOUND, MACHINE)

    assert made.disk_bytes == pytest.approx(2 * 1e8 * (1_000 + 300 + 400))
    assert made.memory_bytes == pytest.approx(2 * 1e8 * 300)
    assert made.shards == 13  # 1,300 bytes a chunk, 10 GB a shard


def test_the_scarcest_of_disk_memory_and_cpu_decides_how_many_machines() -> None:
    by_memory = needed(1e9, Plan(load=0), FOUND, MACHINE)
    by_cpu = needed(1e9, Plan(load=1_000), FOUND, MACHINE)

    assert by_memory.decided_by == "memory"
    assert by_memory.machines == 7  # 600 GB of vectors, 98 GB a machine
    assert by_cpu.decided_by == "CPU"
    assert by_cpu.machines == 2_688  # 20 ms x 1,000 + 10 ms x 130 x 1.148 + 10 ms, by 8 cores


def test_what_is_cold_has_no_vectors_and_lies_in_objects() -> None:
    warm = needed(1e9, Plan(load=0), FOUND, MACHINE)
    tiered = needed(1e9, Plan(load=0, hot=0.1), FOUND, MACHINE)

    assert tiered.memory_bytes == pytest.approx(warm.memory_bytes / 10)
    assert tiered.object_bytes == pytest.approx(0.9e9 * 1_000)
    assert tiered.dollars < warm.dollars


def test_one_bit_a_coordinate_leaves_the_links_as_they_are() -> None:
    made = needed(1e9, Plan(load=0, bits=1), FOUND, MACHINE)

    assert made.memory_bytes == pytest.approx(2 * 1e9 * (256 / 8 + 44))


def test_only_what_looks_through_chunks_grows_with_them() -> None:
    one = needed(1e6, Plan(load=1), FOUND, MACHINE)
    several = needed(1e8, Plan(load=1), FOUND, MACHINE)

    assert one.words_ms == pytest.approx(20)
    assert several.words_ms == pytest.approx(20 * (0.5 * 100 / 13 + 0.5))


def test_many_shards_wait_for_the_slowest() -> None:
    many = needed(1e9, Plan(load=1), FOUND, MACHINE)

    assert many.shards == 130
    assert many.words_ms == pytest.approx(40 * (0.5 * 1_000 / 130 + 0.5))


def test_a_graph_is_followed_longer_by_the_logarithm_of_its_chunks() -> None:
    made = needed(1e8, Plan(load=1), FOUND, MACHINE)
    deeper = math.log(1e8 / 13) / math.log(1e6)

    assert made.hybrid_ms == pytest.approx(40 * (0.5 * 100 / 13 + 0.25 * deeper + 0.25))


def test_a_machine_costs_its_cores_and_its_memory() -> None:
    machine = Machine(cores=2, memory_gb=10, core_hour=0.1, memory_hour=0.01)

    assert machine.month == pytest.approx(730 * 0.3)
    assert machine.cache_bytes == pytest.approx(-20 * GB)
