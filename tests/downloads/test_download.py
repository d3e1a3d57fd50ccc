"""Downloads: whole and right or not at all, whatever the server does."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from plait.downloads.download import Patience, Wanted, download
from plait.errors import DownloadError
from tests.downloads.server import Page, Server

BODY = bytes(range(256)) * 1000
BRISK = Patience(attempts=3, pause_s=0.01, timeout_s=5.0)
ONCE = replace(BRISK, attempts=1)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "file.bin"


def ranges(server: Server) -> list[str]:
    return [asked.range for asked in server.asked]


def left_beside(target: Path) -> list[str]:
    """What lies in the target's folder."""
    return sorted(path.name for path in target.parent.iterdir())


# ---------------------------------------------------------------- the plain case


def test_a_file_arrives_whole_and_leaves_nothing_else(server: Server, target: Path) -> None:
    told: list[tuple[int, int | None]] = []
    wanted = server.put("/file", BODY)
    download(wanted, target, patience=BRISK, on_progress=lambda *now: told.append(now))

    assert target.read_bytes() == BODY
    assert left_beside(target) == ["file.bin"]
    assert told[-1] == (len(BODY), len(BODY))
    assert told == sorted(told)


def test_an_empty_file_is_a_file(server: Server, target: Path) -> None:
    download(server.put("/empty", b""), target, patience=BRISK)

    assert target.read_bytes() == b""


def test_a_file_that_is_there_and_right_is_not_asked_for(server: Server, target: Path) -> None:
    wanted = server.put("/file", BODY)
    target.parent.mkdir()
    target.write_bytes(BODY)
    download(wanted, target, patience=BRISK, is_offline=True)

    assert server.asked == []


def test_a_file_that_is_there_and_wrong_is_replaced(server: Server, target: Path) -> None:
    wanted = server.put("/file", BODY)
    target.parent.mkdir()
    target.write_bytes(b"something else")
    download(wanted, target, patience=BRISK)

    assert target.read_bytes() == BODY


def test_a_wrong_file_does_not_keep_the_name_if_the_right_one_cannot_be_had(
    server: Server, target: Path
) -> None:
    wanted = server.put("/file", Page(BODY, refusals=[404]))
    target.parent.mkdir()
    target.write_bytes(b"something else")
    with pytest.raises(DownloadError):
        download(wanted, target, patience=ONCE)

    assert left_beside(target) == []


def test_offline_nothing_is_asked_for(server: Server, target: Path) -> None:
    with pytest.raises(DownloadError, match="stay offline") as caught:
        download(server.put("/file", BODY), target, is_offline=True)

    assert "PLAIT_OFFLINE" in caught.value.hint
    assert server.asked == []


# ---------------------------------------------------------------- going on


def test_a_connection_cut_in_the_middle_goes_on_where_it_was(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(BODY, cuts=[100_000, 50_000]))
    download(wanted, target, patience=BRISK)

    assert target.read_bytes() == BODY
    assert ranges(server) == ["", "bytes=100000-", "bytes=150000-"]
    assert [asked.if_range for asked in server.asked] == ["", '"v1"', '"v1"']
    assert left_beside(target) == ["file.bin"]


def test_a_later_command_goes_on_where_an_earlier_one_stopped(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(BODY, cuts=[100_000]))
    with pytest.raises(DownloadError, match="cut after 100,000 of 256,000 bytes") as caught:
        download(wanted, target, patience=ONCE)
    assert not target.exists()
    assert "goes on from there" in caught.value.hint
    download(wanted, target, patience=ONCE)

    assert target.read_bytes() == BODY
    assert ranges(server) == ["", "bytes=100000-"]


def test_a_server_that_ignores_ranges_sends_all_of_it_again(server: Server, target: Path) -> None:
    wanted = server.put("/file", Page(BODY, cuts=[100_000], knows_ranges=False))
    download(wanted, target, patience=BRISK)

    assert target.read_bytes() == BODY
    assert ranges(server) == ["", "bytes=100000-"]


def test_a_file_that_changed_meanwhile_is_fetched_anew(server: Server, target: Path) -> None:
    with pytest.raises(DownloadError):
        download(server.put("/file", Page(BODY, cuts=[100_000])), target, patience=ONCE)
    wanted = server.put("/file", Page(BODY[::-1], etag='"v2"'))
    download(wanted, target, patience=ONCE)

    assert target.read_bytes() == BODY[::-1]


