"""Marks: names of code inside prose, in one notation whatever markup they came from.

A marked text is plain but for its marks, each with the name that is meant and what a reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

LINK = "L"  # the author links it: it is meant
CODE = "C"  # set as code where authors do not link: it is meant if it stands where it counts
WORD = "W"  # set as code where authors would have linked what they mean

MARK = re.compile("\x02([LCW])([^\x02-\x04]*)\x03([^\x02-\x04]*)\x04")
SIGNS = re.compile("[\x02-\x04]")


class Name(NamedTuple):
    """A name of code that prose mentions."""

    name: str  # as it was written: ``~a.b.C``, ``Foo#bar(int)``
    shown: str
    kind: str


def unmarked(text: str) -> str:
    """A text that holds no sign of a mark, before any is made."""
    return SIGNS.sub(" ", text)


def mark(name: str, kind: str, shown: str = "") -> str:
    """A name as it stands in a marked text."""
    return f"\x02{kind}{_clean(name)}\x03{_clean(shown or name)}\x04"


def _clean(text: str) -> str:
    """A text without marks: those inside a mark show what they show."""
    return SIGNS.sub(" ", MARK.sub(lambda found: found[3], text)).strip()


def names(text: str) -> list[Name]:
    """The names a marked text mentions, in order."""
    return [Name(found[2], found[3], found[1]) for found in MARK.finditer(text)]


def shown(text: str, is_cut: Callable[[Name], bool] = lambda _: False) -> str:
    """What a reader sees of a marked text, less the names that are cut; white space made even."""

    def replaced(found: re.Match[str]) -> str:
        return " " if is_cut(Name(found[2], found[3], found[1])) else found[3]

    return " ".join(SIGNS.sub(" ", MARK.sub(replaced, text)).split())
