"""Secrets within text: which are masked, which only look like one, and what masking leaves."""

from __future__ import annotations

import base64
import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.beneath import Refused
from plait.sources.classify import classify, digest_of
from plait.sources.secrets.masking import masked
from plait.sources.selection import Selection
from tools.attack.planted_secrets import KINDS, planted

TOKEN = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
PASSWORD = "Tr7!vq" + "Zp2#xW"
KEY_LINE = "MIIEpAIBAAKCAQEA7bq9Zx" + "Qm2vLr8sTk1wYp4NcUd6HgJf3R"
KEY_LINES = f"{KEY_LINE}\n" * 12
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}-----END RSA PRIVATE KEY-----\n"
CODE = "x = 1\n" * 9
NOT_SECRET = """
password = "xxxxxxxxxxxx"
password = "your-password-here"
token: <your-token>
api_key = "${API_KEY}"
API_KEY=changeme123
secret: {{ vault.secret }}
password = os.environ["DB_PASSWORD"]
token = request.headers.get("X-Auth-Token2")
token_url = "https://accounts.host/o/oauth2/token"
secretName: db-credentials-v2
"integrity": "sha512-9w3PYZ8hdLJbhCaH4GDUqLWmNgQSPnbzrLZ3bSWzM4pvNw4y6n5QmPzHh5gXyvB1sA=="
commit = "3b18e512dba79e4c8300dd08aeb37f8e728b8dad"
sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
id = "123e4567-e89b-12d3-a456-426614174000"
session_token = "123e4567-e89b-12d3-a456-426614174000"
PublicKeyToken=b77a5c561934e089
src = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7b1q9ZxQm2vLr8sTk1wYp4NcUd6HgJf3R user@host
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
password_field = "user_password_confirmation2"
tokenizer = "Salesforce/codet5p-220m-py2"
url = "https://user:password@host/path"
if line == "-----BEGIN RSA PRIVATE KEY-----": return "-----END RSA PRIVATE KEY-----"
assert isPasswordValid("correct", "wrong_password1")
""".strip().split("\n")


def shown(text: str) -> str:
    return masked(text.encode()).text.decode()


def test_at_least_95_of_100_planted_secrets_of_more_than_20_kinds_are_masked() -> None:
    assert len(KINDS) >= 20
    for seed in (1, 2):
        secrets = planted(300, seed)
        leaked = [one for one in secrets if one.secret in shown(f"x = 1\n{one.text}\ny = 2\n")]

        assert len(leaked) <= 0.05 * len(secrets), leaked


@pytest.mark.parametrize("line", NOT_SECRET)
def test_what_only_looks_like_a_secret_stays(line: str) -> None:
    assert shown(line) == line


def test_a_long_key_is_masked_whatever_signs_it_happens_to_hold() -> None:
    secrets = [one for one in planted(len(KINDS) * 100, 7) if one.kind == "app secret"]
    leaked = [one for one in secrets if one.secret in shown(f"x = 1\n{one.text}\ny = 2\n")]

    assert len(leaked) <= 0.05 * len(secrets), leaked[:5]


LONG = base64.b64encode(random.Random(7).randbytes(6_000)).decode()
TOKEN = "ghp" + "_" + "kQ7vZ1mX9sTb4RyW2nLc8HfGd5JpAe3UoVi6"


@pytest.mark.parametrize(
    "line",
    [
        f"client-key-data: {LONG[:2_000]}",  # longer than what is judged
        f"export API_TOKEN={LONG[:1_000]}",
        f'private_key = "{LONG}"',
        f'"cloning with\\n{TOKEN}\\ndone"',  # behind an escape
        f"redirect?token%3D{TOKEN}",
        "tls.key: "
        + base64.b64encode(f"-----BEGIN RSA PRIVATE KEY-----\n{LONG[:800]}".encode()).decode(),
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{LONG * 3}\n-----END PGP PRIVATE KEY BLOCK-----",
        f"-----BEGIN PRIVATE KEY-----\n# ----- mine\n{LONG[:800]}\n-----END PRIVATE KEY-----",
    ],
    ids=lambda line: line[:24],
)
def test_a_secret_is_masked_to_its_end(line: str) -> None:
    found = masked(line.encode()).text.decode()

    assert TOKEN not in found
    assert not re.search(r"[A-Za-z0-9+/]{48}", found)


