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


@pytest.mark.parametrize(
    ("path", "tags"),
    [
        ("src/a.py", ()),
        ("src/latest.java", ()),
        ("contest.py", ()),
        ("tests/helper.py", ("test",)),
        ("src/test_a.py", ("test",)),
        ("pkg/a_test.go", ("test",)),
        ("web/a.spec.ts", ("test",)),
        ("src/FooTest.java", ("test",)),
        ("spec/a_spec.rb", ("test",)),
        ("web/__tests__/a.js", ("test",)),
        ("pkg/testdata/a.go", ("test",)),
        ("Src/UserTests.cs", ("test",)),
        ("vendor/x/a.go", ("vendored",)),
        ("third_party/x/tests/a.c", ("test", "vendored")),
        ("api/user_pb2.py", ("generated",)),
        ("api/user.pb.go", ("generated",)),
        ("README", ("documentation",)),
        ("SECURITY.md", ("documentation",)),
        ("INSTALL.txt", ("documentation",)),
        ("src/security.py", ()),
        ("lib/history.js", ()),
        ("docs/a.py", ("documentation",)),
        ("guide.rst", ("documentation",)),
    ],
)
def test_tags_follow_the_conventions_of_paths(path: str, tags: tuple[str, ...]) -> None:
    assert made(path).tags == tags


@pytest.mark.parametrize(
    ("head", "is_generated"),
    [
        ("// Code generated by protoc-gen-go. DO NOT EDIT.\n", True),
        ("# @generated by a tool\n", True),
        ("/*\n * This file was automatically generated by SWIG.\n */\n", True),
        ("<!-- DO NOT EDIT -->\n", True),
        ('MARK = "@generated"\n', False),
        ("// the token generated by the server\n", False),
        ("/* DO NOT ALTER OR REMOVE COPYRIGHT NOTICES */\n", False),
        ("x = 1\n" * 1000 + "# DO NOT EDIT\n", False),
    ],
)
def test_generated_code_says_so_in_a_comment_at_the_top(head: str, is_generated: bool) -> None:
    assert ("generated" in made("a.go", head.encode()).tags) is is_generated


def test_vendored_code_can_be_skipped() -> None:
    assert reason("vendor/a.go", selection=Selection(skip_vendored=True)) == "vendored"
    assert reason("vendor.go", selection=Selection(skip_vendored=True)) == "indexed"


def test_the_deny_list_is_lower_case(tmp_path: Path) -> None:
    from plait.sources import names

    assert all(key == key.lower() for table in (names.EXACT, names.BY_SUFFIX) for key in table)
