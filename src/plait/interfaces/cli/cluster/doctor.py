"""``plait doctor`` of a cluster: can it hold a collection, and is the one there sound?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from plait.errors import IndexMissing, PlaitError
from plait.interfaces.cli.output import counted
from plait.interfaces.cli.tools.finding import Finding

if TYPE_CHECKING:
    from plait.answering.index import Index

HINT = "ask whoever runs the cluster; docs/cluster.md says what plait needs of it"


def server_findings(index: Index) -> Iterator[Finding]:
    """What answers at the address of a collection, and how the collection is."""
    from plait.assembly import open_operations

    try:
        with closing(open_operations(index.settings)) as operations:
            server = operations.server()
    except PlaitError as error:
        yield Finding("store", str(error), error.hint or HINT)
        return
    nodes = counted(server.nodes, "node")
    trip = f"{server.round_trip_s * 1000:.1f} ms there and back"
    yield Finding("store", f"OpenSearch {server.version}, {nodes}, {trip}")
    for problem in server.problems:
        yield Finding("store", problem, HINT)
    try:
        faults = index.reader.store.check()
        generation = index.snapshot().generation
    except IndexMissing as missing:
        yield Finding("index", str(missing))
    except PlaitError as error:
        yield Finding("index", str(error), error.hint or HINT)
    else:
        if faults:
            yield Finding("index", "; ".join(faults), "plait status --store ... says more")
            return
        yield Finding("index", f"generation {generation} in {index.place} is sound")
