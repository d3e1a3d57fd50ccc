"""Transport: which failures may pass, which will not, and where a redirect may lead."""

from __future__ import annotations

import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest

from plait.downloads.download import LONGEST_PAUSE_S, Patience, Wanted, download
from plait.downloads.transport import LONGEST_WAIT_S, Passing, ask, redirect_problem
from plait.errors import DownloadError
from tests.downloads.server import Page, Server

BODY = bytes(range(256)) * 1000
BRISK = Patience(attempts=3, pause_s=0.01, timeout_s=5.0)
ONCE = replace(BRISK, attempts=1)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "file.bin"


@pytest.mark.parametrize(
    ("code", "words"),
    [(404, "no such file"), (403, "refuses access"), (410, "no longer has that file")],
)
def test_what_will_not_pass_is_told_at_once(
    server: Server, target: Path, code: int, words: str
) -> None:
    wanted = server.put("/file", Page(BODY, refusals=[code]))
    with pytest.raises(DownloadError, match=rf"{words} \({code}\)"):
        download(wanted, target, patience=BRISK)

    assert len(server.asked) == 1


@pytest.mark.parametrize("code", [429, 500, 503])
def test_what_may_pass_is_tried_again(server: Server, target: Path, code: int) -> None:
    download(server.put("/file", Page(BODY, refusals=[code, code])), target, patience=BRISK)

    assert target.read_bytes() == BODY
    assert len(server.asked) == 3


def test_what_does_not_pass_is_given_up(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(BODY, refusals=[503] * 9))
    with pytest.raises(DownloadError, match=r"3 attempts: the server cannot answer now \(503"):
        download(wanted, target, patience=BRISK)

    assert len(server.asked) == 3


def test_a_silent_server_is_given_up_soon(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(BODY, silence_s=120.0))
    begun = time.monotonic()
    with pytest.raises(DownloadError, match=r"nothing came for 0\.2 s"):
        download(wanted, target, patience=Patience(1, 0.01, 0.2))

    assert time.monotonic() - begun < 120


def test_a_server_that_trickles_is_given_up_soon(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(BODY, silence_s=0.02, piece=1))
    with pytest.raises(DownloadError, match=r"no more than \d+ bytes came in 0\.2 s"):
        download(wanted, target, patience=Patience(1, 0.01, 0.2))


@pytest.mark.usefixtures("server")
def test_a_port_nobody_listens_at(target: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/file"
        with pytest.raises(DownloadError, match=r"127\.0\.0\.1 refuses the connection"):
            download(Wanted(url, "0" * 64), target, patience=ONCE)


@pytest.mark.usefixtures("server")
def test_a_name_nobody_has(target: Path) -> None:
    with pytest.raises(DownloadError, match=r"name nowhere\.invalid cannot be resolved"):
        download(Wanted("https://nowhere.invalid/file", "0" * 64), target, patience=ONCE)


@pytest.mark.usefixtures("server")
def test_a_name_nobody_can_have(target: Path) -> None:
    with pytest.raises(DownloadError, match="no address that can be asked"):
        download(Wanted("http://a..b/file", "0" * 64), target, patience=ONCE)


def test_a_place_that_cannot_be_written(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DownloadError, match="cannot write"):
        download(server.put("/file", BODY), tmp_path / "file" / "below", patience=ONCE)


@pytest.mark.parametrize(
    ("told", "wait_s"),
    [("7", 7.0), ("99999", LONGEST_WAIT_S), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("", 0.0)],
)
def test_a_busy_server_may_ask_for_a_pause(server: Server, told: str, wait_s: float) -> None:
    wanted = server.put("/file", Page(BODY, refusals=[503], retry_after=told))
    with pytest.raises(Passing) as caught:
        ask(wanted.url, {}, 5.0)

    assert caught.value.wait_s == wait_s


def test_pauses_double_and_end() -> None:
    patience = Patience(pause_s=1.0)

    assert [patience.pause_after(n, 0.0) for n in (1, 2, 3)] == [1.0, 2.0, 4.0]
    assert patience.pause_after(50, 0.0) == LONGEST_PAUSE_S
    assert patience.pause_after(1, 20.0) == 20.0


# ---------------------------------------------------------------- redirects


def test_a_redirect_is_followed_and_the_range_with_it(server: Server, target: Path) -> None:
    wanted = server.put("/real", Page(BODY, cuts=[100_000]))
    server.put("/moved", Page(location="/real"))
    download(replace(wanted, url=f"{server.address}/moved"), target, patience=BRISK)

    assert target.read_bytes() == BODY
    ranges = [asked.range for asked in server.asked]
    assert ranges == ["", "", "bytes=100000-", "bytes=100000-"]


@pytest.mark.parametrize("away", ["file:///etc/passwd", "ftp://127.0.0.1/file"])
def test_a_redirect_out_of_the_web_is_not_followed(server: Server, target: Path, away: str) -> None:
    wanted = server.put("/file", Page(location=away))
    with pytest.raises(DownloadError, match="only HTTP and HTTPS are followed"):
        download(wanted, target, patience=BRISK)

    assert not target.exists()


def test_redirects_in_circles_end(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(location="/file"))
    with pytest.raises(DownloadError, match="redirects in circles"):
        download(wanted, target, patience=BRISK)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("https://a/x", "http://a/x", "from HTTPS into the open"),
        ("http://a/x", "https://a/x", ""),
        ("https://a/x", "https://b/y", ""),
        ("http://a/x", "http://b/y", ""),
        ("http://a/x", "file:///x", "only HTTP and HTTPS"),
    ],
)
def test_which_redirects_are_followed(old: str, new: str, problem: str) -> None:
    assert problem in redirect_problem(old, new)
    assert bool(problem) == bool(redirect_problem(old, new))
