"""Planted secrets: made up from a seed, written into code as people write them.

None of them opens anything, and none stands here: they are put together when asked for. A kind
is how a secret looks; a place is how a language writes it down.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
DIGITS = "0123456789"
WORDS = LOWER + UPPER + DIGITS
BASE64 = WORDS + "+/"
URL_SAFE = WORDS + "_-"
HEX = DIGITS + "abcdef"
SIGNS = "!#%&*+-.:=?@^_~"

Make = Callable[[random.Random], str]


class Planted(NamedTuple):
    """A secret and the text it stands in."""

    kind: str
    secret: str  # what must not be found; of a key block, one of its lines
    text: str  # a line or several, without the last line break
    suffix: str  # of the files it is at home in


def drawn(alphabet: str, count: int) -> Make:
    """So many characters of an alphabet."""
    return lambda rng: "".join(rng.choices(alphabet, k=count))


def marked(mark: str, alphabet: str, count: int) -> Make:
    """The same behind a mark."""
    return lambda rng: mark + "".join(rng.choices(alphabet, k=count))


def joined(*parts: Make, by: str) -> Make:
    """Several of them with something between."""
    return lambda rng: by.join(part(rng) for part in parts)


def web_token(rng: random.Random) -> str:
    """A JSON web token."""

    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head, claims = {"alg": "HS256", "typ": "JWT"}, {"sub": str(rng.randrange(10**9)), "adm": True}
    return ".".join((part(head), part(claims), drawn(URL_SAFE, 43)(rng)))


def password(rng: random.Random) -> str:
    """As a password manager draws them."""
    size = rng.randint(12, 24)
    drawn_ = [rng.choice(part) for part in (LOWER, UPPER, DIGITS, SIGNS)]
    drawn_ += rng.choices(WORDS + SIGNS, k=size - 4)
    rng.shuffle(drawn_)
    return "".join(drawn_)


def made_up_password(rng: random.Random) -> str:
    """As people make them up to please a rule."""
    words = "Summer Dragon Berlin Monkey Falcon Coffee Purple Winter Thunder Orange".split()
    return (
        rng.choice(words)
        + str(rng.randint(1970, 2029))
        + rng.choice("!?#@*")
        + rng.choice(["", "x", "Qa", "9k"])
    )


def basic(rng: random.Random) -> str:
    """The credentials of HTTP's basic authentication."""
    return base64.b64encode(f"svc-{drawn(LOWER, 5)(rng)}:{password(rng)}".encode()).decode()


