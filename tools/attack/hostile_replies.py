"""Replies meant to harm whoever asked: of a model endpoint, of a hub, of a cluster.

Plain functions, for tests and for the attack benchmark alike. ``serve`` is a real server on
loopback that sends them, byte by byte if that is wanted; ``mutations`` are wrong versions of a
right reply, ``bodies`` are wrong whatever was asked, ``raw_replies`` are hardly HTTP.
"""

from __future__ import annotations

import copy
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

DEEP = 100_000
SILENCE_S = 60.0  # how long a reply that hangs keeps a connection
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    "",
    "text \x1b[31m\u202e",
    "1",
    [],
    [[]],
    [None],
    {},
    {"a": {}},
)


def mutations(right: Any) -> Iterator[tuple[str, bytes]]:
    """A right reply with each of its parts, in turn, replaced by each wrong value or left out."""
    for path in _paths(right):
        for number, wrong in enumerate(WRONG):
            changed = copy.deepcopy(right)
            yield f"{_named(path)}={number}", json.dumps(_with(changed, path, wrong)).encode()
        if path:
            changed = copy.deepcopy(right)
            _parent(changed, path).pop(path[-1])
            yield f"{_named(path)} gone", json.dumps(changed).encode()


def bodies() -> Iterator[tuple[str, bytes]]:
    """What is no reply to anything."""
    yield "nothing", b""
    yield "no json", b"<html>It works!</html>"
    yield "half", b'{"data": [{"index": 0, "embedding": [0.1, '
    yield "two values", b"{} {}"
    yield "deep lists", b"[" * DEEP
    yield "deep closed lists", b"[" * DEEP + b"]" * DEEP
    yield "deep objects", b'{"data":' * DEEP + b"1" + b"}" * DEEP
    yield "deep in data", b'{"data": ' + b"[" * DEEP + b"]" * DEEP + b"}"
    yield "no utf-8", b'{"data": "\xff\xfe\x9b"}'
    yield "utf-16", '{"data": []}'.encode("utf-16")
    yield "zeros", b"\0" * 1000
    yield "nan", b'{"data": NaN, "hits": NaN}'
    yield "huge number", b'{"data": ' + b"9" * 5000 + b"}"
    yield "huge exponent", b'{"data": 1e99999, "hits": 1e99999}'
    yield "half of a character", b'{"data": "\\ud800", "hits": "\\udfff"}'
    yield "escapes", b'{"error": {"message": "\x1b[31m\xe2\x80\xae"}}'
    yield "same key twice", b'{"data": [], "data": {}}'
    for number, wrong in enumerate(WRONG):
        yield f"value {number}", json.dumps(wrong).encode()


