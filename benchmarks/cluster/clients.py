"""Clients: sixteen at a time, by plait and bare in turns.

They are processes with a few threads each, so that not all of them wait for one interpreter;
a process shares one snapshot among its threads, as a service does. Words are counted once per
generation and process, and all have been met when the clock starts. Every phase is as long as
the others, and all clients change from one to the next together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from typing import Any, NamedTuple

from benchmarks.cluster.engine import Place
from benchmarks.cluster.nodes_used import node_cpu_s
from benchmarks.cluster.requests_sent import Bare, Sent
from benchmarks.speed.clock import percentile
from plait.types import Query

PLAIT, BARE = "plait", "bare"
PHASES = (PLAIT, BARE, BARE, PLAIT)  # so that neither gains by being early
START_S = 900.0  # until all clients have asked every question once


class Job(NamedTuple):
    """What the clients do."""

    place: Place
    mode: str
    queries: Sequence[Query]
    requests: Sequence[Sequence[Sent]]  # that each query is made of
    processes: int
    threads: int
    phase_s: float


class Phase(NamedTuple):
    """What one process did in one phase."""

    kind: str
    times_ms: list[float]
    cpu_s: float


def run(job: Job) -> dict[str, Any]:
    """All phases by all clients; what came out of plait's and of the bare ones."""
    context = get_context("spawn")
    barrier = context.Barrier(job.processes + 1)
    server: dict[str, float] = {PLAIT: 0.0, BARE: 0.0}
    with context.Pool(job.processes, _keep, (barrier,)) as pool:
        waiting = pool.map_async(_client, [(job, number) for number in range(job.processes)])
        for kind in PHASES:
            barrier.wait(START_S)
            began = node_cpu_s(job.place.pids)
            barrier.wait(START_S)
            server[kind] += node_cpu_s(job.place.pids) - began
        done: list[list[Phase]] = waiting.get(START_S)
    return {kind: _figures(kind, job, done, server[kind]) for kind in (PLAIT, BARE)}


def _figures(
    kind: str, job: Job, done: Sequence[Sequence[Phase]], server_s: float
) -> dict[str, float]:
    phases = [phase for process in done for phase in process if phase.kind == kind]
    times = [one for phase in phases for one in phase.times_ms]
    return {
        "searches": len(times),
        "searches_per_s": len(times) / (job.phase_s * PHASES.count(kind)),
        "p50_ms": percentile(times, 0.5),
        "p95_ms": percentile(times, 0.95),
        "client_cpu_ms": sum(phase.cpu_s for phase in phases) / len(times) * 1e3,
        "server_cpu_ms": server_s / len(times) * 1e3,
    }


_barrier: Barrier | None = None  # of this process


def _keep(barrier: Barrier) -> None:
    global _barrier  # noqa: PLW0603  # a barrier is inherited, not sent
    _barrier = barrier


def _client(task: tuple[Job, int]) -> list[Phase]:
    """One process: all phases, by its threads."""
    job, number = task
    assert _barrier is not None
    engine = job.place.engine()
    searcher = engine.reader.searcher(engine.snapshot(), job.mode)
    hosts = job.place.address.hosts
    bare = [Bare(hosts, number * job.threads + thread) for thread in range(job.threads)]

    def by_plait(_thread: int, at: int) -> None:
        searcher.search(job.queries[at])

    def sent_again(thread: int, at: int) -> None:
        for request in job.requests[at]:
            bare[thread].ask(request)

    work = {PLAIT: by_plait, BARE: sent_again}
    with ThreadPoolExecutor(job.threads) as pool:
        list(pool.map(lambda at: by_plait(0, at), range(len(job.queries))))
        done = []
        for kind in PHASES:
            _barrier.wait(START_S)
            cpu, end = time.process_time(), time.perf_counter() + job.phase_s
            asked = pool.map(
                lambda thread: _asked(thread, number, job, work[kind], end),  # noqa: B023  # used at once
                range(job.threads),
            )
            times = [one for each in asked for one in each]
            done.append(Phase(kind, times, time.process_time() - cpu))
            _barrier.wait(START_S)
    for one in bare:
        one.close()
    engine.close()
    return done


def _asked(
    thread: int, process: int, job: Job, work: Callable[[int, int], None], end: float
) -> list[float]:
    """Milliseconds of every search of one thread, from a place of its own on."""
    times = []
    at = (process * job.threads + thread) * 31
    while (began := time.perf_counter()) < end:
        work(thread, at % len(job.queries))
        times.append((time.perf_counter() - began) * 1e3)
        at += 1
    return times
