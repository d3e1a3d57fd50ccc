"""Page: a small answer over HTTP, in memory, tried again while trying can help."""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from plait.downloads.deadline import Deadline
from plait.downloads.download import Patience
from plait.downloads.transport import SCHEMES, Passing, ask, chunks
from plait.errors import DownloadError

BUDGET_S = 120.0  # for all attempts together
LARGEST_BYTES = 64 << 20


def page(
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    patience: Patience | None = None,
    budget_s: float = BUDGET_S,
    limit_bytes: int = LARGEST_BYTES,
) -> bytes:
    """What a server answers to a question, or to a body that is posted.

    A pause the server asks for is kept, unless it would go beyond the budget. The budget is
    kept whatever the server does: one that sends a byte now and then has no more time for it.

    Raises:
        DownloadError: There is no answer, or a refusal.
    """
    if urlsplit(url).scheme not in SCHEMES:
        raise DownloadError(f"{url} is not an HTTP or HTTPS address")
    patience = patience or Patience()
    deadline = Deadline(budget_s)
    attempt = 0
    while True:
        attempt += 1
        try:
            return _once(url, headers or {}, body, patience.timeout_s, limit_bytes, deadline)
        except Passing as failure:
            if deadline.is_over:
                raise DownloadError(f"{url} gave no whole answer in {budget_s:g} s") from None
            pause_s = patience.pause_after(attempt, failure.wait_s)
            if attempt >= patience.attempts or deadline.is_over_in(pause_s):
                times = "once" if attempt == 1 else f"{attempt} times"
                raise DownloadError(f"{url} does not answer, tried {times}: {failure}") from None
            time.sleep(pause_s)


def _once(
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout_s: float,
    limit_bytes: int,
    deadline: Deadline,
) -> bytes:
    with ask(url, headers, timeout_s, body, deadline) as response:
        announced = response.length
        got = bytearray()
        for chunk in chunks(response, timeout_s):
            got += chunk
            if len(got) > limit_bytes:
                raise DownloadError(f"{url} answers more than {limit_bytes:,} bytes")
    if announced is not None and len(got) < announced:
        raise Passing(f"the connection was cut after {len(got):,} of {announced:,} bytes")
    return bytes(got)