def embeddings(count: int, length: int) -> dict[str, Any]:
    """A right reply of an endpoint."""
    return {
        "object": "list",
        "model": "tiny",
        "data": [
            {"object": "embedding", "index": at, "embedding": [0.5 + at] * length}
            for at in range(count)
        ],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


def embedding_replies(count: int = 2, length: int = 3) -> Iterator[tuple[str, bytes]]:
    """Wrong replies of an endpoint that was asked for so many vectors; some are right enough."""
    right = embeddings(count, length)
    yield from mutations(right)
    yield from bodies()
    for name, number in (("nan", "NaN"), ("inf", "Infinity"), ("1e999", "1e999"), ("0", "0")):
        text = json.dumps(right).replace("0.5", number)
        yield f"vectors of {name}", text.encode()
    for length_of_one in (0, 1, 2, 4, 70_000):
        changed = copy.deepcopy(right)
        changed["data"][0]["embedding"] = [0.5] * length_of_one
        yield f"one of length {length_of_one}", json.dumps(changed).encode()
    for index in (-1, 1, 2, 10**30, 0.5):
        changed = copy.deepcopy(right)
        changed["data"][0]["index"] = index
        yield f"index {index}", json.dumps(changed).encode()


def raw_replies() -> Iterator[tuple[str, bytes]]:
    """What is no HTTP, or HTTP that tells lies."""
    good = json.dumps(embeddings(2, 3)).encode()
    yield "nothing", b""
    yield "garbage", b"\x00\xff\x1b[31m" * 50
    yield "no status", b"HTTP/1.1\r\n\r\n"
    yield "odd status", b"HTTP/1.1 999999 \x1b[31m\r\n\r\n"
    yield "negative status", b"HTTP/1.1 -200 OK\r\n\r\n"
    yield "http 0.9", b"hello"
    yield "http 9", b"HTTP/9.9 200 OK\r\n\r\n" + good
    yield "long status", b"HTTP/1.1 200 " + b"O" * 100_000 + b"\r\n\r\n"
    yield "long header", b"HTTP/1.1 200 OK\r\nA: " + b"a" * 100_000 + b"\r\n\r\n"
    yield "many headers", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 5000 + b"\r\n"
    yield "length too long", _http(good, length=len(good) + 100)
    yield "length too short", _http(good, length=len(good) // 2)
    yield "length negative", _http(good, length=-5)
    yield "length no number", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n" + good
    yield "two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n{} {}"
    yield "bad chunks", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"
    yield "huge chunk", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n{}"
    yield "gzip", b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0"
    yield "continue for ever", b"HTTP/1.1 100 Continue\r\n\r\n" * 2000
    for code in (204, 205, 206, 300, 304, 400, 401, 403, 404, 407, 413, 418, 429, 500, 503):
        body = b'{"error": {"message": "\\u001b[31m \\u202e no"}}'
        yield f"status {code}", _http(body, status=code)
        yield f"status {code}, deep", _http(b"[" * DEEP, status=code)
    for to in ("/v1/embeddings", "http://127.0.0.1:1/", "file:///etc/passwd", "//", "\x1b[31m", ""):
        head = f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
        yield f"redirect to {to!r}", head.encode()


def _http(body: bytes, *, status: int = 200, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    head = f"HTTP/1.1 {status} Whatever\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {size}\r\nConnection: close\r\n\r\n".encode() + body


@dataclass
class Reply:
    """What a server sends to every request, and how."""

    raw: bytes = b""
    drip_s: float = 0.0  # between two bytes; 0 for all at once
    endless: bytes = b""  # sent again and again after it
    hangs: bool = False  # nothing is sent, and the connection stays
    asked: list[bytes] = field(default_factory=list)

    def of(self, body: bytes, status: int = 200) -> Reply:
        """Make it an HTTP reply with a body."""
        self.raw = _http(body, status=status)
        return self


@contextmanager
def serve(reply: Reply) -> Iterator[int]:
    """A server on loopback that sends a reply; its port."""
    closing = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)

        def accept() -> None:
            while not closing.is_set():
                with suppress(OSError):
                    connection, _ = listening.accept()
                    threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                connection.settimeout(5)
                reply.asked.append(_request(connection))
                if reply.hangs:
                    closing.wait(SILENCE_S)
                if not reply.drip_s:
                    connection.sendall(reply.raw)
                for at in range(len(reply.raw) if reply.drip_s else 0):
                    connection.sendall(reply.raw[at : at + 1])
                    if closing.wait(reply.drip_s):
                        return
                while reply.endless and not closing.is_set():
                    connection.sendall(reply.endless)
                    if reply.drip_s:
                        time.sleep(reply.drip_s)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            closing.set()
            thread.join()


def _request(connection: socket.socket) -> bytes:
    got = b""
    while b"\r\n\r\n" not in got:
        piece = connection.recv(65536)
        if not piece:
            return got
        got += piece
    head, _, body = got.partition(b"\r\n\r\n")
    size = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            size = int(line.partition(b":")[2])
    while len(body) < size:
        piece = connection.recv(65536)
        if not piece:
            break
        body += piece
    return head + b"\r\n\r\n" + body


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items: list[tuple[Any, Any]] = list(value.items()) if isinstance(value, dict) else []
    for key, inner in list(enumerate(value)) if isinstance(value, list) else items:
        yield from _paths(inner, (*path, key))


def _parent(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


def _with(value: Any, path: tuple[Any, ...], wrong: Any) -> Any:
    if not path:
        return wrong
    _parent(value, path)[path[-1]] = wrong
    return value


def _named(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path)) or "all"
