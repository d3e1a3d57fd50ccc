"""Finding: the secrets that stand in a text, by place and kind.

A text is searched once for places worth a look; an ordinary file has few. Each is then read by
the pattern of its kind and judged by its value. Time is linear in the text: what is read at a
place is bounded, and no place is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plait.sources.secrets import patterns as find
from plait.sources.secrets.key_blocks import key_block, putty_block
from plait.sources.secrets.passwords import is_password as is_a_password
from plait.sources.secrets.passwords import stands_for_one
from plait.sources.secrets.values import is_placeholder, is_secret

WINDOW_BYTES = 1 << 12
LEAD_BYTES = 48
LED_BYTES = 256
BARE_BYTES = 512
LINE_BYTES = 200
INDENTED = 8  # spaces before a name that a line begins with
BACKSLASH = 0x5C
WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
PASSWORD = re.compile(rb"(?i)pass|pwd|identified")
# Last words of names whose values are about a secret, and none.
ABOUT = re.compile(
    rb"(?i)(?:url|uri|path|file|filename|name|field|type|length|len|size|regex|pattern|format|label|"
    rb"prefix|suffix|class|kind|expir\w*|endpoint|hash|digest|salt|hint|count|index|limit|header|"
    rb"param|column|input|error|message|title|text|policy|store|provider|manager|service|"
    rb"version|algorithm|alg|issuer|ref|reference|iv|nonce|public|fingerprint|checksum|"
    rb"ttl|timeout|scope|scopes|mode|status|state|location|table|attribute|placeholder)$"
)
PUBLIC = re.compile(rb"(?i)public[_ -]?(?:key)?[_ -]?$")
GOES_ON = re.compile(rb"[a-rt-z]|s[a-z]")  # tokenizer, secretary; not tokens
# A name that ends here says itself what its value is, if nothing but an assignment is between.
ENDS = re.compile(rb"[_-]?[0-9]{0,2}")
SECRET = re.compile(rb"(?i)secret")
ASSIGNED = re.compile(
    rb"[\"'`\\\])]{0,4}[ \t]*"
    rb"(?:=>|:=|==?|:|,|\(|:[ \t]*[\w&?]{1,16}[ \t]*=|[ \t]\w{1,8}[ \t]*=|\[\][ \t]*=)"
    rb"[ \t]*[brfuLN@]?|(?<=[bB][yY])[ \t]+"  # IDENTIFIED BY
)
# What is in front of a name whose value needs no quotes.
LEADS = re.compile(
    rb"[ \t]*(?:(?:export|set|ENV|ARG|declare|local|-e|--env|-)[ \t]+)*[\"']?[\w.-]*"
)
JOINED = (b";", b"&", b"?")
IN_LIST = re.compile(rb"[;&?][ \t]*\w*$")
END_OF_PART = (b"", b";", b"&", b'"', b"'", b"`", b"\r", b"\n", b" ")
OPERATORS = re.compile(rb"[=:,(>{]|^[\"'`\\\])]*[ \t]+$")
CUT = re.compile(rb"[;&,)\]}|]")
ESCAPE = re.compile(rb"(?:\\[abfnrtv]|%[0-9A-Fa-f]{2})$")  # ends before what follows it
REST = re.compile(rb"[^\s\"'`<>\\;&,)\]}|]*")  # of a value that is longer than what is judged


class Secret(NamedTuple):
    """A secret's place in a text, and how it was told."""

    begin: int
    end: int
    kind: str  # "key block", "shape", "name", "address", "header" or "command"


class _Called(NamedTuple):
    """A name that says that its value is a secret."""

    begin: int
    end: int
    is_password: bool  # something people make up themselves
    is_plain: bool  # nothing follows that word, so what stands there may be made of words too


def secrets_in(text: bytes) -> list[Secret]:
    """The secrets of a text, in order, none within another."""
    return list(_secrets(text))


def _secrets(text: bytes) -> Iterator[Secret]:
    size, at, done = len(text), 0, 0
    match = find.TRIGGER.Match
    while True:
        begin, end = match(find.UNANCHORED, text, at, size)[0]
        if begin < 0:
            return
        found, at = _looked_at(text, begin, end, done)
        if found is not None and found.begin >= done:
            yield found
            at = done = found.end


def _looked_at(text: bytes, begin: int, end: int, done: int) -> tuple[Secret | None, int]:
    """The secret that a place holds, if any, and where to go on if there is none."""
    until = min(end + WINDOW_BYTES, len(text))
    first = text[begin]
    if first == 0x3A and text.startswith(b"://", begin):
        return _in_url(text, begin, until), begin + 3
    if first == 0x2D and text.startswith(b"-----BEGIN", begin):
        return _block(key_block(text, begin)), end
    if first == 0x50 and text.startswith(b"PuTTY", begin):
        return _block(putty_block(text, begin)), end
    found = _shape(text, begin, until, done)
    if found is not None:
        return found, found.end
    found = _in_header(text, begin, until) or _told(text, begin, until)
    if found is not None:
        return found, found.end
    return _named(text, begin, until)


def _block(span: tuple[int, int] | None) -> Secret | None:
    return Secret(*span, "key block") if span else None


def _shape(text: bytes, begin: int, until: int, done: int) -> Secret | None:
    first, last = find.SHAPE.Match(find.AT_START, text, begin, until)[0]
    if first < 0:
        from_ = max(begin - LEAD_BYTES, done)
        first, last = find.LED_SHAPE.Match(
            find.UNANCHORED, text, from_, min(begin + LED_BYTES, until)
        )[0]
        if not first <= begin < last:
            return None
    if _is_part(text, first, last):
        return None
    if is_placeholder(text[first + 4 : last]) or len(set(text[first:last])) < 10:
        return None
    return Secret(first, last, "shape")


