"""Transport: one HTTP request, and what its failure means in words.

A failure either may pass (a server that is busy, a connection that breaks: ``Passing``) or
will not (no such file, no permission, a redirect into the open: ``DownloadError``). Only
HTTP and HTTPS are spoken; a redirect may not leave HTTPS once it is there, what is posted goes
nowhere but where it was sent, and what opens one host or proxy is not shown to another.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from email.message import Message
from typing import IO
from urllib.parse import urljoin, urlsplit

from plait.downloads.deadline import Deadline, HttpHandler, HttpsHandler
from plait.downloads.proxies import ProxyHandler
from plait.errors import DownloadError

SCHEMES = ("http", "https")
CHUNK_BYTES = 1 << 16
STALLED_BYTES = 1024  # fewer than this in one timeout and the server counts as silent
LONGEST_WAIT_S = 30.0  # whatever a server asks for
BUSY = frozenset({408, 425, 429})
RANGE_NOT_SATISFIABLE = 416
TOLD_BYTES = 4096  # read of a refusal's page
TOLD_LENGTH = 300  # and shown of what it says
HEADER_TIMEOUTS = 4  # in which headers come, or the server counts as silent
FOR_ONE_HOST = ("Authorization", "Cookie")
FOR_PROXIES = ("Proxy-authorization",)
EXPLAINED = {
    401: "the server wants a login",
    403: "the server refuses access",
    404: "the server has no such file",
    410: "the server no longer has that file",
    451: "the server may not give it out, for legal reasons",
}


class Passing(Exception):
    """What went wrong may be right at the next attempt."""

    def __init__(self, words: str, wait_s: float = 0.0) -> None:
        super().__init__(words)
        self.wait_s = wait_s


class NothingThere(Exception):
    """The server has no bytes in the range asked for; ``total`` is the file's size, if told."""

    def __init__(self, total: int | None) -> None:
        super().__init__("nothing in that range")
        self.total = total


def redirect_problem(old: str, new: str) -> str:
    """Why a redirect must not be followed; "" if it may."""
    schemes = urlsplit(old).scheme, urlsplit(new).scheme
    if schemes[1] not in SCHEMES:
        return f"{old} redirects to {new}; only HTTP and HTTPS are followed"
    if schemes == ("https", "http"):
        return f"{old} redirects to {new}; it is not followed from HTTPS into the open"
    return ""


class _Redirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        problem = redirect_problem(req.full_url, newurl)
        if req.data is not None:  # its body and its headers may be secret
            problem = f"{req.full_url} redirects to {newurl}; what is posted is not sent elsewhere"
        if problem:
            fp.close()
            raise DownloadError(problem)
        followed = super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]  # typeshed wants HTTPMessage
        if followed is not None:
            old, new = urlsplit(req.full_url), urlsplit(newurl)
            is_elsewhere = (old.scheme, old.netloc) != (new.scheme, new.netloc)
            for name in (*FOR_PROXIES, *(FOR_ONE_HOST if is_elsewhere else ())):
                followed.remove_header(name)
        return followed


