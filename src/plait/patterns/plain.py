"""Plain: patterns that are just a text, the most frequent and the fastest to find, and phrases,
which are texts whose white space is flexible."""

from __future__ import annotations

import re

from plait.types import Pattern, Phrase

PLAIN = re.compile(r"(?:[^\\.+*?()|\[{^$\n]|\\[^0-9A-Za-z\n\x80-\U0010ffff])*")
ESCAPED = re.compile(r"\\(.)")


def plain_text(regex: str) -> str | None:
    """The text that a pattern is, if it has no meaning beyond itself."""
    if PLAIN.fullmatch(regex) is None:
        return None
    return ESCAPED.sub(r"\1", regex) if "\\" in regex else regex


def phrase_pattern(phrase: Phrase, *, ignore_case: bool = True) -> Pattern:
    """A phrase as a pattern: its words in order, any white space between them."""
    return Pattern(r"\s+".join(map(re.escape, phrase.text.split())), ignore_case=ignore_case)
