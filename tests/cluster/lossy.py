"""A way to a node on which answers can be lost: requests arrive, the caller never hears of it."""

from __future__ import annotations

import http.client
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.cluster.running import Elsewhere

Loses = Callable[[str, str, bytes], bool]  # method, path and body: whether the answer is lost
PASSED_ON = ("Content-Type", "Authorization")
WAIT_S = 60


@dataclass(slots=True)
class Way:
    """A port that leads to a node. ``loses`` may be changed at any time."""

    cluster: Elsewhere
    loses: Loses = lambda _method, _path, _body: False
    needs: str = ""  # what Authorization has to be; everybody else is refused
    lost: list[str] = field(default_factory=list)


@contextmanager
def way_to(address: str, needs: str = "", certificates: Path | None = None) -> Iterator[Way]:
    """A new port that leads to the node at an address; with certificates, by TLS."""
    node = urlsplit(address)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if way.needs and self.headers.get("Authorization") != way.needs:
                self._answer(401, "application/json", b'{"error":"who are you?"}')
                return
            headers = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
            upstream = http.client.HTTPConnection(node.netloc, timeout=WAIT_S)
            upstream.request(self.command, self.path, body, headers)
            answer = upstream.getresponse()
            said, kind = answer.read(), answer.headers.get("Content-Type", "")
            upstream.close()
            if way.loses(self.command, self.path, body):
                way.lost.append(f"{self.command} {self.path}")
                self.close_connection = True
                return
            self._answer(answer.status, kind, said)

        def _answer(self, status: int, kind: str, said: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(said)

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _pass_on  # noqa: N815  # their names

        def log_message(self, format: str, *args: object) -> None:  # its name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        place = f"127.0.0.1:{server.server_address[1]}"
        if certificates is None:
            way = Way(Elsewhere([f"http://{place}"]), needs=needs)
        else:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificates / "node.pem", certificates / "node-key.pem")
            server.socket = tls.wrap_socket(server.socket, server_side=True)
            server.handle_error = lambda *_: None  # type: ignore[method-assign]  # who distrusts it hangs up
            way = Way(Elsewhere([f"https://{place}"], ca_file=certificates / "ca.pem"), needs=needs)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield way
        finally:
            server.shutdown()
            thread.join(WAIT_S)
