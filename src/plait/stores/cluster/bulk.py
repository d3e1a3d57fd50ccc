"""Bulk: many small writes in few requests, as fast as the cluster takes them and no faster.

Documents have ids of their own, so a request that was lost half-way is sent again and changes
nothing that was done already. One that comes late, after what it wrote was deleted, is refused:
a document is written as version 1 and deleted as the last version there can be, which the index
remembers for a while (``index.gc_deletes``). When the cluster says that it has too much to do,
we wait, longer each time, and only what was refused is sent again, within a budget for the
whole commit.
"""

from __future__ import annotations

import json
import random
import time
from typing import Any

from plait.errors import IndexBusy, StoreBusy, StoreError, StoreFull
from plait.stores.cluster.connection import TOO_MANY, Connection, Json

TARGET_BYTES = 4_000_000
MAX_ACTIONS = 5_000
PATIENCE_S = 120.0  # of waiting for a busy cluster, over a whole commit
FIRST_PAUSE_S = 0.2
MAX_PAUSE_S = 10.0
REFUSED = frozenset({TOO_MANY, 503})
GONE = 404  # what is deleted or updated is not there: done already
DELETED = 409  # what is written was deleted before
FIRST = {"version": 1, "version_type": "external_gte"}
LAST = {"version": 1 << 62, "version_type": "external_gte"}


class Bulk:
    """Gathers writes to one index and sends them.

    Args:
        connection: The way to the cluster.
        index: Where everything goes.
        before_each: Called before each request; it may raise to stop.
    """

    def __init__(self, connection: Connection, index: str, before_each: Any = None) -> None:
        self._connection = connection
        self._index = index
        self._before_each = before_each or (lambda: None)
        self._actions: list[tuple[bytes, ...]] = []
        self._bytes = 0
        self._patience_s = PATIENCE_S
        self.sent = 0  # requests

    def put(self, key: str, document: Json, routing: str = "") -> None:
        """Write a whole document."""
        self._add(_line({"index": {**_meta(key, routing), **FIRST}}), _line(document))

    def update(self, key: str, document: Json, routing: str = "") -> None:
        """Add fields to a document, if it is there."""
        meta = {**_meta(key, routing), "retry_on_conflict": 3}
        self._add(_line({"update": meta}), _line({"doc": document}))

    def delete(self, key: str, routing: str = "") -> None:
        """Delete a document, if it is there."""
        self._add(_line({"delete": {**_meta(key, routing), **LAST}}))

    def _add(self, *lines: bytes) -> None:
        self._actions.append(lines)
        self._bytes += sum(map(len, lines))
        if self._bytes >= TARGET_BYTES or len(self._actions) >= MAX_ACTIONS:
            self.flush()

    def flush(self) -> None:
        """Send what was gathered; when it returns, all of it is written.

        Raises:
            StoreBusy: The cluster refused for too long.
            StoreFull: It has no room.
        """
        actions, self._actions, self._bytes = self._actions, [], 0
        pause = FIRST_PAUSE_S
        while actions:
            self._before_each()
            refused = self._sent(actions)
            if not refused:
                return
            if self._patience_s <= 0:
                raise StoreBusy(
                    f"{self._connection.address} refuses to write for {PATIENCE_S:g} s",
                    hint="write with fewer workers, or add nodes",
                )
            nap = min(pause, MAX_PAUSE_S) * random.uniform(0.5, 1.5)  # noqa: S311  # no secret
            self._patience_s -= nap
            time.sleep(nap)
            pause *= 2
            actions = [actions[at] for at in refused]

    def _sent(self, actions: list[tuple[bytes, ...]]) -> list[int]:
        """Send; the places of what was refused."""
        body = b"".join(line for lines in actions for line in lines)
        self.sent += 1
        answer = self._connection.ask("POST", f"/{self._index}/_bulk", body, allowed={TOO_MANY})
        if answer.get("status") == TOO_MANY:
            return list(range(len(actions)))
        if not answer["errors"]:
            return []
        refused = []
        for at, item in enumerate(answer["items"]):
            (result,) = item.values()
            status = result["status"]
            if status in REFUSED and "flood-stage" not in str(result.get("error")):
                refused.append(at)
            elif status >= 300 and not (status == GONE and "index" not in item):
                raise _in_words(result, str(self._connection.address))
        return refused


def _in_words(result: Json, address: str) -> StoreError:
    if result["status"] == DELETED:
        return IndexBusy("the commit was given up, and what it wrote deleted", hint="try again")
    error = result.get("error", {})
    said = f"{error.get('type', '')}: {error.get('reason', '')}" if error else str(result["status"])
    if "flood-stage" in said or "read-only" in said:
        return StoreFull(
            f"a disk of {address} is full: {said}",
            hint="make room or add nodes; what was indexed before still answers",
        )
    return StoreError(f"{address} did not write a document: {said}")


def _meta(key: str, routing: str) -> Json:
    return {"_id": key, "routing": routing} if routing else {"_id": key}


def _line(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
