"""Settling: what was replaced is taken off the disk after a large load.

A chunk is given its vector by writing its document anew, so a load leaves a deleted document for
every chunk. Each weighs on how rare its words seem, and holds all that it was made of. The engine
merges them away while more is written; after a load nothing is.
"""

from __future__ import annotations

import time
from contextlib import suppress

from plait.errors import PlaitError
from plait.stores.cluster.connection import Connection

MANY = 100_000  # deleted documents; fewer are left to the engine
SHARE = 0.1  # of all, as in the engine's own policy
ROUNDS = 3
PAUSE_S = 35.0  # half a minute the engine keeps what a copy might still ask for
MERGE_S = 3_600.0  # a million chunks took seven minutes of two cores


def settle(connection: Connection, index: str) -> None:
    """Merge away what many replacements have left; if that cannot be, nothing is lost."""
    with suppress(PlaitError):
        for _ in range(ROUNDS):
            docs = connection.ask("GET", f"/{index}/_stats/docs")["_all"]["primaries"]["docs"]
            if docs["deleted"] < max(MANY, SHARE * docs["count"]):
                return
            connection.ask("POST", f"/{index}/_flush")  # only what is safely replaced may go
            time.sleep(PAUSE_S)
            merge(connection, index)


def merge(connection: Connection, index: str) -> None:
    """Write anew what holds many deleted documents, without them."""
    connection.ask(
        "POST",
        f"/{index}/_forcemerge",
        params={"only_expunge_deletes": "true", "request_timeout": MERGE_S},
        tries=1,
    )
    connection.ask("POST", f"/{index}/_refresh")  # the old files are let go
