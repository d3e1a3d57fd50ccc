"""Shingles: how much of one piece of code is word for word in another.

A text becomes the set of its runs of five tokens; two texts overlap by the share of runs they
have in common (Jaccard's measure). White space does not count, so a copy that was indented or
wrapped anew is still one. For copies whose names were changed the same is done with every
identifier replaced: within a run the first different name is 1, the next 2, so that
``a = a + b`` is ``x = x + y`` and not ``x = y + z``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

RUN = 5  # tokens
TOKEN = re.compile(r"\w+|[^\w\s]")
MAX_TOKENS = 4_000  # of one text; a chunk is far shorter
COMMENT = re.compile(r"^[ \t]*(?:#|//|/?\*|--|<!--).*$", re.MULTILINE)
# Words that stay when names are replaced: what holds code together, in the usual languages.
KEYWORDS = frozenset(
    """abstract and as assert async auto await bool boolean break byte case catch chan char class
    const continue def default defer del delete do double elif else elsif end ensure enum except
    export extends extern False false final finally float fn for foreach from func function global
    go goto if impl implements import in include inline instanceof int interface internal is lambda
    let local long loop match mod module move mut namespace new nil None not null object of or
    override package pass print private protected pub public raise range ref rescue return self
    short signed sizeof static str string struct super switch then this throw throws trait True
    true try type typedef typeof undefined union unless unsafe unsigned until use using val var
    virtual void volatile when where while with yield""".split()
)


@dataclass(frozen=True)
class Shingled:
    """A text as runs of tokens, as written and with its names replaced."""

    text: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return tuple(TOKEN.findall(self.text)[:MAX_TOKENS])

    @property
    def code_size(self) -> int:
        """How many tokens there are outside lines that are comments in some language."""
        text = self.text
        return len(TOKEN.findall(COMMENT.sub("", text) if COMMENT.search(text) else text))

    @cached_property
    def runs(self) -> frozenset[int]:
        """The runs as written."""
        return frozenset(map(hash, _runs(self.tokens)))

    @cached_property
    def nameless_runs(self) -> frozenset[int]:
        """The runs with every identifier replaced."""
        kinds = [_kind(token) for token in self.tokens]
        return frozenset(hash(_nameless(run)) for run in _runs(kinds))


def overlap(one: frozenset[int], other: frozenset[int]) -> float:
    """The share of runs two texts have in common, 0 to 1."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _runs(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """Every run of five tokens; a shorter text is one run."""
    if len(tokens) <= RUN:
        return [tuple(tokens)] if tokens else []
    return list(zip(*(tokens[at:] for at in range(RUN)), strict=False))


def _kind(token: str) -> str:
    """A token as it is, or a name to be replaced, marked by a space."""
    is_name = (token[0].isalpha() or token[0] == "_") and token not in KEYWORDS
    return f" {token}" if is_name else token


def _nameless(run: Sequence[str]) -> tuple[str, ...]:
    numbers: dict[str, str] = {}
    return tuple(
        numbers.setdefault(token, f" {len(numbers)}") if token[0] == " " else token for token in run
    )
