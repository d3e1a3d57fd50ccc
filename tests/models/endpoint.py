"""A real server on loopback that speaks ``POST /v1/embeddings``, well or badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = dict[str, Any]
LENGTH = 96


def vector_of(text: str, length: int = LENGTH) -> list[float]:
    """A vector by which a text can be known again."""
    return [float(1 + (len(text) * (at + 1)) % 7) for at in range(length)]


def well(asked: dict[str, Any]) -> Answer:
    """The right answer, its items in no order."""
    made = [
        {"object": "embedding", "index": number, "embedding": vector_of(text)}
        for number, text in enumerate(asked["input"])
    ]
    return {"object": "list", "data": made[::-1], "model": asked["model"]}


class Endpoint(ThreadingHTTPServer):
    """What it answers, and what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: Callable[[dict[str, Any]], Answer] = well
        self.raw: bytes | None = None  # sent in place of an answer
        self.refusals: list[tuple[int, dict[str, str], bytes]] = []  # used up, one a request
        self.silence_s = 0.0
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(json.loads(body) | {"path": self.path})
        self.server.keys.append(self.headers.get("Authorization", ""))
        if self.server.closing.wait(self.server.silence_s):
            return
        if self.server.refusals:
            self._send(*self.server.refusals.pop(0))
        else:
            answer = self.server.raw
            if answer is None:
                answer = json.dumps(self.server.answers(json.loads(body))).encode()
            self._send(200, {"Content-Type": "application/json"}, answer)

    def _send(self, code: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests look at ``asked``."""


@contextmanager
def answering() -> Iterator[Endpoint]:
    """A server that runs while it is looked at."""
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
