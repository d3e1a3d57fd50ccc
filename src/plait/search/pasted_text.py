"""Pasted text in a query: a message is text, whatever quotation marks, slashes and colons it has.

Filters may stand before it or behind it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plait.messages.pasted import is_pasted

FILTER = r"-?(?:lang|language|l|path|file|f|repo|r|is):(?!//)[^\s\"']+"
BEFORE = re.compile(rf"\s*((?:{FILTER}\s+)*+)")
LAST = re.compile(rf"{FILTER}\Z")
EXPRESSION = re.compile(r'[-(]*+["/]')  # a query that begins so is one


class Pasted(NamedTuple):
    """A message, and the filters that were typed around it."""

    message: str
    filters: str


def pasted_text(text: str) -> Pasted | None:
    """The message that a query is; None if nothing in it looks pasted."""
    found = BEFORE.match(text)
    begin = found.end() if found is not None else 0
    filters = [text[:begin].strip()]
    rest = text[begin:].strip()
    while (words := rest.rsplit(None, 1)) and len(words) > 1 and LAST.fullmatch(words[1]):
        rest = words[0]
        filters.append(words[1])
    if EXPRESSION.match(rest) or not is_pasted(rest):
        return None
    return Pasted(rest, " ".join(filters))
