"""Deadline: connections that end when their time is up, however little keeps arriving.

A timeout of a socket is counted anew with every byte, so a server that sends one now and then
holds a request for as long as it likes. Here every wait is cut to what is left until a moment
that is set once: names, connecting, encryption, headers and body together.
"""

from __future__ import annotations

import http.client
import math
import socket
import ssl
import threading
import time
import urllib.request
from typing import Any


class Deadline:
    """A moment after which nothing is waited for; ``lift`` takes it away."""

    def __init__(self, within_s: float = math.inf) -> None:
        self._until = time.monotonic() + within_s

    def lift(self) -> None:
        self._until = math.inf

    @property
    def is_over(self) -> bool:
        return self.is_over_in(0.0)

    def is_over_in(self, seconds: float) -> bool:
        return time.monotonic() + seconds >= self._until

    def left(self, most_s: float) -> float:
        """Seconds that may be waited, at most so many.

        Raises:
            TimeoutError: There are none.
        """
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("time is up")
        return min(left, most_s)


class _Socket(socket.socket):
    deadline: Deadline
    pace_s: float  # without a byte

    def recv_into(self, *arguments: Any, **options: Any) -> int:
        self.settimeout(self.deadline.left(self.pace_s))
        return super().recv_into(*arguments, **options)

    def sendall(self, *arguments: Any, **options: Any) -> None:
        self.settimeout(self.deadline.left(self.pace_s))
        super().sendall(*arguments, **options)


class _TlsSocket(ssl.SSLSocket):
    deadline: Deadline
    pace_s: float

    def recv_into(self, *arguments: Any, **options: Any) -> int:
        self.settimeout(self.deadline.left(self.pace_s))
        return super().recv_into(*arguments, **options)

    def send(self, *arguments: Any, **options: Any) -> int:
        self.settimeout(self.deadline.left(self.pace_s))
        return super().send(*arguments, **options)


def _connected(address: tuple[str, int], pace_s: float, deadline: Deadline) -> _Socket:
    """A connection to the first address of a host that takes one."""
    problem: OSError = OSError("it has no address")
    for family, kind, protocol, _, place in _resolved(*address, deadline.left(pace_s)):
        made = _Socket(family, kind, protocol)
        made.deadline, made.pace_s = deadline, pace_s
        try:
            made.settimeout(deadline.left(pace_s))
            made.connect(place)
        except OSError as error:
            made.close()
            problem = error
            continue
        return made
    raise problem


def _resolved(host: str, port: int, within_s: float) -> list[Any]:
    """The addresses of a name. Nothing ends a resolver that waits, so it is left behind."""
    found: list[Any] = []

    def resolve() -> None:
        try:
            found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.append(error)

    thread = threading.Thread(target=resolve, daemon=True, name="plait-resolve")
    thread.start()
    thread.join(within_s)
    if not found:
        raise TimeoutError("the name was not resolved in time")
    if isinstance(found[0], Exception):
        raise found[0]
    places: list[Any] = found[0]
    return places


class HttpHandler(urllib.request.HTTPHandler):
    """Plain HTTP until a deadline."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        deadline = self._deadline

        class Connection(http.client.HTTPConnection):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                pace_s = float(self.timeout or math.inf)
                self._create_connection = lambda address, *_: _connected(address, pace_s, deadline)

        return self.do_open(Connection, req)


class HttpsHandler(urllib.request.HTTPSHandler):
    """HTTP with encryption until a deadline; certificates are verified."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        deadline, given_s = self._deadline, float(req.timeout or math.inf)

        class Encrypted(_TlsSocket):
            pass

        Encrypted.deadline, Encrypted.pace_s = deadline, given_s
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        context.sslsocket_class = Encrypted

        class Connection(http.client.HTTPSConnection):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, context=context, **options)
                self._create_connection = lambda address, *_: _connected(address, given_s, deadline)

        return self.do_open(Connection, req)
