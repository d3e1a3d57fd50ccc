"""A model endpoint in trouble: the search answers by words, says so, and in time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.interfaces.command import FILES, Command
from tests.models.endpoint import answering
from tests.sources.repositories import tree
from tools.attack.hostile_replies import Reply, serve

pytestmark = pytest.mark.slow  # commands of their own, which wait for a server
GENEROUS_S = 60.0  # what a busy machine may add; without a deadline these take minutes or hours
TROUBLE = {
    "hangs": Reply(hangs=True),
    "drips": Reply(b"HTTP/1.1 200 OK\r\n\r\n", drip_s=0.3, endless=b" "),
    "drips-headers": Reply(b"HTTP/1.1 200 OK\r\nA: ", drip_s=0.3, endless=b"a"),
    "endless": Reply(b"HTTP/1.1 200 OK\r\n\r\n", endless=b" " * 65536),
    "no-json": Reply().of(b"<html>"),
    "deep": Reply().of(b"[" * 100_000),
    "nan": Reply().of(b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'),
    "broken": Reply().of(b"", status=500),
    "moved": Reply(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"),
}


@contextmanager
def nobody() -> Iterator[int]:
    """A port that nobody listens at."""
    with serve(Reply()) as port:
        pass
    yield port


def at(port: int) -> dict[str, str]:
    return {
        "PLAIT_MODEL": f"http://127.0.0.1:{port}/v1#tiny",
        "PLAIT_MODE": "hybrid",
        "PLAIT_MODEL_WAIT_S": "1",
    }


@pytest.mark.parametrize("how", [*TROUBLE, "down"])
def test_words_answer_and_the_reason_is_told(plait: Command, how: str) -> None:
    tree(plait.folder, FILES)
    with ExitStack() as stack:
        port = stack.enter_context(nobody() if how == "down" else serve(TROUBLE[how]))
        begun = time.monotonic()
        done = plait("timeout route", "--json", env=at(port))
        seconds = time.monotonic() - begun

    assert done.code == 0, done.err
    assert done.json["results"][0]["path"] == "server/limits.py"
    (absent,) = done.json["absent"]
    assert absent["lane"] == "dense"
    assert absent["code"] in ("failed", "late")
    assert "tiny at 127.0.0.1" in absent["words"]
    assert seconds < GENEROUS_S


def test_meaning_alone_is_an_error_in_words(plait: Command) -> None:
    tree(plait.folder, FILES)
    with nobody() as port:
        done = plait("timeout route", "--mode", "dense", env=at(port))

    assert done.code == 2
    assert "error: no vectors from tiny at 127.0.0.1" in done.err  # below how long indexing took


def test_indexing_keeps_the_words_and_status_tells_what_it_can(plait: Command) -> None:
    tree(plait.folder, FILES)
    with nobody() as port:
        done = plait("index", env=at(port))
        status = plait("status", env=at(port))
        strict = plait("timeout route", "--strict", env=at(port))

    assert done.code == 0
    assert "4 added" in done.out
    assert "note: words are indexed; no new vectors could be made" in done.err
    assert status.code == 0
    assert "note: vectors cannot be counted" in status.err
    assert strict.code == 3
    assert "warning: the dense lane gave no answer: " in strict.err


def test_vectors_that_were_made_are_of_use_again_when_the_endpoint_is(plait: Command) -> None:
    tree(plait.folder, FILES)
    with answering() as endpoint:
        env = {**at(endpoint.server_port), "PLAIT_MODEL": f"{endpoint.url}#tiny"}
        assert plait("index", env=env).code == 0
        asked = len(endpoint.asked)
        endpoint.silence_s = 30.0
        during = plait("timeout route", "--json", env=env).json
        endpoint.silence_s = 0.0
        after = plait("timeout route", "--json", env=env).json

    assert asked
    assert [one["lane"] for one in during["absent"]] == ["dense"]
    assert after["absent"] == []
