"""Looking: what to look up to find the line of a message, the most telling first.

All fixed parts on one line is most of what there is to find. Where a name or a word was filled
in, no part stands in the code as it is, so runs of some words are tried, then shorter ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plait.messages.values import EDGES, parts

MIN_LETTERS = 3  # of what is looked up: the index knows sequences of three bytes
MAX_PARTS = 6  # asked for on one line
RUNS = (3, 2)  # words
MIN_RUN = 8  # letters of a run
TELLING = 8  # runs looked up first: the longest are the rarest
MIN_WORD = 4  # letters of a word that is looked up alone
MAX_RUNS, MAX_WORDS = 24, 8
LETTER = re.compile(r"[^\W\d_]")


def lookups(message: str) -> Iterator[tuple[str, ...]]:
    """Regular expressions of lines that may be the message's: any of them, then any of the next."""
    fixed = [
        message[part.begin : part.end].strip(EDGES) for part in parts(message) if not part.is_value
    ]
    fixed = [part for part in fixed if len(part) >= MIN_LETTERS and LETTER.search(part)]
    if not fixed:
        return
    yield (".*".join(map(quoted, fixed[:MAX_PARTS])),)
    for count in RUNS:
        runs = dict.fromkeys(run for part in fixed for run in _runs(part, count))
        telling = sorted(runs, key=len, reverse=True)[:MAX_RUNS]
        for some in (telling[:TELLING], telling[TELLING:]):
            if some:
                yield tuple(map(quoted, some))
    words = dict.fromkeys(word.strip(EDGES) for part in fixed for word in part.split())
    alone = [word for word in words if len(word) >= MIN_WORD and LETTER.search(word)]
    if alone:
        yield tuple(map(quoted, sorted(alone, key=len, reverse=True)[:MAX_WORDS]))


def quoted(text: str) -> str:
    """A text as a regular expression; an apostrophe may be escaped in code."""
    return re.escape(text).replace("'", r"\\?'").replace(r"\ ", " ")


def _runs(part: str, count: int) -> Iterator[str]:
    words = part.split(" ")
    if len(words) < 2:
        return  # one word is on too many lines to be looked for so early
    for first in range(max(len(words) - count + 1, 1)):
        run = " ".join(words[first : first + count]).strip(EDGES)
        if len(run) >= MIN_RUN and LETTER.search(run):
            yield run
