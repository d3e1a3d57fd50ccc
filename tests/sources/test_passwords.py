"""Passwords that people make up: where they are masked, and what in their place is none."""

from __future__ import annotations

import pytest

from plait.sources.classify import classify
from plait.sources.secrets.masking import masked
from plait.sources.selection import Selection

# Put together here, so that a search for secrets in this repository finds none.
WORDS, SEASON, WEATHER, DAYS = (
    "bluewhale" + "42go",
    "Winter" + "2023",
    "Sun" + "shine99",
    "Mon-Day7x",
)
PLAIN, FAMOUS = "sun" + "shine", "hunter" + "22pass"
KEY_LINE = "MIIEpAIBAAKCAQEA7bq9Zx" + "Qm2vLr8sTk1wYp4NcUd6HgJf3R"
KEY_LINES = f"{KEY_LINE}\n" * 12
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}-----END RSA PRIVATE KEY-----"

BEHIND_NAMES = [
    (f'DB_PASSWORD = "{WORDS}"', WORDS),
    (f"smtp_password: {WEATHER}", WEATHER),
    (f"  POSTGRES_PASSWORD: {WEATHER}\n", WEATHER),
    (f'REDIS_PASSWORD: "{FAMOUS}"', FAMOUS),
    (f"A_PASSWORD={SEASON}", SEASON),
    (f"export PGPASSWORD={SEASON}\n", SEASON),
    (f"PGPASSWORD={SEASON} psql -h db", SEASON),
    (f"- MYSQL_ROOT_PASSWORD={SEASON}\n", SEASON),
    (f"spring.datasource.password = {SEASON}\n", SEASON),
    ("pwd=" + "abc12345", "abc12345"),
    (f"Server=db;Uid=sa;Pwd={SEASON};Timeout=3", SEASON),
    (f'db_password = "{DAYS}"', DAYS),
    (f"<password>{SEASON}</password>", SEASON),
    (f"define('DB_PASSWORD', '{WORDS}');", WORDS),
    (f'const dbPassword string = "{WORDS}"', WORDS),
    (f'user.setPassword("{WORDS}")', WORDS),
    (f"CREATE USER x IDENTIFIED BY '{WORDS}'", WORDS),
    (f"CLIENT_SECRET={WORDS}", WORDS),
]
IN_ADDRESSES_AND_COMMANDS = [
    f"postgres://app:{PLAIN}@db/shop",
    f"redis://:{PLAIN}@cache",
    f"amqp://app:{PLAIN}@x@host/",
    f"mysql -u root -p{PLAIN} shop",
    f"mysql -h db -u root -p'{PLAIN}' shop",
    f"mysqldump -p{PLAIN} shop",
    f"sshpass -p {PLAIN} ssh a@b",
    f"sshpass -p '{PLAIN}' ssh a@b",
]
NONE = [
    *(
        f"https://user:{word}@host/path"
        for word in "password pass secret user xxx *** <pw> ${PW} {pw} %s $PASS changeme example "
        "YOUR_PASSWORD your-password".split()
    ),
    "mysql -u root -p shop",
    "mysql -u root -p$PASS shop",
    'mysql -u root -p"${PASS}" shop',
    'sshpass -p "$PW" ssh a@b',
    "password = get_password2(x)",
    "password = user_pass2",
    "password = settings.password1",
    "f(pwd=abc12345x, b)",
    "pwd = sha256sum",
    "password: String255(x)",
    'password = "correcthorse"',
    "DB_PASSWORD=/run/secrets/db1",
    "DB_PASSWORD=${DB_PASSWORD1}",
    'password = hashlib.sha256("abcdefg1")',
    '<label for="password" id="input-field2">',
    "secret: db-credentials-v2",
    "password = value1234 if x else y",
    "you can pass `__ENV__/0` as an argument",
]


def shown(text: str) -> str:
    return masked(text.encode()).text.decode()


@pytest.mark.parametrize(("text", "password"), BEHIND_NAMES)
def test_letters_and_digits_behind_a_name_that_ends_in_password_are_masked(
    text: str, password: str
) -> None:
    assert shown(text) == text.replace(password, "*" * len(password))


@pytest.mark.parametrize("text", IN_ADDRESSES_AND_COMMANDS)
def test_a_password_in_an_address_or_a_command_is_masked_whatever_it_looks_like(text: str) -> None:
    assert PLAIN not in shown(text)
    assert len(shown(text)) == len(text)


@pytest.mark.parametrize("text", NONE)
def test_placeholders_names_and_code_are_no_passwords(text: str) -> None:
    assert shown(text) == text


def test_code_that_embeds_a_key_is_masked_and_not_left_out() -> None:
    code = f"package a\n\nconst key = `{KEY}`\n\nfunc Key() string {{ return key }}\n"
    file = classify("repo", "a.go", code.encode(), Selection())

    assert file.masked == 1
    assert b"func Key()" in file.content
    assert KEY_LINE.encode() not in file.content
