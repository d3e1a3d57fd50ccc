"""Masking: a text without the secrets in it, and otherwise as it was.

Every byte of a secret becomes an asterisk. Line ends stay, and the escapes and quotes around
the lines of a key, so that places in the text, and its syntax, are what they were.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plait.sources.secrets.finding import Secret, secrets_in

HIDDEN = re.compile(rb"[^\r\n]")
KEY_LETTERS = re.compile(rb"(\\[nrt])|[A-Za-z0-9+/=]")


class Masked(NamedTuple):
    """A text without its secrets, and where they stood."""

    text: bytes
    secrets: list[Secret]


def masked(text: bytes) -> Masked:
    """A text with an asterisk for every byte of a secret."""
    found = secrets_in(text)
    if not found:
        return Masked(text, found)
    parts: list[bytes] = []
    at = 0
    for secret in found:
        parts += (text[at : secret.begin], _hidden(text[secret.begin : secret.end], secret.kind))
        at = secret.end
    return Masked(b"".join((*parts, text[at:])), found)


def _hidden(secret: bytes, kind: str) -> bytes:
    if kind != "key block":
        return HIDDEN.sub(b"*", secret)
    return KEY_LETTERS.sub(lambda letter: letter[1] or b"*", secret)
