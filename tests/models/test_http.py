"""The HTTP model against a real server: what is sent, what is believed, what is refused."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy
import pytest

from plait.downloads.download import Patience
from plait.errors import ModelError
from plait.models.choose import open_model
from plait.models.http import BATCH_CHARACTERS, BATCH_TEXTS, TEXT_CHARACTERS, HttpModel
from plait.types import Passage, Vectors
from tests.models.endpoint import LENGTH, Endpoint, vector_of, well

BRISK = Patience(attempts=3, pause_s=0.01, timeout_s=5.0)
SECRET = "sk-verysecret"


def open_at(endpoint: Endpoint, **options: Any) -> HttpModel:
    return HttpModel(endpoint.url, "tiny", **{"patience": BRISK, **options})


def rows(vectors: Vectors) -> Any:
    return numpy.frombuffer(vectors.data, dtype="<f4").reshape(-1, vectors.dimension)


def unit(text: str) -> Any:
    vector = numpy.array(vector_of(text))
    return pytest.approx(vector / numpy.linalg.norm(vector), abs=1e-6)


def test_vectors_come_in_the_order_of_the_texts_whatever_the_server_does(
    endpoint: Endpoint,
) -> None:
    texts = ["a", "bb", "ccc"]
    made = rows(open_at(endpoint).questions(texts))

    assert [row[:LENGTH] == unit(text) for row, text in zip(made, texts, strict=True)] == [True] * 3
    assert made.shape == (3, 128)
    assert not made[:, LENGTH:].any()
    assert endpoint.asked == [
        {"model": "tiny", "input": texts, "encoding_format": "float", "path": "/v1/embeddings"}
    ]


def test_a_passage_is_sent_under_the_words_of_its_name(endpoint: Endpoint) -> None:
    open_at(endpoint).passages([Passage("getUser", "return 1"), Passage("", "x = 2")])

    assert endpoint.asked[0]["input"] == ["get User\nreturn 1", "x = 2"]


def test_the_dimension_is_found_by_asking_once_and_only_if_nothing_was_asked(
    endpoint: Endpoint,
) -> None:
    model = open_at(endpoint)

    assert (model.dimension, model.dimension, len(model.digest)) == (128, 128, 32)
    assert len(endpoint.asked) == 1
    other = open_at(endpoint)
    other.questions(["x"])
    assert other.digest == model.digest
    assert len(endpoint.asked) == 2


def test_the_digest_tells_models_addresses_and_lengths_apart(endpoint: Endpoint) -> None:
    first = open_at(endpoint).digest
    renamed = HttpModel(endpoint.url, "other", patience=BRISK).digest
    moved = HttpModel(f"{endpoint.url}/", "tiny", patience=BRISK).digest
    keyed = open_at(endpoint, api_key=SECRET).digest
    endpoint.answers = lambda asked: {
        "data": [{"index": n, "embedding": [1.0, 2.0]} for n, _ in enumerate(asked["input"])]
    }

    assert first == moved == keyed != renamed
    assert open_at(endpoint).digest not in (first, renamed)


def test_batches_are_bounded_by_count_and_by_characters(endpoint: Endpoint) -> None:
    model = open_at(endpoint)
    assert len(model.questions(["x"] * (BATCH_TEXTS + 1))) == BATCH_TEXTS + 1
    assert [len(asked["input"]) for asked in endpoint.asked] == [BATCH_TEXTS, 1]
    endpoint.asked.clear()
    model.questions(["x" * (2 * TEXT_CHARACTERS)] * 20)

    assert len(endpoint.asked) > 1
    for asked in endpoint.asked:
        assert sum(map(len, asked["input"])) <= BATCH_CHARACTERS
        assert {len(text) for text in asked["input"]} == {TEXT_CHARACTERS}


def test_no_texts_ask_for_nothing_and_an_empty_one_is_sent_as_a_blank(endpoint: Endpoint) -> None:
    model = open_at(endpoint)
    model.questions([""])

    assert endpoint.asked[0]["input"] == [" "]
    assert len(model.questions([])) == 0
    assert len(endpoint.asked) == 1


# ---------------------------------------------------------------- failures that may pass


def test_a_server_that_is_busy_is_asked_again_after_the_pause_it_wants(endpoint: Endpoint) -> None:
    endpoint.refusals = [(429, {"Retry-After": "1"}, b""), (503, {}, b"")]
    begun = time.monotonic()

    assert len(open_at(endpoint).questions(["a"])) == 1
    assert len(endpoint.asked) == 3
    assert time.monotonic() - begun >= 1


def test_a_pause_beyond_the_budget_is_not_kept(endpoint: Endpoint) -> None:
    endpoint.refusals = [(429, {"Retry-After": "25"}, b'{"error": {"message": "slow down"}}')]
    begun = time.monotonic()
    with pytest.raises(ModelError, match=r"tried once: .*429 .*slow down"):
        open_at(endpoint, budget_s=2.0).questions(["a"])

    assert time.monotonic() - begun < 25  # the pause it was told to make


def test_a_server_that_stays_broken_is_given_up(endpoint: Endpoint) -> None:
    endpoint.refusals = [(500, {}, b"")] * 9
    with pytest.raises(ModelError, match="tried 3 times"):
        open_at(endpoint).questions(["a"])

    assert len(endpoint.asked) == 3


def test_a_server_that_hangs_is_given_up(endpoint: Endpoint) -> None:
    endpoint.silence_s = 120.0
    begun = time.monotonic()
    with pytest.raises(ModelError, match=r"nothing came for 0\.2 s"):
        open_at(endpoint, patience=Patience(1, 0.01, 0.2)).questions(["a"])

    assert time.monotonic() - begun < endpoint.silence_s


def test_an_address_nobody_listens_at(endpoint: Endpoint) -> None:
    model = HttpModel("http://127.0.0.1:1/v1", "tiny", patience=Patience(1, 0.01, 2.0))
    with pytest.raises(ModelError, match="refuses the connection") as caught:
        model.questions(["a"])

    assert "server running" in caught.value.hint


# ---------------------------------------------------------------- answers that are not believed


def broken(change: Any) -> Any:
    """A right answer, changed."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        made = well(asked)
        change(made["data"])
        return made

    return answer


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.pop(), "1 vectors came for 2 texts"),
        (lambda data: data.append(data[0] | {"index": 2}), "3 vectors came for 2 texts"),
        (lambda data: data[0].update(index=0), "one came twice"),
        (lambda data: data[0].pop("embedding"), "it has no 'embedding'"),
        (lambda data: data[0].update(embedding=[1.0]), "makes no sense"),
        (lambda data: data[0].update(embedding="text"), "makes no sense"),
        (lambda data: [item.update(embedding=[]) for item in data], "not of one length"),
        (lambda data: data[0]["embedding"].__setitem__(3, float("nan")), "number that is none"),
        (lambda data: data[0]["embedding"].__setitem__(3, float("inf")), "number that is none"),
        (lambda data: data[0]["embedding"].__setitem__(3, "a"), "makes no sense"),
    ],
)
def test_an_answer_that_cannot_be_right_is_refused(
    endpoint: Endpoint, change: Any, words: str
) -> None:
    endpoint.answers = broken(change)

    with pytest.raises(ModelError, match=words):
        open_at(endpoint).questions(["a", "b"])