def test_certificates_and_public_keys_stay() -> None:
    for label in ("CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY"):
        block = KEY.replace("RSA PRIVATE KEY", label)

        assert shown(block) == block


@pytest.mark.parametrize("name", ["a.py", "b.yaml", "c.txt"])
def test_masking_keeps_every_place(name: str) -> None:
    text = f'before = 1\r\npassword = "{PASSWORD}"  # é\nafter("{TOKEN}")\n' + CODE
    after = masked(text.encode())

    assert [len(line) for line in after.text.split(b"\n")] == [
        len(line) for line in text.encode().split(b"\n")
    ]
    assert after.text.decode() == text.replace(PASSWORD, "*" * len(PASSWORD)).replace(
        TOKEN, "*" * len(TOKEN)
    )
    assert len(after.secrets) == 2


def test_a_key_in_code_keeps_its_quotes_and_escapes() -> None:
    text = 'KEY = "' + KEY.replace("\n", "\\n") + '"\nuse(KEY)\n'

    assert shown(text) == text.replace(KEY_LINE, "*" * len(KEY_LINE))


@given(st.binary(max_size=300))
def test_any_text_keeps_its_length_and_lines(text: bytes) -> None:
    after = masked(text).text

    assert len(after) == len(text)
    assert [len(line) for line in after.split(b"\n")] == [len(line) for line in text.split(b"\n")]


@pytest.mark.parametrize(
    "piece",
    [
        "token ",
        "tokentoken",
        "password=",
        "SK00000000",
        "-----BEGIN PRIVATE KEY-----",
        "://a:b",
        "secret' ",
        'token="abcdefg1',
        "Bearer abcdefghijkl ",
        "--token a1b2c3d4e5 ",
        ".abcdef.",
        "eyJabcdefghijk.",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    text = (piece * (1 + 200_000 // len(piece))).encode()
    begin = time.process_time()
    masked(text)

    assert time.process_time() - begin < 4


def test_a_masked_file_says_so_and_its_digest_gives_nothing_away() -> None:
    raw = f'password = "{PASSWORD}"\n'.encode() + b"x = 1\n" * 20
    other = raw.replace(PASSWORD.encode(), PASSWORD[::-1].encode())
    file = classify("repo", "a.py", raw, Selection())

    assert file.masked == 1
    assert PASSWORD.encode() not in file.content
    assert file.digest not in (digest_of(raw), digest_of(file.content))
    assert file.digest == classify("repo", "a.py", other, Selection()).digest


def test_the_owner_can_see_everything() -> None:
    raw = f'password = "{PASSWORD}"\n'.encode()
    file = classify("repo", "a.txt", raw, Selection(include_secrets=True))

    assert (file.content, file.digest, file.masked) == (raw, digest_of(raw), 0)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deploy/key.txt", KEY),
        ("notes", f"# for staging\nDB_PASSWORD={PASSWORD}\nAPI_TOKEN={TOKEN}\nDEBUG=1\n"),
        ("token.text", f"{TOKEN}\n"),
        ("putty.txt", "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n" + f"{KEY_LINE}\n" * 3),
    ],
)
def test_a_file_that_is_all_secret_is_left_out(path: str, text: str) -> None:
    with pytest.raises(Refused) as refused:
        classify("repo", path, text.encode(), Selection())

    assert refused.value.reason == "secret"


def test_utf16_is_masked_too() -> None:
    raw = f'$password = "{PASSWORD}"\r\n{CODE}'.encode("utf-16")

    assert PASSWORD.encode() not in classify("repo", "a.ps1", raw, Selection()).content


def test_basic_headers_are_masked_by_what_they_say() -> None:
    said = base64.b64encode(f"svc:{PASSWORD}".encode()).decode()

    assert shown(f"Authorization: Basic {said}\n") == f"Authorization: Basic {'*' * len(said)}\n"
