"""Proxies of the environment: whom they never get to see, and who is told of them."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from plait.downloads import telling
from plait.downloads.download import Patience
from plait.downloads.loopback import is_loopback, is_this_machine
from plait.downloads.page import page
from plait.downloads.proxies import proxy_for
from plait.downloads.transport import ask
from plait.errors import DownloadError, ModelError
from plait.models.http import HttpModel
from tests.models.endpoint import answering
from tools.attack.hostile_replies import Reply, embeddings, serve

VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
ONCE = Patience(attempts=1, timeout_s=5.0)
SECRET = "sk-verysecret"


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def told() -> Iterator[list[str]]:
    heard: list[str] = []
    telling.listen(heard.append)
    yield heard
    telling.listen(lambda _: None)


@pytest.fixture
def proxy() -> Iterator[tuple[Reply, str]]:
    """A real one that notes what it gets, and its address with a password in it."""
    reply = Reply().of(b"from the proxy")
    with serve(reply) as port:
        yield reply, f"http://user:pa55@127.0.0.1:{port}"


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "127.9.9.9"])
def test_what_is_for_this_machine_is_not_shown_to_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
    proxy: tuple[Reply, str],
    told: list[str],
    name: str,
    host: str,
) -> None:
    monkeypatch.setenv(name, proxy[1])
    reply = Reply().of(b"from here")
    with serve(reply) as port:
        try:
            assert page(f"http://{host}:{port}/", patience=ONCE) == b"from here"
        except DownloadError:
            assert host == "127.9.9.9"  # the server listens at one address only

    assert proxy[0].asked == []
    assert told == []


def test_code_and_key_go_to_the_endpoint_on_this_machine_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, proxy: tuple[Reply, str]
) -> None:
    for name in ("http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy[1])
    with answering() as endpoint:
        HttpModel(endpoint.url, "tiny", api_key=SECRET).questions(["my secret code"])

        assert endpoint.keys == [f"Bearer {SECRET}"]
    assert proxy[0].asked == []


def test_another_host_is_asked_through_the_proxy_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch, proxy: tuple[Reply, str], told: list[str]
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy[1])
    for _ in range(3):
        assert page("http://code.example/v1", patience=ONCE) == b"from the proxy"

    shown = proxy[1].rpartition("@")[2]
    assert told == [f"code.example is asked through the proxy {shown}, as the environment says"]
    assert all(one.startswith(b"GET http://code.example/v1 ") for one in proxy[0].asked)
    assert "pa55" not in told[0]


def test_what_is_encrypted_stays_so_within_the_proxy(
    monkeypatch: pytest.MonkeyPatch, proxy: tuple[Reply, str], told: list[str]
) -> None:
    monkeypatch.setenv("https_proxy", proxy[1])
    proxy[0].of(b"", status=502)
    model = HttpModel("https://model.example/v1", "tiny", api_key=SECRET, patience=ONCE)
    with pytest.raises(ModelError):
        model.questions(["my secret code"])

    assert len(told) == 1
    assert all(one.startswith(b"CONNECT model.example:443 ") for one in proxy[0].asked)
    assert SECRET.encode() not in b"".join(proxy[0].asked)


def test_no_proxy_is_honoured_and_a_kind_that_cannot_be_asked_is_refused(
    monkeypatch: pytest.MonkeyPatch, told: list[str]
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    monkeypatch.setenv("NO_PROXY", "near.example")

    assert proxy_for("https://near.example/v1") == ""
    with pytest.raises(DownloadError, match=r"far\.example is of a kind .* socks5"):
        proxy_for("https://far.example/v1")
    assert told == []


@pytest.mark.parametrize(
    "host",
    "localhost LOCALHOST. 127.0.0.1 127.1 2130706433 0x7f.1 ::1 [::1] ::ffff:127.0.0.1 ::".split(),
)
def test_spellings_of_this_machine(host: str) -> None:
    assert is_this_machine(host)
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["localhost.example", "127.0.0.1.example", "128.0.0.1", "10.0.0.1", "::2", "", "1.2.3"]
)
def test_what_is_not_this_machine(host: str) -> None:
    assert not is_loopback(host)


def test_a_name_below_localhost_is_no_reason_to_ask_a_proxy_nor_to_send_a_secret() -> None:
    assert is_loopback("model.localhost")
    assert not is_this_machine("model.localhost")


def test_a_redirect_takes_no_key_to_another_host() -> None:
    second = Reply().of(b"there")
    with serve(second) as port:
        first = Reply(f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/\r\n\r\n".encode())
        with serve(first) as other:
            secret = {"Authorization": f"Bearer {SECRET}", "Cookie": SECRET}
            with ask(f"http://127.0.0.1:{other}/", secret, 5.0) as response:
                assert response.read() == b"there"

    assert SECRET.encode() in first.asked[0]
    assert SECRET.encode() not in second.asked[0]


def test_a_redirect_from_the_proxy_to_this_machine_does_not_take_the_proxys_password_along(
    monkeypatch: pytest.MonkeyPatch, proxy: tuple[Reply, str]
) -> None:
    monkeypatch.setenv("http_proxy", proxy[1])
    here = Reply().of(b"here")
    with serve(here) as port:
        to = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/\r\n\r\n"
        proxy[0].raw = to.encode()
        assert page("http://code.example/", patience=ONCE) == b"here"

    assert b"proxy-authorization" in proxy[0].asked[0].lower()
    assert b"proxy-authorization" not in here.asked[0].lower()


def test_the_client_of_a_cluster_asks_no_proxy(
    monkeypatch: pytest.MonkeyPatch, proxy: tuple[Reply, str]
) -> None:
    pytest.importorskip("opensearchpy")
    from plait.stores.cluster.address import Address
    from plait.stores.cluster.connection import Connection

    for name in VARIABLES[:3]:
        monkeypatch.setenv(name, proxy[1])
        monkeypatch.setenv(name.upper(), proxy[1])
    here = Reply().of(b"{}")
    with serve(here) as port:
        connection = Connection(Address((("127.0.0.1", port),), "team", user="u", password=SECRET))
        connection.ask("GET", "/")
        connection.close()

    assert len(here.asked) == 1
    assert proxy[0].asked == []


def test_a_name_that_is_resolved_by_nobody_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver that waits is the one thing no timeout of a socket ends."""
    import threading

    hang = threading.Event()
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: hang.wait(30) or real("127.0.0.1", *rest, **more),
    )
    with pytest.raises(DownloadError, match=r"no whole answer in 0\.3 s"):
        page("http://slow.example/", patience=ONCE, budget_s=0.3)
    hang.set()


def test_the_vectors_of_a_right_reply_are_taken() -> None:
    """The server of these tests can also say what is right."""
    import json

    with serve(Reply().of(json.dumps(embeddings(1, 3)).encode())) as port:
        assert len(HttpModel(f"http://127.0.0.1:{port}", "tiny").questions(["a"])) == 1
