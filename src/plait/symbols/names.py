"""Names: what a piece of source text calls a definition or a reference.

Every language writes qualified names in its own way; here they all come out with dots.
"""

from __future__ import annotations

import re

from plait.types import Relation

MAX_NAME_BYTES = 400  # longer "names" are parse accidents
# Only before a name: the operators "</>" and "::" are names themselves.
SEPARATORS = re.compile(rb"(?:::|\\|/|->|#|:)(?=[\w~])")
LAST_PART = re.compile(r"(?:[.:\\]|->)(?=\w)")
ARGUMENTS = re.compile(rb"<[^<>]*>(?=[>:,*&])")  # of a template, inside a qualified name
SPACE = re.compile(rb"\s+")
WORD = re.compile(rb"\w")
PLAIN = re.compile(rb"\w+")
QUOTES = frozenset(b"\"'`")
KNOWN_NAMES = 1 << 15  # of each kind: names recur; this many are remembered


def name_of(raw: bytes) -> tuple[str, str]:
    """A name as text, after what qualifies it: every language's separator becomes a dot.

    What is written in quotes, such as the name of a test, is kept as it is.
    """
    if len(raw) > MAX_NAME_BYTES:
        return "", ""
    if PLAIN.fullmatch(raw):  # nine of ten
        return "", raw.decode()
    if (plain := _unquoted(raw)) != raw:
        return "", SPACE.sub(b" ", plain).strip().decode("utf-8", "replace")
    flat = SPACE.sub(b"", raw)
    if not WORD.search(flat):
        return "", flat.decode("utf-8", "replace")
    while b">::" in flat:
        flat, count = ARGUMENTS.subn(b"", flat)
        if not count:
            break
    text = SEPARATORS.sub(b".", flat).strip(b".").decode("utf-8", "replace")
    qualifier, _, name = text.rpartition(".")
    return (qualifier, name) if name else ("", text)


def _unquoted(raw: bytes) -> bytes:
    """Without the quotes around it; one quote alone is part of a name (Haskell's primes)."""
    return raw[1:-1] if len(raw) > 2 and raw[0] in QUOTES and raw[0] == raw[-1] else raw


class Targets(dict[bytes, str]):
    """What names point at by one relation, made out when first asked for: the last part of a
    call or type, an import in full; "" if that is nothing."""

    def __init__(self, relation: Relation) -> None:
        self._is_import = relation is Relation.IMPORTS

    def __missing__(self, raw: bytes) -> str:
        target = self._target(raw) if len(raw) <= MAX_NAME_BYTES else ""
        if len(self) >= KNOWN_NAMES:
            self.clear()
        self[raw] = target
        return target

    def _target(self, raw: bytes) -> str:
        if PLAIN.fullmatch(raw):
            return raw.decode()
        text = _unquoted(SPACE.sub(b"", raw)).decode("utf-8", "replace")
        return text.strip("<>") if self._is_import else LAST_PART.split(text)[-1]
