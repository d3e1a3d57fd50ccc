"""A real HTTP server on loopback whose pages misbehave in the ways networks do."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from plait.downloads.download import Wanted


@dataclass
class Page:
    """What is served at a path. Lists are used up, one item a request."""

    body: bytes = b""
    etag: str = '"v1"'
    knows_ranges: bool = True
    tells_length: bool = True
    cuts: list[int] = field(default_factory=list)  # bytes sent before the connection breaks
    refusals: list[int] = field(default_factory=list)  # codes sent in place of the page
    retry_after: str = ""  # told with a refusal
    location: str = ""  # redirects there
    silence_s: float = 0.0  # before every piece
    piece: int = 1 << 20  # bytes


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    path: str
    range: str
    if_range: str


class Server(ThreadingHTTPServer):
    """Pages by path, and the requests made for them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, Page] = {}
        self.asked: list[Asked] = []
        self.closing = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def put(self, path: str, page: Page | bytes) -> Wanted:
        """Serve a page; what a client must want to get it."""
        page = page if isinstance(page, Page) else Page(page)
        self.pages[path] = page
        return Wanted(self.address + path, hashlib.sha256(page.body).hexdigest(), len(page.body))

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = Asked(self.path, self.headers.get("Range", ""), self.headers.get("If-Range", ""))
        self.server.asked.append(asked)
        page = self.server.pages.get(self.path)
        if page is None or page.refusals:
            self._refuse(page.refusals.pop(0) if page else 404, page.retry_after if page else "")
        elif page.location:
            self.send_response(302)
            self.send_header("Location", page.location)
            self.end_headers()
        else:
            self._serve(page, asked)

    def _serve(self, page: Page, asked: Asked) -> None:
        start = 0
        is_same = asked.if_range in ("", page.etag)
        if page.knows_ranges and asked.range and is_same:
            start = int(asked.range.removeprefix("bytes=").removesuffix("-"))
            if start >= len(page.body):
                self._refuse(416, content_range=f"bytes */{len(page.body)}")
                return
        self.send_response(206 if start else 200)
        if start:
            last = len(page.body) - 1
            self.send_header("Content-Range", f"bytes {start}-{last}/{len(page.body)}")
        if page.tells_length:
            self.send_header("Content-Length", str(len(page.body) - start))
        if page.etag:
            self.send_header("ETag", page.etag)
        self.end_headers()
        end = start + page.cuts.pop(0) if page.cuts else len(page.body)
        for at in range(start, end, page.piece):
            if page.silence_s and self.server.closing.wait(page.silence_s):
                return
            self.wfile.write(page.body[at : min(at + page.piece, end)])
            self.wfile.flush()

    def _refuse(self, code: int, retry_after: str = "", content_range: str = "") -> None:
        self.send_response(code)
        if retry_after:
            self.send_header("Retry-After", retry_after)
        if content_range:
            self.send_header("Content-Range", content_range)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests look at ``asked``."""


@contextmanager
def serving() -> Iterator[Server]:
    """A server that runs while it is looked at."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