@pytest.mark.parametrize("raw", [b"<html>a proxy</html>", b"", b"[]", b'{"data": 5}', b"\xff"])
def test_what_is_no_answer_at_all_is_refused(endpoint: Endpoint, raw: bytes) -> None:
    endpoint.raw = raw

    with pytest.raises(ModelError, match="makes no sense"):
        open_at(endpoint).questions(["a"])


def test_a_length_that_changes_is_refused(endpoint: Endpoint) -> None:
    model = open_at(endpoint)
    model.questions(["a"])
    endpoint.answers = broken(lambda data: data[0].update(embedding=[1.0, 2.0]))

    with pytest.raises(ModelError, match=r"vectors of 2 numbers, before of 96"):
        model.questions(["a"])


def test_a_refusal_is_told_with_the_servers_own_words(endpoint: Endpoint) -> None:
    body = json.dumps({"error": {"message": "model 'tiny' not found, try pulling it first"}})
    endpoint.refusals = [(404, {}, body.encode())]
    with pytest.raises(ModelError, match=r"\(404\): model 'tiny' not found, try pulling it first"):
        open_at(endpoint).questions(["a"])

    assert len(endpoint.asked) == 1


# ---------------------------------------------------------------- the key


def test_the_key_is_sent_and_never_shown(endpoint: Endpoint) -> None:
    model = open_at(endpoint, api_key=SECRET)
    model.questions(["a"])
    assert endpoint.keys == [f"Bearer {SECRET}"]
    endpoint.refusals = [(401, {}, f'{{"error": "no such key: {SECRET}"}}'.encode())]
    with pytest.raises(ModelError, match=r"no such key: \[key\]") as caught:
        model.questions(["a"])

    shown = f"{caught.value!r} {caught.value.hint} {caught.value.__context__!r} {model!r}"
    assert caught.value.__suppress_context__
    assert SECRET not in str(caught.value)
    assert SECRET not in f"{model!r} {model.name}"
    assert "wants a login" in shown


