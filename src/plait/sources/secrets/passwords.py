"""Passwords: what people make up themselves, as far as the place says that it is one.

A password in an address is one whatever it looks like, unless it is a word that stands for
one. Behind a name it has to hold letters and digits, and must not be code, a path or a name of
something else: ``DB_PASSWORD = "bluewhale42go"`` is a password, ``password = sha256_hex`` is not.
"""

from __future__ import annotations

import re

LEAST = 8  # behind a name
# Words that stand for a password, and what is put in front of them.
STANDS_FOR = re.compile(
    rb"(?i)(?:(?:my|your|the|an?|some|db|super|new|old|test|dummy|fake|pass|passw(?:or)?d|passwd|"
    rb"passphrase|pwd?|psw|secret|secure|token|key|api|auth|user|username|usr|login|name|email|"
    rb"credentials?|change|me|it|here|this|example|sample|placeholder|default|foo|bar|baz|qux|"
    rb"redacted|hidden|removed|value|string|none|null|x+|p|port|host|hostname)[_.-]?)+[0-9]?"
)
TEMPLATE = re.compile(
    rb"[\[{<(]|^[A-Z]+(?:_[A-Z]+)+$|^[$%#:]|\$\w|%[a-zA-Z(]?$|%s|\*\*|\.\.\.|^[*.\-_]+$|\\|x{4}"
)
MIXED = re.compile(rb"(?=[^0-9]*[0-9])[^A-Za-z]*[A-Za-z]")
NOT_A_PASSWORD = re.compile(
    rb"(?i)^[./~$@-]|://|::|->|=>|[\[\](){}<>\\|]|"
    # names of ciphers, sums and encodings
    rb"(?:sha|md|base|utf|aes|rsa|des|hmac|argon|pbkdf|oauth|iso|latin|scram|crypt|hex|int|x)"
    rb"[-_]?[0-9]|[0-9](?:st|nd|rd|th|bit|byte|char|word|min|max|day|hour|sec)s?|"
    rb"char|field|input|param|label|valid|empty|wrong|correct|blank|bad|good|short|long|match|same"
)
# Names of something else, in the ways that code writes them.
SNAKE = re.compile(rb"[A-Za-z0-9$]*_[\w$-]*")
KEBAB = re.compile(rb"[a-z][a-z0-9]*(?:[-.:/][a-z0-9]+)+")
DOTTED = re.compile(rb"[A-Za-z]\w*(?:[.:/,][A-Za-z0-9_-]*)+")
BARE = re.compile(rb"[A-Za-z0-9!@#%^*+~-]+")


def stands_for_one(value: bytes) -> bool:
    """Whether what stands in the place of a password is a word or a template for one."""
    return STANDS_FOR.fullmatch(value) is not None or TEMPLATE.search(value) is not None


def is_password(value: bytes, *, is_quoted: bool) -> bool:
    """Whether a value is a password, given that its name ends by saying so.

    Args:
        value: As it stands there, without quotes.
        is_quoted: It stands in quotes; what does not may be code.
    """
    if len(value) < LEAST or MIXED.match(value) is None or stands_for_one(value):
        return False
    if NOT_A_PASSWORD.search(value) or SNAKE.fullmatch(value) or KEBAB.fullmatch(value):
        return False
    if is_quoted:
        return DOTTED.fullmatch(value) is None
    return BARE.fullmatch(value) is not None
