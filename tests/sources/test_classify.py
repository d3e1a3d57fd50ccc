"""What is read, as what, and why not."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.beneath import Refused
from plait.sources import Selection
from plait.sources.classify import as_utf8, classify
from plait.types import SourceFile

KEY = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIE\n" * 40 + "-----END RSA PRIVATE KEY-----\n"


def made(path: str, raw: bytes = b"x = 1\n", selection: Selection | None = None) -> SourceFile:
    return classify("repo", path, raw, selection or Selection())


def reason(path: str, raw: bytes = b"x = 1\n", selection: Selection | None = None) -> str:
    try:
        made(path, raw, selection)
    except Refused as refused:
        return refused.reason
    return "indexed"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.py", "indexed"),
        ("logo.PNG", "binary"),
        ("Cargo.lock", "generated"),
        ("web/package-lock.json", "generated"),
        ("app.js.map", "generated"),
        ("jquery.min.js", "minified"),
        ("admin.js", "indexed"),
        (".env", "secret"),
        (".env.production", "secret"),
        (".env.example", "indexed"),
        ("keys/server.pem", "secret"),
        ("ID_RSA", "secret"),
        ("id_rsa.pub", "indexed"),
        ("home/.aws/credentials", "secret"),
        ("home/.kube/config", "secret"),
        ("git/config", "indexed"),
        ("service-account-prod.json", "secret"),
        ("deploy/secrets.yaml", "secret"),
        ("credentials.py", "indexed"),
        ("environment.py", "indexed"),
    ],
)
def test_names_that_speak_for_themselves(path: str, expected: str) -> None:
    assert reason(path) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(b"", "empty", id="no-bytes"),
        pytest.param(b" \n\t\n", "empty", id="white-space"),
        pytest.param(b"\xef\xbb\xbf", "empty", id="only-a-mark"),
        pytest.param(b"ab\0cd", "binary", id="nul"),
        pytest.param(b"x" * 9000 + b"\0", "indexed", id="nul-far-behind"),
        pytest.param(bytes(range(128, 256)) * 4, "binary", id="high-bytes"),
        pytest.param(b"caf\xe9\x01\x02", "binary", id="controls"),
        pytest.param(b"\xff\xfea", "binary", id="half-a-utf-16-unit"),
        pytest.param(b"x" * (1 << 20), "indexed", id="just-fits"),
        pytest.param(b"x" * ((1 << 20) + 1), "oversized", id="one-too-many"),
        pytest.param(KEY.encode(), "secret", id="a-key"),
        pytest.param(b"# for tests\n" + KEY.encode(), "secret", id="a-key-with-a-comment"),
        pytest.param(KEY.encode() + b"assert sign()\n" * 90, "indexed", id="a-test-with-a-key"),
    ],
)
def test_content_that_speaks_for_itself(raw: bytes, expected: str) -> None:
    assert reason("a.txt", raw) == expected


def test_secrets_are_taken_only_when_asked_for() -> None:
    chosen = Selection(include_secrets=True)

    assert reason("server.pem", KEY.encode(), chosen) == "indexed"
    assert reason("archive.zip", b"x", chosen) == "binary"


def test_minified_scripts_are_told_from_scripts_with_one_long_line() -> None:
    lines = b"let answer = 42; // and a comment of ordinary length\n" * 100

    assert reason("a.js", b"x=1;" * 2000) == "minified"
    assert reason("a.js", lines + b"y" * 2000) == "indexed"
    assert reason("a.js", b"\n".join([b"//"] * 60) + b"y" * 9000) == "indexed"
    assert reason("a.js", b"\n".join([b"// licence"] * 20) + b"y" * 9000) == "minified"
    assert reason("a.py", b"x=1;" * 2000) == "indexed"
    assert reason("a.json", b'{"a":1}') == "indexed"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("naïve\r\n".encode(), "naïve\r\n", id="utf-8"),
        pytest.param("naïve\n".encode("utf-8-sig"), "naïve\n", id="utf-8-with-mark"),
        pytest.param("naïve\r\n".encode("utf-16"), "naïve\r\n", id="utf-16"),
        pytest.param(b"\xfe\xff" + "naïve".encode("utf-16-be"), "naïve", id="utf-16-big"),
        pytest.param("naïve €".encode("cp1252"), "naïve €", id="windows-1252"),
        pytest.param("naïve été ".encode() + b"\xff", "naïve été \ufffd", id="one-bad-byte"),
    ],
)
def test_any_encoding_becomes_utf8_and_keeps_its_line_ends(raw: bytes, text: str) -> None:
    file = made("a.txt", raw)

    assert file.content.decode() == text
    assert file.digest == hashlib.sha256(raw).hexdigest()[:32]


@given(st.binary(max_size=200))
def test_whatever_is_taken_is_utf8(raw: bytes) -> None:
    with suppress(Refused):
        as_utf8(raw).decode()


@given(st.text(min_size=1).filter(lambda text: "\0" not in text and text[0] != "\ufeff"))
def test_utf8_is_never_touched(text: str) -> None:
    assert as_utf8(text.encode()) == text.encode()


def test_a_file_carries_its_tags() -> None:
    assert made("src/a.py").tags == ()
    assert made("third_party/x/tests/a.c").tags == ("test", "vendored")


def test_vendored_code_can_be_skipped() -> None:
    assert reason("vendor/a.go", selection=Selection(skip_vendored=True)) == "vendored"
    assert reason("vendor.go", selection=Selection(skip_vendored=True)) == "indexed"


def test_the_deny_list_is_lower_case(tmp_path: Path) -> None:
    from plait.sources import names

    assert all(key == key.lower() for table in (names.EXACT, names.BY_SUFFIX) for key in table)
