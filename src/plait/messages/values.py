"""Values: what a program filled into a message, and the text between, which its code has.

Numbers, quoted values, paths, addresses, ids and times are known by how they look. A name or a
word that was filled in is not; whoever looks for a fixed part has to try parts of it too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_DAY = r"\d{4}[-/.]\d\d[-/.]\d\d"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?"
TIME = (
    rf"{_DAY}(?:[T ]{_CLOCK}(?:\s?(?:Z|UTC|[+-]\d\d:?\d\d))?)?|{_CLOCK}"
    rf"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [A-Z\d][\w ]+{_CLOCK}(?: \d{{4}})?"
    rf"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{{1,2}} {_CLOCK}"
)
VALUE = re.compile(
    rf"""(?P<url>\b[a-zA-Z][\w+.-]*://[^\s'"<>]+)
    | (?P<mail>\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<uuid>\b[0-9a-fA-F]{{8}}-(?:[0-9a-fA-F]{{4}}-){{3}}[0-9a-fA-F]{{12}}\b)
    | (?P<time>(?<![\w.])(?:{TIME})(?!\w))
    | (?P<address>(?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?(?!\w))
    | (?P<double>(?<![\w\\])"(?:[^"\\\n]|\\.){{0,400}}")
    | (?P<single>(?<![\w\\])'(?:[^'\\\n]|\\.){{0,400}}'(?!\w))
    | (?P<ticked>(?<![\w\\])`[^`\n]{{0,400}}[`'](?!\w))
    | (?P<curly>[“«\u2018][^”»\u2019\n]{{0,400}}[”»\u2019])
    | (?P<path>(?<![\w/.])(?:[A-Za-z]:[\\/]|~?/|\.{{1,2}}/)[\w.~@+%\\/-]*\w[\w/]*
             | (?<![\w/.])(?:[\w.@-]+[/\\]){{2,}}[\w.@-]*\w
             | (?<![\w/.])[\w.@-]+/[\w@-]+\.\w{{1,5}}\b(?:\.\w{{1,5}}\b)*)
    | (?P<hex>\b0[xX][0-9a-fA-F]+\b | \b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{{7,64}}\b)
    | (?P<number>(?<![\w.])[-+]?\d+(?:[.,_:]\d+)*(?:[eE][-+]?\d+)?
             (?:%|[a-zµ]{{1,3}}\b|[KMGT]i?B\b)?(?!\w))
    | (?P<brackets>\[[^\[\]\n]{{0,400}}\] | \{{[^{{}}\n]{{0,400}}\}} | <[^<>\n]{{1,400}}>)
    """,
    re.VERBOSE,
)


EDGES = " \t\n.,;:!?()[]{}<>\"'`=-"  # of a fixed part: they may belong to the value


class Part(NamedTuple):
    """A piece of a message: where it is, and whether it is a value."""

    begin: int
    end: int
    is_value: bool


def parts(message: str) -> tuple[Part, ...]:
    """A message cut into fixed text and values, in order; together they are all of it."""
    cut: list[Part] = []
    at = 0
    for found in VALUE.finditer(message):
        begin, end = found.span()
        if begin > at:
            cut.append(Part(at, begin, is_value=False))
        cut.append(Part(begin, end, is_value=True))
        at = end
    if at < len(message):
        cut.append(Part(at, len(message), is_value=False))
    return tuple(cut)


def fixed_parts(message: str) -> tuple[str, ...]:
    """The runs of text between the values of a message, the longest first."""
    edges = " \t\n.,;:!?()[]{}<>\"'`=-"
    runs = (
        message[part.begin : part.end].strip(edges) for part in parts(message) if not part.is_value
    )
    return tuple(sorted(dict.fromkeys(filter(None, runs)), key=lambda run: (-len(run), run)))