# Known wherever they stand.
TOKENS: dict[str, Make] = {
    "aws key": marked("AK" + "IA", UPPER + "234567", 16),
    "gcp key": marked("AI" + "za", URL_SAFE, 35),
    "gcp client secret": marked("GOC" + "SPX-", URL_SAFE, 28),
    "azure client secret": joined(drawn(WORDS, 3), drawn(WORDS, 34), by="8" + "Q~"),
    "github token": marked("gh" + "p_", WORDS, 36),
    "github fine token": joined(marked("github" + "_pat_", WORDS, 22), drawn(WORDS, 59), by="_"),
    "gitlab token": marked("gl" + "pat-", URL_SAFE, 20),
    "slack token": lambda rng: "-".join(
        ("xo" + "xb", drawn(DIGITS, 12)(rng), drawn(DIGITS, 12)(rng), drawn(WORDS, 24)(rng))
    ),
    "slack hook": lambda rng: (
        "hooks."
        "slack.com/services/"
        + "/".join(
            (
                "T" + drawn(UPPER + DIGITS, 8)(rng),
                "B" + drawn(UPPER + DIGITS, 8)(rng),
                drawn(WORDS, 24)(rng),
            )
        )
    ),
    "stripe key": marked("sk" + "_live_", WORDS, 24),
    "npm token": marked("np" + "m_", WORDS, 36),
    "pypi token": marked("py" + "pi-AgEIcHlwaS5vcmc", URL_SAFE, 120),
    "openai key": marked("s" + "k-proj-", URL_SAFE, 120),
    "anthropic key": marked("s" + "k-ant-api03-", URL_SAFE, 93),
    "sendgrid key": joined(marked("S" + "G.", URL_SAFE, 22), drawn(URL_SAFE, 43), by="."),
    "twilio key": marked("S" + "K", HEX, 32),
    "hugging face token": marked("h" + "f_", WORDS, 34),
    "digitalocean token": marked("do" + "p_v1_", HEX, 64),
    "shopify token": marked("shp" + "at_", HEX, 32),
    "telegram token": joined(drawn("123456789", 9), marked("A" + "A", URL_SAFE, 33), by=":"),
    "vault token": marked("hv" + "s.", URL_SAFE, 90),
    "databricks token": marked("da" + "pi", HEX, 32),
    "docker token": marked("dckr" + "_pat_", URL_SAFE, 27),
    "web token": web_token,
}
# Known by what they are called: the names they go by.
NAMED: dict[str, tuple[Make, str]] = {
    "aws secret": (drawn(BASE64, 40), "aws_secret_access_key secretAccessKey AWS_SECRET_KEY"),
    "hex api key": (drawn(HEX, 32), "api_key apiKey SERVICE_API_KEY twilio_auth_token"),
    "hex secret": (drawn(HEX, 64), "signing_secret clientSecret SESSION_SECRET encryption_key"),
    "token": (drawn(WORDS, 32), "access_token authToken DEPLOY_TOKEN refresh_token"),
    "app secret": (drawn(LOWER + DIGITS + "!@#%^&*(-_=+)", 50), "SECRET_KEY app_secret"),
    "password": (password, "password db_password dbPassword ADMIN_PASSWORD smtp_pwd passphrase"),
    "made-up password": (made_up_password, "password DB_PASSWORD userPassword root_passwd"),
}
# Whole lines, for any kind of file.
WRITTEN: dict[str, tuple[Make, Sequence[str]]] = {
    "database address": (
        lambda rng: password(rng).translate(str.maketrans("@:#?&", "xyzuv")),
        (
            "postgres" + "://shop:{}@db.internal:5432/orders",
            "mongodb" + "+srv://app:{}@cluster0.mongodb.net/main",
            "amqp" + "://worker:{}@queue:5672/",
            "redis" + "://:{}@cache:6379/0",
            "https" + "://ci-bot:{}@git.internal/team/repo.git",
        ),
    ),
    "connection string": (
        lambda rng: password(rng).replace(";", "x").replace("=", "y").replace("&", "z"),
        (
            "Server=db,1433;Database=shop;User Id=sa;Pass" + "word={};Encrypt=true",
            "Data Source=db;uid=app;p" + "wd={};Pooling=false",
        ),
    ),
    "azure storage": (
        lambda rng: drawn(BASE64, 86)(rng) + "==",
        ("DefaultEndpointsProtocol=https;AccountName=shop;Account" + "Key={};",),
    ),
    "bearer header": (drawn(URL_SAFE, 40), ("Author" + "ization: Bear" + "er {}",)),
    "basic header": (basic, ("Author" + "ization: Bas" + "ic {}",)),
    "command": (
        lambda rng: password(rng).lstrip("-=:").replace("=", "x").replace(":", "y") + "4Xz",
        ("curl -u deploy" + ":{} https://host/api", "tool login --pass" + "word {} --yes"),
    ),
}
BLOCKS = ("RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY")
KINDS = (*TOKENS, *NAMED, *WRITTEN, "key block")

