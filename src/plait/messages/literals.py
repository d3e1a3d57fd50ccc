"""Literals: the words that a line of code puts into a message, without what is filled in.

Quotation marks tell text from code in every language closely enough; so does how a placeholder
looks. Where a line has no quotation marks, as in a catalogue of messages, all of it is text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

WORD = re.compile(r"\w+")
LITERAL = re.compile(
    r'"(?:[^"\\\n]|\\.)*(?:"|$)'
    r"|(?<![\w])[rbfuRBFU]{0,2}'(?:[^'\\\n]|\\.)*'"
    r"|`(?:[^`\\\n]|\\.)*(?:`|$)",
    re.MULTILINE,
)
PLACEHOLDER = re.compile(
    r"%[-+ #0*]*\d*(?:\.[\d*]+)?(?:\d+\$)?(?:ll|[hlLqjzt])?[a-zA-Z](?![a-z])"
    r"|%\(\w+\)[-\d.]*[a-z]|%\{\w+\}|%\d+\b"
    r"|\$\{[^{}\n]*\}|#\{[^{}\n]*\}|\\\([^()\n]*\)|\{\$?[^{}\n]*\}|\$[A-Za-z_]\w*(?:->\w+|\[\w+\])*"
    r"|\\[nrtabfv0]"
)


class Written(NamedTuple):
    """A word of a line, and the literal it is in."""

    word: str
    literal: int  # counted from 1; 0 for code around them


@lru_cache(maxsize=4096)
def words_of(line: str) -> tuple[Written, ...]:
    """The words of a line in order; those of placeholders are left out."""
    words: list[Written] = []
    at = number = 0
    for found in LITERAL.finditer(line):
        if (inner := found[0].strip("\"'`")) == "" or not WORD.search(inner):
            continue
        number += 1
        words += (Written(word, 0) for word in WORD.findall(line[at : found.start()]))
        text = PLACEHOLDER.sub(" ", inner)
        words += (Written(word, number) for word in WORD.findall(text))
        at = found.end()
    rest = line[at:] if number else PLACEHOLDER.sub(" ", line)
    words += (Written(word, 0 if number else 1) for word in WORD.findall(rest))
    return tuple(words)
