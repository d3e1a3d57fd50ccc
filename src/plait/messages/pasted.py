"""Pasted: whether a text was copied from a terminal or a log, and what it tells.

A message has a prefix that its code does not have: a time, a level, a logger, the class of the
error. What comes behind is what the code says, with values filled in. A stack trace has such a
message at its beginning or its end, and places in code between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from plait.messages.frames import frames_in
from plait.messages.prefixes import KIND, bare_name, prefix_of
from plait.messages.wording import is_worded_so

MAX_MESSAGES = 4  # of one text: a trace with its causes, the first errors of a compiler
MAX_CHARACTERS = 600  # of a line; what comes behind tells no more
FIRST, LAST = 40, 20  # lines of a text that are read
MAX_LINES = 3  # of a message that nothing but its words betrays
MIN_QUOTED = 3  # words of a message that somebody quotes

LOGFMT = re.compile(r'\b(?:level|lvl|severity)=\S|\bmsg="|\bts=\S+ \w+=')
LOGFMT_TOLD = re.compile(r'\b(?:msg|message|err|error|reason)=(?:"((?:[^"\\]|\\.)*)"|(\S+))')
JSON_TOLD = ("msg", "message", "error", "err", "exception", "reason", "detail", "event", "title")
PANICKED = re.compile(r"'(.*)', [^\s:]+:\d+:\d+\Z")  # as Rust said it for years
RAISED = re.compile(r"(?P<kind>[A-Za-z_][\w.]*)(?:: (?P<text>.*))?")  # the last line of a trace
PLACE = re.compile(r"\s*(?:at|File|-->|from|#\d+)\s")
WITHIN = re.compile(rf"(?<![\w.]){KIND}(?: \[\w+\])?: (?P<text>\S.*)")
SAID = re.compile(
    r"\b(?:gets?|got|getting|see|seeing|saw|says|said|saying|error|message|fails|failed|failing"
    r"|warning|with|logs?|logged|throws|raises|prints?|panics?)\b[^\n\"'`“]{0,30}?"
    r"[\"'`“](?P<text>[^\n]{8,}?)[\"'`”](?!\w)",
    re.IGNORECASE,
)


class Message(NamedTuple):
    """What a program said."""

    text: str  # one line, its prefix cut off
    kind: str = ""  # the class of the error, as it is written in code; "" if none is named


def is_pasted(text: str) -> bool:
    """Whether a text looks like an error message, a log line, a stack trace or the like."""
    lines = _lines(text)
    return next(_read(lines), None) is not None or bool(frames_in("\n".join(lines)))


def messages_in(text: str) -> tuple[Message, ...]:
    """What a pasted text tells, the most telling first; nothing if it does not look pasted."""
    return tuple(dict.fromkeys(_read(_lines(text))))[:MAX_MESSAGES]


def _lines(text: str) -> list[str]:
    """The lines of a text, without more of it than a message needs."""
    lines = [line[:MAX_CHARACTERS] for line in text.strip().split("\n") if line.strip()]
    return lines if len(lines) <= FIRST + LAST else [*lines[:FIRST], *lines[-LAST:]]


def _read(lines: list[str]) -> Iterator[Message]:
    if not lines:
        return
    text = "\n".join(lines)
    found = _structured(text) or _prefixed(lines)
    yield from found
    if found:
        return
    if (within := WITHIN.search(text)) is not None:
        yield _message(within["text"], bare_name(within["kind"]))
    elif (said := SAID.search(text)) is not None and len(said["text"].split()) >= MIN_QUOTED:
        yield _message(said["text"])
    elif len(lines) <= MAX_LINES and is_worded_so(text):
        yield _message(" ".join(line.strip() for line in lines))


def _structured(text: str) -> list[Message]:
    """The messages of a log line in JSON, or in names with values."""
    if text.startswith("{") and text.endswith("}"):
        try:
            entry = json.loads(text)
        except ValueError:
            return []
        told = [entry.get(name) for name in JSON_TOLD] if isinstance(entry, dict) else []
        return [_line(one) for one in told if isinstance(one, str) and one.strip()]
    if LOGFMT.search(text):
        matches = LOGFMT_TOLD.finditer(text)
        return [_line((found[1] or found[2] or "").replace('\\"', '"')) for found in matches]
    return []


def _line(text: str) -> Message:
    line = text.strip().partition("\n")[0]
    return next(iter(_prefixed([line])), _message(line))


def _prefixed(lines: list[str]) -> list[Message]:
    """The messages of the lines that begin as programs begin theirs."""
    found = []
    for at, line in enumerate(lines):
        prefix = None if PLACE.match(line) else prefix_of(line)
        if prefix is None:
            continue
        rest = line[prefix.end :].strip()
        if (panicked := PANICKED.match(rest)) is not None:
            rest = panicked[1]
        elif not rest and "panicked at" in line and at + 1 < len(lines):
            rest = lines[at + 1]
        if rest or prefix.kind:
            found.append(_message(rest, prefix.kind))
    if not any(line.lstrip().startswith("Traceback ") for line in lines):
        return found
    # What a trace of Python tells comes last, and its cause before.
    if (raised := RAISED.fullmatch(lines[-1])) is not None:
        found.append(_message(raised["text"] or "", bare_name(raised["kind"])))
    return list(dict.fromkeys(found[::-1]))


def _message(text: str, kind: str = "") -> Message:
    return Message(text.strip(), kind)
