"""Pages: answers in memory, tried again within a budget, never more than is allowed."""

from __future__ import annotations

import time

import pytest

from plait.downloads.download import Patience
from plait.downloads.page import page
from plait.errors import DownloadError
from tests.downloads.server import Page, Server

BRISK = Patience(attempts=3, pause_s=0.01, timeout_s=5.0)


def test_a_page_comes_whole_after_failures_that_pass(server: Server) -> None:
    url = server.put("/page", Page(b"x" * 5000, cuts=[100], refusals=[503])).url

    assert page(url, patience=BRISK) == b"x" * 5000
    assert len(server.asked) == 3


def test_a_redirect_is_followed(server: Server) -> None:
    server.put("/real", b"here")

    assert page(server.put("/page", Page(location="/real")).url, patience=BRISK) == b"here"


def test_what_will_not_pass_is_not_tried_again(server: Server) -> None:
    with pytest.raises(DownloadError, match=r"\(404\)"):
        page(f"{server.address}/absent", patience=BRISK)

    assert len(server.asked) == 1


def test_a_budget_ends_the_attempts(server: Server) -> None:
    url = server.put("/page", Page(b"x", refusals=[503] * 9, retry_after="20")).url
    begun = time.monotonic()
    with pytest.raises(DownloadError, match="tried once"):
        page(url, patience=BRISK, budget_s=1.0)

    assert time.monotonic() - begun < 20  # the pause it was told to make


@pytest.mark.parametrize("tells_length", [True, False])
def test_more_than_is_allowed_is_refused(server: Server, tells_length: bool) -> None:
    url = server.put("/page", Page(b"x" * 5000, tells_length=tells_length)).url

    with pytest.raises(DownloadError, match="more than 1,000 bytes"):
        page(url, patience=BRISK, limit_bytes=1000)


def test_only_the_web_is_asked() -> None:
    with pytest.raises(DownloadError, match="not an HTTP or HTTPS address"):
        page("file:///etc/passwd")