def _is_part(text: bytes, first: int, last: int) -> bool:
    """Whether letters before or behind make it part of something longer."""
    if last < len(text) and text[last] in WORD:
        return True
    if not first or text[first - 1] not in WORD:
        return False
    return ESCAPE.search(text[max(first - 3, 0) : first]) is None


def _in_url(text: bytes, begin: int, until: int) -> Secret | None:
    first, last = find.IN_URL.Match(find.AT_START, text, begin, until)[1]
    if first < 0 or stands_for_one(text[first:last]):
        return None
    return Secret(first, last, "address")


def _in_header(text: bytes, begin: int, until: int) -> Secret | None:
    _, bearer, (first, last) = find.IN_HEADER.Match(find.AT_START, text, begin, until)
    if first < 0:
        return None
    value = text[first:last].rstrip(b"=.")
    if not is_secret(value, is_password=bearer[0] < 0, is_quoted=True):
        return None
    return Secret(first, last, "header")


def _told(text: bytes, begin: int, until: int) -> Secret | None:
    """What a command is told: ``--token value``, ``-u name:value``, ``mysql -pvalue``."""
    first, last = find.FOR_COMMAND.Match(find.AT_START, text, begin, until)[1]
    if first >= 0:
        return None if stands_for_one(text[first:last]) else Secret(first, last, "command")
    for pattern in (find.FOLLOWING, find.FOR_USER):
        first, last = pattern.Match(find.AT_START, text, begin, until)[1]
        if first >= 0 and is_secret(text[first:last], is_password=True, is_quoted=False):
            return Secret(first, last, "command")
    return None


def _named(text: bytes, begin: int, until: int) -> tuple[Secret | None, int]:
    """A value that is called a secret; else where its name ends."""
    _, called, tail = find.NAMED.Match(find.AT_START, text, begin, until)
    if called[0] < 0:
        return None, begin + 2
    name_end = tail[1]
    ending = text[tail[0] : name_end]
    if PUBLIC.search(text, max(begin - 12, 0), begin):
        return None, name_end
    if GOES_ON.match(ending) or ABOUT.search(ending):
        return None, name_end
    is_password = PASSWORD.match(text, begin) is not None
    is_plain = ENDS.fullmatch(ending) is not None and (
        is_password or SECRET.match(text, begin) is not None
    )
    name = _Called(begin, name_end, is_password, is_plain)
    return _in_quotes(text, name, until) or _bare(text, name, until), name_end


def _in_quotes(text: bytes, name: _Called, until: int) -> Secret | None:
    _, end = find.TO_QUOTE.Match(find.AT_START, text, name.end, until)[0]
    if end < 0 or OPERATORS.search(text[name.end : end - 1]) is None:
        return None
    quote = b"\\" if text[end - 2] == BACKSLASH else text[end - 1 : end]
    _, last = find.VALUES[quote].Match(find.AT_START, text, end, until)[0]
    last -= 1  # the quote
    if last < end:
        _, last = find.VALUES[b""].Match(find.AT_START, text, end, until)[0]
        if last < until or until == len(text):
            return None  # no value in quotes, however long
    value = text[end:last]
    if is_secret(value, is_password=name.is_password, is_quoted=True) or (
        name.is_plain
        and ASSIGNED.fullmatch(text, name.end, end - 1)
        and is_a_password(value, is_quoted=True)
    ):
        return Secret(end, _end_of(text, last, until), "name")
    return None


def _bare(text: bytes, name: _Called, until: int) -> Secret | None:
    begin = name.begin
    _, first = find.TO_BARE.Match(find.AT_START, text, name.end, until)[0]
    if first < 0:
        return None
    until = min(first + BARE_BYTES, until)
    _, last = find.VALUES[b""].Match(find.AT_START, text, first, until)[0]
    if last < 0:
        return None
    line = max(text.rfind(b"\n", max(begin - LINE_BYTES, 0), begin) + 1, begin - LINE_BYTES, 0)
    before = text[line:begin]
    is_line = last == len(text) or text[last] in b"\r\n"
    if not is_line or b"=" in before or before.count(b" ") > INDENTED:
        cut = CUT.search(text, first, last)
        last = cut.start() if cut else last
    value = text[first:last]
    if is_secret(value, is_password=name.is_password, is_quoted=False) or (
        name.is_plain
        and is_a_password(value, is_quoted=False)
        and _is_literal(before, text[name.end : first], text[last : last + 2])
    ):
        return Secret(first, _end_of(text, last, until), "name")
    return None


def _end_of(text: bytes, last: int, until: int) -> int:
    """Where a secret ends that was judged up to ``last``: it goes on where the look ended."""
    rest = REST.match(text, last) if last == until else None
    return rest.end() if rest else last


def _is_literal(before: bytes, between: bytes, behind: bytes) -> bool:
    """Whether letters without quotes stand for themselves: in settings, shells and addresses."""
    if behind.startswith(b"</"):
        return between.endswith(b">")
    if before.endswith(JOINED) or IN_LIST.search(before):  # pwd=...;pwd=...
        return behind[:1] in END_OF_PART
    if behind[:1] not in b"\r\n \t" or LEADS.fullmatch(before) is None:
        return False
    if behind.startswith((b" ", b"\t")):
        return between == b"="
    return not (b" " in between and b"=" in between and b" " in before.strip())
