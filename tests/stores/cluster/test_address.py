"""Addresses of collections: what they may say, and that secrets never stand in them."""

from __future__ import annotations

import pytest

from plait.errors import SettingError
from plait.stores.cluster.address import Address


def parsed(text: str, **environ: str) -> Address:
    return Address.parse(text, {f"PLAIT_STORE_{name}": value for name, value in environ.items()})


def test_an_address_names_nodes_and_a_collection() -> None:
    address = parsed("opensearch://one:9201,two,[::1]:7/team_a-1")

    assert address.hosts == (("one", 9201), ("two", 9200), ("::1", 7))
    assert address.collection == "team_a-1"
    assert str(address) == "opensearch://one:9201,two:9200,::1:7/team_a-1"


def test_options_are_read() -> None:
    address = parsed("opensearch://one/c?shards=6&replicas=2&timeout=7&ca=/a/b.pem&tls=off")

    assert (address.shards, address.replicas, address.timeout_s) == (6, 2, 7)
    assert (address.ca, address.tls) == ("/a/b.pem", False)


@pytest.mark.parametrize(
    ("text", "tls"),
    [
        ("opensearch://localhost/c", False),
        ("opensearch://127.0.0.1:9200,[::1]/c", False),
        ("opensearch://search.example/c", True),
        ("opensearch://localhost,search.example/c", True),
        ("opensearch://localhost/c?tls=on", True),
        ("opensearch://search.example/c?tls=off", False),
    ],
)
def test_traffic_is_encrypted_unless_it_stays_here(text: str, tls: bool) -> None:
    assert parsed(text).tls is tls


def test_credentials_come_from_the_environment_and_are_never_shown() -> None:
    address = parsed(
        "opensearch://one/c", USER="somebody", PASSWORD="s3cret", API_KEY="k3y", CA="/ca.pem"
    )

    assert (address.user, address.password) == ("somebody", "s3cret")
    assert (address.api_key, address.ca) == ("k3y", "/ca.pem")
    for shown in (str(address), repr(address), f"{address}", f"{[address]}"):
        assert "s3cret" not in shown
        assert "k3y" not in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("http://one/c", "not the address of a store"),
        ("opensearch:///c", "not the address of a store"),
        ("one:9200/c", "not the address of a store"),
        ("opensearch://one", "not the name of a collection: ''"),
        ("opensearch://one/UPPER", "not the name of a collection: 'UPPER'"),
        ("opensearch://one/a/b", "not the name of a collection: 'a/b'"),
        ("opensearch://one/*", "not the name of a collection"),
        ("opensearch://one/a,b", "not the name of a collection"),
        ("opensearch://one/-a", "not the name of a collection"),
        ("opensearch://one/%2e%2e", "not the name of a collection: '..'"),
        (f"opensearch://one/{'a' * 64}", "not the name of a collection"),
        ("opensearch://one:port/c", "not a host and port: 'one:port'"),
        ("opensearch://one,,two/c", "not a host and port: ''"),
        ("opensearch://one:99999/c", "not a host and port"),
        ("opensearch://one/c?shards=0", "shards of a store is 1 to 1024, got '0'"),
        ("opensearch://one/c?shards=two", "got 'two'"),
        ("opensearch://one/c?replicas=-1", "replicas of a store is 0 to 10, got '-1'"),
        ("opensearch://one/c?timeout=0", "timeout of a store is 1 to 3600"),
        ("opensearch://one/c?tls=maybe", "tls is on or off, got 'maybe'"),
        ("opensearch://one/c?colour=red", "no such option of a store: 'colour'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(SettingError) as refused:
        parsed(text)
    assert said in str(refused.value)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(SettingError) as refused:
        parsed("opensearch://somebody:s3cret@one/c")

    assert "s3cret" not in str(refused.value)
    assert "PLAIT_STORE_PASSWORD" in refused.value.hint


@pytest.mark.parametrize(
    ("text", "secret", "said"),
    [
        ("opensearch://search.example/c?tls=off", "PASSWORD", "the password would go to search.ex"),
        ("opensearch://search.example/c?tls=off", "API_KEY", "the key would go to search.example"),
        ("opensearch://127.0.0.1,10.0.0.7/c?tls=off", "PASSWORD", "would go to 10.0.0.7 in the"),
        ("opensearch://node.localhost/c?tls=off", "PASSWORD", "would go to node.localhost in the"),
    ],
)
def test_a_secret_goes_to_another_machine_in_the_open_only_if_that_is_said(
    text: str, secret: str, said: str
) -> None:
    for allowed in ("", "0", "yes"):
        with pytest.raises(SettingError) as refused:
            parsed(text, **{secret: "s3cret", "ALLOW_CLEARTEXT": allowed})
        assert said in str(refused.value)
        assert "PLAIT_STORE_ALLOW_CLEARTEXT=1" in refused.value.hint
        assert "s3cret" not in f"{refused.value} {refused.value.hint}"

    assert parsed(text, **{secret: "s3cret", "ALLOW_CLEARTEXT": "1"}).tls is False
    assert parsed(text).tls is False
    assert parsed(text.replace("off", "on"), **{secret: "s3cret"}).tls is True


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "127.1"])
def test_a_secret_that_stays_here_needs_no_leave(host: str) -> None:
    assert parsed(f"opensearch://{host}/c", PASSWORD="s3cret").tls is False


def test_no_address_can_give_leave_itself() -> None:
    with pytest.raises(SettingError, match="no such option of a store"):
        parsed("opensearch://search.example/c?tls=off&allow_cleartext=1", PASSWORD="s3cret")
