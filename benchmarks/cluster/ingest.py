"""Ingest: a million chunks into a collection, then a vector to each.

Repositories are committed one at a time by each of a few processes, the largest first, as
somebody would who indexes an organisation. What is made of a file was made before: reading,
parsing and cutting are not part of the figures, making terms and documents is.
"""

from __future__ import annotations

import gc
import json
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.bench import say
from benchmarks.cluster.built import Built, Package
from benchmarks.cluster.engine import Place
from benchmarks.cluster.nodes_used import index_figures, used_by
from benchmarks.speed.clock import cpu_seconds
from plait.index.embed import embed as embed_store
from plait.interfaces.cli.main import GC_THRESHOLD
from plait.stores.cluster.connection import Connection
from plait.stores.cluster.schema import vectors_index
from plait.stores.cluster.settling import merge

PORTION_S = 120.0  # of making vectors, between two looks at the figures


def ingest(place: Place, folder: Path, least_chunks: int, processes: int) -> dict[str, Any]:
    """Commit whole packages until there are so many chunks; what that took."""
    packages = sorted(Built(folder).packages(least_chunks), key=lambda one: -one.chunks)

    def run() -> list[dict[str, Any]]:
        jobs = [(place, folder, one) for one in packages]
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            done = []
            for made in pool.map(_committed, jobs):
                say(json.dumps(made))
                done.append(made)
            return done

    done, used = used_by(run, place.pids)
    return {
        "processes": processes,
        "repositories": done,
        **{name: sum(one[name] for one in done) for name in ("files", "chunks", "source_bytes")},
        **used._asdict(),
        "index": figures_of(place),
    }


def figures_of(place: Place, index: str = "") -> dict[str, Any]:
    """Bytes, documents and segments of a collection, or of another index."""
    connection = Connection(place.address)
    try:
        return index_figures(connection, index or place.index_name(connection))
    finally:
        connection.close()


def _committed(job: tuple[Place, Path, Package]) -> dict[str, Any]:
    """Commit one package, in a process that has nothing else to do."""
    place, folder, package = job
    gc.set_threshold(GC_THRESHOLD)
    built, store = Built(folder), place.engine().writer.store
    cpu, wall = cpu_seconds(), time.monotonic()
    store.commit(built.changes(package))
    store.close()
    return {
        "name": package.name,
        "files": len(package.places),
        "chunks": package.chunks,
        "source_bytes": package.source_bytes,
        "wall_s": time.monotonic() - wall,
        "cpu_s": cpu_seconds() - cpu,
    }


def embed(place: Place, within_s: float) -> dict[str, Any]:
    """Give chunks their vectors, for so long; what that took."""
    engine = place.engine()
    store, dense = engine.writer.store, engine.reader.dense
    assert dense is not None
    model = dense.encoder
    model.questions(["opens the model"])
    end = time.monotonic() + within_s
    portions: list[dict[str, Any]] = []
    while (left_s := end - time.monotonic()) > 0:
        progress = [0]
        _, used = used_by(
            lambda: embed_store(
                store,
                model,
                dense.passage,
                lambda done, _of: progress.append(done),  # noqa: B023  # called at once
                min(left_s, PORTION_S),
            ),
            place.pids,
        )
        if progress[-1] == 0:
            break
        portions.append({"chunks": progress[-1], **used._asdict(), "index": figures_of(place)})
        say(json.dumps(portions[-1]))
    lacking = store.snapshot().missing_vectors(model.digest)
    store.close()
    return {
        "model": model.name,
        "dimension": model.dimension,
        "lacking": lacking,
        "chunks": sum(one["chunks"] for one in portions),
        **{
            name: sum(one[name] for one in portions)
            for name in ("wall_s", "client_cpu_s", "server_cpu_s")
        },
        "portions": portions,
        "index": figures_of(place),
        "kept": figures_of(place, vectors_index(place.address.collection)),
    }


def settle(place: Place) -> dict[str, Any]:
    """Have what was replaced taken off the disk, as after every large load; what that took."""
    connection = Connection(place.address)
    index = place.index_name(connection)
    before = index_figures(connection, index)

    def merged() -> None:
        merge(connection, index)
        connection.ask("POST", f"/{index}/_flush")

    _, used = used_by(merged, place.pids)
    connection.close()
    return {**used._asdict(), "before": before, "index": figures_of(place)}
