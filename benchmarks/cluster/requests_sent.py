"""Requests: what a store really sends, and the same sent again by nothing but a socket.

A ``Recording`` is a connection that remembers what it was asked. ``Bare`` sends the very same
bytes over a connection that is kept open and reads the answer as JSON: the least that any
program has to do to ask OpenSearch the same.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from plait.stores.cluster.connection import Connection, Json

TIMEOUT_S = 120.0


class Sent(NamedTuple):
    """One request as it goes over the wire."""

    method: str
    target: str
    body: str


class Recording(Connection):
    """A connection that remembers its requests, and how long it waited for answers."""

    def __init__(self, address: Any) -> None:
        super().__init__(address)
        self.sent: list[Sent] = []
        self.asked_s = 0.0

    def ask(
        self,
        method: str,
        path: str,
        body: Json | bytes | None = None,
        params: Mapping[str, Any] | None = None,
        **how: Any,
    ) -> Json:
        began = time.perf_counter()
        try:
            return super().ask(method, path, body, params, **how)
        finally:
            self.asked_s += time.perf_counter() - began
            self.sent.append(_sent(method, path, body, params))


def _sent(
    method: str, path: str, body: Json | bytes | None, params: Mapping[str, Any] | None
) -> Sent:
    target = f"{path}?{urlencode(params)}" if params else path
    if isinstance(body, bytes):
        return Sent(method, target, body.decode())
    said = "" if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Sent(method, target, said)


class Bare:
    """Connections to the nodes, asked in turn as plait asks them, used by one thread.

    Args:
        hosts: The nodes.
        first: Which of them is asked first.
    """

    def __init__(self, hosts: Sequence[tuple[str, int]], first: int = 0) -> None:
        self._connections = [
            http.client.HTTPConnection(host, port, timeout=TIMEOUT_S) for host, port in hosts
        ]
        self._next = first
        self.received_bytes = 0

    def ask(self, request: Sent) -> Any:
        """The answer to a request.

        Raises:
            ValueError: The node refused it.
        """
        connection = self._connections[self._next % len(self._connections)]
        self._next += 1
        connection.request(
            request.method,
            request.target,
            request.body.encode(),
            {"content-type": "application/json"},
        )
        response = connection.getresponse()
        received = response.read()
        self.received_bytes += len(received)
        if response.status >= 300:
            raise ValueError(f"{response.status}: {received[:500]!r}")
        return json.loads(received)

    def close(self) -> None:
        for connection in self._connections:
            connection.close()