@pytest.mark.parametrize("etag", ["", 'W/"v1"'])
def test_a_tag_that_cannot_vouch_for_bytes_is_not_sent(
    server: Server, target: Path, etag: str
) -> None:
    download(server.put("/file", Page(BODY, etag=etag, cuts=[9])), target, patience=BRISK)

    assert target.read_bytes() == BODY
    assert [(asked.range, asked.if_range) for asked in server.asked] == [("", ""), ("bytes=9-", "")]


def test_a_part_of_some_other_file_is_thrown_away(server: Server, target: Path) -> None:
    target.parent.mkdir()
    part = target.with_name("file.bin.part")
    part.write_bytes(b"x" * 1000)
    download(server.put("/file", BODY), target, patience=BRISK)

    assert target.read_bytes() == BODY
    assert ranges(server) == ["bytes=1000-", ""]


@pytest.mark.parametrize("knows_size", [True, False])
def test_a_part_that_is_complete_takes_its_name(
    server: Server, target: Path, knows_size: bool
) -> None:
    wanted = server.put("/file", BODY)
    target.parent.mkdir()
    target.with_name("file.bin.part").write_bytes(BODY)
    download(wanted if knows_size else replace(wanted, size_bytes=None), target, patience=ONCE)

    assert target.read_bytes() == BODY
    assert ranges(server) == ([] if knows_size else ["bytes=256000-"])


@pytest.mark.parametrize("knows_size", [True, False])
def test_a_part_longer_than_the_file_is_thrown_away(
    server: Server, target: Path, knows_size: bool
) -> None:
    wanted = server.put("/file", BODY)
    target.parent.mkdir()
    target.with_name("file.bin.part").write_bytes(BODY + b"more")
    download(wanted if knows_size else replace(wanted, size_bytes=None), target, patience=BRISK)

    assert target.read_bytes() == BODY


# ---------------------------------------------------------------- the wrong file


def test_a_wrong_checksum_deletes_what_came_and_tells_both(server: Server, target: Path) -> None:
    wanted = replace(server.put("/file", BODY), sha256="0" * 64)
    with pytest.raises(DownloadError) as caught:
        download(wanted, target, patience=BRISK)

    assert f"it has SHA-256 {hashlib.sha256(BODY).hexdigest()}" in str(caught.value)
    assert f"expected {'0' * 64}" in str(caught.value)
    assert left_beside(target) == []
    assert len(server.asked) == 1


def test_a_wrong_size_is_refused_before_it_is_fetched(server: Server, target: Path) -> None:
    wanted = replace(server.put("/file", BODY), size_bytes=5)
    with pytest.raises(DownloadError, match="it has 256,000 bytes, expected 5"):
        download(wanted, target, patience=BRISK)

    assert left_beside(target) == []


def test_what_is_larger_than_allowed_is_refused(server: Server, target: Path) -> None:
    wanted = replace(server.put("/file", BODY), size_bytes=None)
    with pytest.raises(DownloadError, match="256,000 bytes, allowed are 1,000"):
        download(wanted, target, patience=BRISK, limit_bytes=1000)


@pytest.mark.parametrize(("size", "limit"), [(None, 1000), (1000, 1 << 30)])
def test_a_server_that_tells_no_length_cannot_fill_the_disk(
    server: Server, target: Path, size: int | None, limit: int
) -> None:
    page = Page(BODY, tells_length=False)
    wanted = replace(server.put("/file", page), size_bytes=size)
    with pytest.raises(DownloadError, match="more than 1,000 bytes"):
        download(wanted, target, patience=BRISK, limit_bytes=limit)

    assert left_beside(target) == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/file", "no address"])
def test_only_the_web_is_asked(url: str) -> None:
    with pytest.raises(DownloadError, match="not an HTTP or HTTPS address"):
        Wanted(url, "0" * 64)


def test_a_checksum_is_64_digits() -> None:
    with pytest.raises(DownloadError, match="no SHA-256"):
        Wanted("https://host/file", "123")


def test_a_file_can_be_known_by_the_id_git_gives_it(server: Server, target: Path) -> None:
    url = server.put("/file", b"hello\n").url
    right = Wanted(url, "", git_id="ce013625030ba8dba906f756967f9e9ca394464a")
    download(right, target, patience=BRISK)

    assert target.read_bytes() == b"hello\n"
    with pytest.raises(DownloadError, match="it has the git id ce0136250"):
        download(replace(right, git_id="0" * 40), target, patience=BRISK)
    with pytest.raises(DownloadError, match="no SHA-256"):
        Wanted(url, "", git_id="123")
