"""A model endpoint on loopback that answers well, until it is told to be in trouble."""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import suppress
from typing import Any

LENGTH = 64
LATE_S = 10.0
DRIP_S = 0.1
RESET = struct.pack("ii", 1, 0)  # closing throws away what was not sent
GOOD = ""
TROUBLES = (
    "down",  # nobody listens
    "late",  # the right answer, after ten seconds
    "hangs",  # no answer, and the connection stays
    "drips",  # a byte every tenth of a second
    "endless",  # bytes without end
    "resets",
    "closes",  # in the middle of an answer
    "garbage",  # no HTTP
    "no vectors",  # HTTP, but no answer to what was asked
    "broken",  # status 500
)


class Troubled:
    """The endpoint. Its port stays the same, so that the vectors it gave stay of use."""

    def __init__(self) -> None:
        self.trouble = GOOD
        self._closing = threading.Event()
        self._listening: socket.socket | None = None
        self.port = 0
        self._listen()

    @property
    def spec(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1#tiny"

    def be(self, trouble: str) -> None:
        """Answer in a way from now on."""
        self.trouble = trouble
        if trouble == "down":
            self._hang_up()
        elif self._listening is None:
            self._listen()

    def close(self) -> None:
        self._closing.set()
        self._hang_up()

    def _listen(self) -> None:
        listening = socket.create_server(("127.0.0.1", self.port))
        self.port = int(listening.getsockname()[1])
        self._listening = listening
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def _hang_up(self) -> None:
        if self._listening is not None:
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
            self._listening = None

    def _accept(self, listening: socket.socket) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, ValueError):
            asked = _request(connection)
            trouble = self.trouble
            good = _http(json.dumps(_vectors(asked["input"])).encode())
            if trouble == "late":
                self._closing.wait(LATE_S)
            elif trouble == "hangs":
                self._closing.wait(6 * LATE_S)
            elif trouble == "drips":
                for at in range(len(good)):
                    connection.sendall(good[at : at + 1])
                    if self._closing.wait(DRIP_S):
                        return
            elif trouble == "endless":
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                while not self._closing.is_set():
                    connection.sendall(b" " * 65_536)
            elif trouble == "resets":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                return
            other = {
                "closes": good[: len(good) // 2],
                "garbage": b"\x00\xff\x1b[31m" * 100,
                "no vectors": _http(b'{"data": [{"index": 0, "embedding": "none"}]}'),
                "broken": _http(b"{}", status=500),
            }
            connection.sendall(other.get(trouble, good))


def _vectors(texts: list[str]) -> dict[str, Any]:
    made = [
        {
            "index": number,
            "embedding": [float(1 + (len(text) * (at + 1)) % 7) for at in range(LENGTH)],
        }
        for number, text in enumerate(texts)
    ]
    return {"data": made}


def _http(body: bytes, status: int = 200) -> bytes:
    head = f"HTTP/1.1 {status} Whatever\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


def _request(connection: socket.socket) -> dict[str, Any]:
    with connection.makefile("rb") as file:
        size = 0
        while (line := file.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.partition(b":")[2])
        asked: dict[str, Any] = json.loads(file.read(size))
        return asked
