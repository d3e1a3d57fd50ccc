"""Proxies: through whom a request goes, and who is told.

The environment says so, as for other programs (``http_proxy``, ``HTTPS_PROXY``, ``ALL_PROXY``,
``NO_PROXY``). What is meant for this machine never leaves it, whatever the environment says: a
proxy would read the code and the key. Whoever listens is told of each proxy once.
"""

from __future__ import annotations

import urllib.request
from urllib.parse import urlsplit

from plait.downloads.loopback import is_loopback
from plait.downloads.telling import tell
from plait.errors import DownloadError

SPOKEN = ("", "http", "https")  # how a proxy can be asked
HANDLED_FIRST = 100


def proxy_for(url: str) -> str:
    """The address of the proxy for a request; "" for none.

    Raises:
        DownloadError: It is one that cannot be asked.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host):
        return ""
    known = urllib.request.getproxies()
    proxy = known.get(parts.scheme) or known.get("all", "")
    if not proxy or urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    kind, colon, _ = proxy.partition("://")
    if colon and kind.lower() not in SPOKEN:
        raise DownloadError(
            f"the proxy for {host} is of a kind plait cannot ask: {kind}",
            hint=f"name one that speaks HTTP, or leave {host} out of it with NO_PROXY",
        )
    return proxy if colon else f"http://{proxy}"


class ProxyHandler(urllib.request.ProxyHandler):
    """Sends each request, redirected ones too, through the proxy that is meant for it."""

    handler_order = HANDLED_FIRST

    def __init__(self) -> None:
        super().__init__({})

    def http_open(self, request: urllib.request.Request) -> object:
        return self._through(request)

    def https_open(self, request: urllib.request.Request) -> object:
        return self._through(request)

    def _through(self, request: urllib.request.Request) -> object:
        if request.has_proxy():
            return None
        proxy = proxy_for(request.full_url)
        if not proxy:
            return None
        tell(f"{request.host} is asked through the proxy {_shown(proxy)}, as the environment says")
        return self.proxy_open(request, proxy, request.type)


def _shown(proxy: str) -> str:
    """A proxy without what opens it."""
    parts = urlsplit(proxy)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