# How a language writes a name and a value, and how it writes a remark.
ASSIGNED = {
    "py": (
        '{name} = "{value}"',
        "{name} = '{value}'",
        'connect({name}="{value}", retries=3)',
        'SETTINGS["{name}"] = "{value}"',
        '    "{name}": "{value}",',
    ),
    "js": ('const {name} = "{value}";', "  {name}: '{value}',", "process.env.{name} = `{value}`;"),
    "ts": ('export const {name}: string = "{value}";', "  private {name} = '{value}';"),
    "go": (
        '{name} := "{value}"',
        'const {name} string = "{value}"',
        'os.Setenv("{name}", "{value}")',
    ),
    "java": (
        'private static final String {name} = "{value}";',
        'properties.setProperty("{name}", "{value}");',
    ),
    "rb": ("{name} = '{value}'", "  {name}: '{value}',", 'ENV["{name}"] ||= "{value}"'),
    "php": ("$config['{name}'] = '{value}';", "define('{name}', '{value}');"),
    "rs": ('const {name}: &str = "{value}";', 'let {name} = String::from("{value}");'),
    "c": ('static const char *{name} = "{value}";', '#define {name} "{value}"'),
    "cs": ('public string {name} = "{value}";', 'options.{name} = "{value}";'),
    "kt": ('val {name}: String = "{value}"',),
    "sh": ('export {name}="{value}"', "{name}='{value}'", "{name}={value}"),
    "lua": ('local {name} = "{value}"',),
    "yaml": ("{name}: {value}", '  {name}: "{value}"'),
    "json": ('  "{name}": "{value}",',),
    "properties": ("{name}={value}", "app.{name} = {value}"),
}
REMARKS = {
    **dict.fromkeys(("py", "rb", "sh", "yaml", "properties"), "# {}"),
    **dict.fromkeys(("js", "ts", "go", "java", "rs", "c", "cs", "kt", "php", "json"), "// {}"),
    "lua": "-- {}",
}
QUOTES = {"yaml": '"{}"', "properties": "{}"}
BARE = frozenset({"sh", "yaml", "properties"})


def planted(count: int, seed: int = 0) -> list[Planted]:
    """So many secrets, every kind in turn, in languages and places drawn from a seed."""
    rng = random.Random(seed)
    return [_one(KINDS[number % len(KINDS)], rng) for number in range(count)]


def _one(kind: str, rng: random.Random) -> Planted:
    suffix = rng.choice(list(ASSIGNED))
    if kind == "key block":
        return _block(suffix, rng)
    if kind in NAMED:
        make, names = NAMED[kind]
        secret, name = make(rng), rng.choice(names.split())
        place = rng.choice(ASSIGNED[suffix])
        if kind == "app secret" and place.endswith("{value}"):
            secret = secret.translate(str.maketrans("!#&*(", "abcde"))  # would mean something
        return Planted(kind, secret, place.format(name=name, value=secret), suffix)
    if kind in TOKENS:
        secret = TOKENS[kind](rng)
        if rng.random() < 0.3:
            text = REMARKS[suffix].format(f"use {secret} for now")
        else:
            text = rng.choice(ASSIGNED[suffix]).format(name="value", value=secret)
        return Planted(kind, secret, text, suffix)
    make, places = WRITTEN[kind]
    secret = make(rng)
    said = rng.choice(places).format(secret)
    is_remark = rng.random() < 0.3
    text = (
        REMARKS[suffix].format(said)
        if is_remark
        else rng.choice(ASSIGNED[suffix]).format(name="value", value=said)
    )
    return Planted(kind, secret, text, suffix)


def _block(suffix: str, rng: random.Random) -> Planted:
    label = rng.choice(BLOCKS)
    lines = [drawn(BASE64, 64)(rng) for _ in range(rng.randint(6, 25))]
    whole = [f"-----BEGIN {label}-----", *lines, f"-----END {label}-----"]
    if rng.random() < 0.5 and suffix not in BARE:
        text = rng.choice(ASSIGNED[suffix]).format(name="pem", value="\\n".join(whole))
    else:
        text = "\n".join(REMARKS[suffix].format(line) for line in whole)
    return Planted("key block", rng.choice(lines), text, suffix)


def plant(code: str, found: Planted, rng: random.Random) -> str:
    """Code with a secret on lines of its own."""
    lines = code.split("\n")
    lines.insert(rng.randint(0, len(lines)), found.text)
    return "\n".join(lines)
