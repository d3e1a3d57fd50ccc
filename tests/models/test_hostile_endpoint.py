"""An endpoint that is down, hangs, drips, lies or never ends: a sentence in good time."""

from __future__ import annotations

import json
import math
import time
from contextlib import suppress

import pytest

from plait.downloads.download import Patience
from plait.errors import ModelError
from plait.models.http import REST_S, HttpModel
from plait.types import Passage
from tools.attack import hostile_replies as hostile
from tools.attack.hostile_replies import SILENCE_S, Reply, serve

ONCE = Patience(attempts=1, pause_s=0.0, timeout_s=5.0)


def model_at(port: int, *, question_s: float = 5.0, patience: Patience | None = ONCE) -> HttpModel:
    return HttpModel(
        f"http://127.0.0.1:{port}/v1", "tiny", patience=patience, question_s=question_s
    )


def test_at_least_200_wrong_replies_are_refused_in_words_or_were_right() -> None:
    refused = tried = 0
    reply = Reply()
    with serve(reply) as port:
        for name, body in hostile.embedding_replies():
            reply.of(body)
            tried += 1
            try:
                made = model_at(port).questions(["a", "b"])
            except ModelError:
                refused += 1
            else:  # a part that nobody reads was wrong
                assert len(made) == 2, name

    assert tried >= 200
    assert refused > tried / 2


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("number", [1e308, -1e200, 0.0, 1e-320])
def test_vectors_without_a_length_are_refused_in_words(number: float) -> None:
    data = [{"index": at, "embedding": [one] * 64} for at, one in enumerate((0.5, number))]
    reply = Reply().of(json.dumps({"data": data}).encode())
    with serve(reply) as port, pytest.raises(ModelError, match=r"makes no sense: .* length"):
        model_at(port).questions(["a", "b"])


def test_what_is_hardly_http_is_refused_in_words() -> None:
    reply = Reply()
    with serve(reply) as port:
        for name, raw in hostile.raw_replies():
            reply.raw = raw
            made = None
            with suppress(ModelError):
                made = model_at(port, question_s=20.0).questions(["a", "b"])
            assert made is None or len(made) == 2, name


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(hangs=True), id="silent"),
        pytest.param(Reply(b"HTTP/1.1 200 OK\r\n", drip_s=0.2), id="drips-status"),
        pytest.param(Reply(b"HTTP/1.1 200 OK\r\nA: ", 0.05, endless=b"a"), id="drips-headers"),
        pytest.param(Reply(b"HTTP/1.1 200 OK\r\n\r\n", endless=b" ", drip_s=0.05), id="drips-body"),
        pytest.param(Reply(endless=b"HTTP/1.1 100 Continue\r\n\r\n", drip_s=0.01), id="continues"),
        pytest.param(
            Reply(b"HTTP/1.1 500 No\r\n\r\n", endless=b" ", drip_s=0.05), id="drips-refusal"
        ),
    ],
)
def test_a_server_that_takes_its_time_has_none_beyond_the_deadline(reply: Reply) -> None:
    """Each byte comes well within the timeout of a socket; all of them never do."""
    with serve(reply) as port:
        begun = time.monotonic()
        with pytest.raises(ModelError, match=r"no whole answer in 1 s"):
            model_at(port, question_s=1.0).questions(["a"])

        assert time.monotonic() - begun < SILENCE_S  # without a deadline it is at least that


def test_an_endless_body_ends() -> None:
    reply = Reply(b"HTTP/1.1 200 OK\r\n\r\n", endless=b" " * 65536)
    with serve(reply) as port, pytest.raises(ModelError, match="more than 800,000 bytes"):
        model_at(port, question_s=60.0).questions(["a"])


def test_a_server_that_failed_rests_before_it_is_asked_again() -> None:
    reply = Reply().of(b"", status=500)
    with serve(reply) as port:
        model = model_at(port)
        for _ in range(3):
            with pytest.raises(ModelError):
                model.questions(["a"])

    assert math.isclose(REST_S, 30.0)
    assert len(reply.asked) == 1


def test_less_time_is_shared_knowledge_and_less_time() -> None:
    reply = Reply(hangs=True)
    with serve(reply) as port:
        model = model_at(port, question_s=0.3)
        begun = time.monotonic()
        with pytest.raises(ModelError, match=r"no whole answer in 0\.5 s"):
            model.within(0.5).passages([Passage("a", "b")])
        with pytest.raises(ModelError, match=r"no whole answer in 0\.[35] s"):
            model.questions(["a"])

        assert time.monotonic() - begun < SILENCE_S
        assert len(reply.asked) == 1