def test_a_redirect_does_not_carry_the_key_away(endpoint: Endpoint) -> None:
    endpoint.refusals = [(code, {"Location": "http://elsewhere.invalid/"}, b"") for code in (302,)]
    with pytest.raises(ModelError, match="what is posted is not sent elsewhere"):
        open_at(endpoint, api_key=SECRET).questions(["a"])

    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("url", "model", "key", "words"),
    [
        ("http://gpu.example/v1", "m", SECRET, "key would go to gpu.example in the open"),
        ("https://user:word@gpu.example/v1", "m", "", "holds a password"),
        ("https://gpu.example/v1", "", "", "needs the name of a model"),
        ("https:///v1", "m", "", "is not the address"),
        ("ftp://gpu.example/v1", "m", "", "is not the address"),
        ("https://gpu.example/v1", "m", "sk\r\nX-Evil: 1", "cannot be sent"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_sent(
    url: str, model: str, key: str, words: str
) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        HttpModel(url, model, api_key=key)

    assert "word" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize(
    ("url", "key", "allowed", "is_refused"),
    [
        ("http://gpu.example/v1", SECRET, "", True),
        ("http://gpu.example/v1", SECRET, "true", True),
        ("http://gpu.localhost/v1", SECRET, "", True),
        ("http://10.0.0.7/v1", SECRET, "", True),
        ("http://gpu.example/v1", SECRET, "1", False),
        ("http://gpu.example/v1", "", "", False),
        ("https://gpu.example/v1", SECRET, "", False),
        ("http://127.0.0.1:8080/v1", SECRET, "", False),
        ("http://[::1]/v1", SECRET, "", False),
    ],
)
def test_a_key_goes_to_another_machine_in_the_open_only_if_that_is_said(
    url: str, key: str, allowed: str, is_refused: bool
) -> None:
    environment = {"PLAIT_MODEL_KEY": key, "PLAIT_MODEL_ALLOW_CLEARTEXT": allowed}
    if not is_refused:
        assert open_model(f"{url}#m", Path("nowhere"), environment).name.startswith("m at ")
        return
    with pytest.raises(ModelError, match="in the open") as caught:
        open_model(f"{url}#m", Path("nowhere"), environment)

    assert "PLAIT_MODEL_ALLOW_CLEARTEXT=1" in caught.value.hint
    assert SECRET not in f"{caught.value} {caught.value.hint}"