def _opener(deadline: Deadline) -> urllib.request.OpenerDirector:
    """One that knows HTTP, HTTPS and the user's proxy, and neither files nor FTP."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        ProxyHandler(),
        HttpHandler(deadline),
        HttpsHandler(deadline),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


def ask(
    url: str,
    headers: Mapping[str, str],
    timeout_s: float,
    body: bytes | None = None,
    deadline: Deadline | None = None,
) -> http.client.HTTPResponse:
    """Ask for a file; post a body if there is one.

    Args:
        url: Where it is.
        headers: What is said with it.
        timeout_s: How long to wait for a byte.
        body: What is posted.
        deadline: When all of the answer must have come; without one its headers must have come
            within some timeouts, and the body may take as long as it keeps coming.

    Raises:
        Passing: It may work at the next attempt.
        NothingThere: The range asked for is beyond the file's end.
        DownloadError: It will not work.
    """
    own = {"User-Agent": "plait", "Accept-Encoding": "identity"}
    until = deadline or Deadline(HEADER_TIMEOUTS * timeout_s)
    try:
        request = urllib.request.Request(url, body, own | dict(headers))  # noqa: S310 - scheme known
        response: http.client.HTTPResponse = _opener(until).open(request, timeout=timeout_s)
    except urllib.error.HTTPError as refusal:
        with refusal:
            raise _refused(url, refusal) from None
    except urllib.error.URLError as error:
        raise _unreached(url, error.reason, timeout_s) from None
    except (OSError, http.client.HTTPException) as error:
        raise _unreached(url, error, timeout_s) from None
    except ValueError as error:  # a host that cannot be one
        raise DownloadError(f"{url} is no address that can be asked: {error}") from None
    if deadline is None:
        until.lift()
    return response


def chunks(response: http.client.HTTPResponse, timeout_s: float) -> Iterator[bytes]:
    """What arrives, as it arrives.

    Raises:
        Passing: The connection broke, or too little came for too long.
    """
    since, gained = time.monotonic(), 0
    while True:
        try:
            chunk = response.read1(CHUNK_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise _broken(error, timeout_s) from None
        if not chunk:
            return
        yield chunk
        gained += len(chunk)
        if time.monotonic() - since > timeout_s:
            if gained < STALLED_BYTES:
                raise Passing(f"no more than {gained} bytes came in {timeout_s:g} s")
            since, gained = time.monotonic(), 0


def _refused(url: str, refusal: urllib.error.HTTPError) -> Exception:
    """What an answer other than success means."""
    code = refusal.code
    if code == RANGE_NOT_SATISFIABLE:
        size = str(refusal.headers.get("Content-Range", "")).rpartition("/")[2]
        return NothingThere(int(size) if size.isdecimal() else None)
    if code in BUSY or code >= 500:
        asked = str(refusal.headers.get("Retry-After", ""))
        wait_s = min(float(asked), LONGEST_WAIT_S) if asked.isdecimal() else 0.0
        words = f"the server cannot answer now ({code} {refusal.reason}){_told(refusal)}"
        return Passing(words, wait_s)
    if 300 <= code < 400:
        to = urljoin(url, refusal.headers.get("Location", ""))
        return DownloadError(redirect_problem(url, to) or f"{url} redirects in circles ({code})")
    return DownloadError(
        f"{url} is unavailable: {EXPLAINED.get(code, refusal.reason)} ({code}){_told(refusal)}",
        hint="it may have moved, or a proxy may stand in the way",
    )


def _told(refusal: urllib.error.HTTPError) -> str:
    """What a refusal itself says, if it says so in the ways interfaces do."""
    try:
        said = json.loads(refusal.read(TOLD_BYTES))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return ""
    for key in ("error", "message", "detail"):
        said = said.get(key, said) if isinstance(said, dict) else said
    return f": {said[:TOLD_LENGTH]}" if isinstance(said, str) else ""


def _unreached(url: str, reason: object, timeout_s: float) -> Exception:
    """What it means that no answer came at all."""
    host = urlsplit(url).hostname
    if isinstance(reason, ssl.SSLCertVerificationError):
        return DownloadError(
            f"the certificate of {host} cannot be trusted: {reason.verify_message}",
            hint="is the clock right, and does a proxy open connections here?",
        )
    if isinstance(reason, socket.gaierror):
        return Passing(f"the name {host} cannot be resolved ({reason.strerror})")
    if isinstance(reason, ConnectionRefusedError):
        return Passing(f"{host} refuses the connection")
    return _broken(reason, timeout_s)


def _broken(reason: object, timeout_s: float) -> Passing:
    if isinstance(reason, TimeoutError):
        return Passing(f"nothing came for {timeout_s:g} s")
    return Passing(f"the connection broke ({reason or type(reason).__name__})")
