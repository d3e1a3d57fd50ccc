"""Candidates: which file an agent with ripgrep reads next, and which lines of it.

It is given what it takes to choose well, so that the baseline is not a straw man: how many
of the question's words each file holds and its path names, whether a line looks like the
definition of a word, and which files are tests or documentation and can wait.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plait.evaluation.economy.ripgrep import Match, Ripgrep
from plait.lanes.tokens import question_terms
from plait.sources.tags import tags_of
from plait.types import Span

MOST_WORDS = 8  # of a question that are searched for; an issue's text has hundreds
LEAST_LETTERS = 2
AROUND = 20  # lines read before and after a match
DOTTED = re.compile(r"\w+(?:(?:\.|::)\w+)+")
COMPOUND = re.compile(r"[^\W_]_+[^\W_]|[^\W\d_A-Z][A-Z]|[.:]")
DEFINING = (
    r"\b(?:class|const|data|def|define|defmodule|defp|enum|extension|fn|fun|func|function|impl|"
    r"interface|let|macro_rules!|module|namespace|newtype|object|protocol|record|struct|trait|"
    r"type|val|var)\b[^=(]*"
)
LATER = frozenset({"test", "documentation", "generated", "vendored"})  # tags


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file worth reading, and the lines of it to read."""

    path: str
    words: int  # of the question, in the file or its path
    densest: int  # the line around which most of them stand
    defines: bool  # some line looks like the definition of a word
    matches: int  # lines that hold a word

    def lines(self, length: int) -> Span:
        """What is read of a file that has so many lines."""
        return Span(max(self.densest - AROUND, 1), min(self.densest + AROUND, length))


def telling_words(text: str) -> list[str]:
    """What an agent would search for: names as they were typed first, then other words."""
    telling = (word for _, word in question_terms(text) if len(word) >= LEAST_LETTERS)
    words = list(dict.fromkeys([*DOTTED.findall(text), *telling]))
    return sorted(words, key=lambda word: not is_name(word))[:MOST_WORDS]


def is_name(word: str) -> bool:
    """Whether a word looks like an identifier: compound, by case, underscore or dot."""
    return COMPOUND.search(word) is not None


def by_rarity(words: Sequence[str], rg: Ripgrep) -> list[str]:
    """The words that occur, the most telling first: names, then what few lines hold."""
    lines = {word: len(rg.matches(word)) for word in words}
    occurring = (word for word in words if lines[word])
    return sorted(occurring, key=lambda word: (not is_name(word), lines[word]))


def candidates(words: Sequence[str], rg: Ripgrep) -> list[Candidate]:
    """Every file that holds a word, the most promising first."""
    holding: dict[str, dict[int, set[str]]] = {}  # path to line to words
    defining: dict[str, set[int]] = {}
    for word in words:
        definition = re.compile(DEFINING + re.escape(word), re.IGNORECASE)
        for match in rg.matches(word):
            holding.setdefault(match.path, {}).setdefault(match.line, set()).add(word)
            if _may_define(word, words) and definition.search(match.text):
                defining.setdefault(match.path, set()).add(match.line)
    found = [
        _candidate(path, lines, defining.get(path, set()), words) for path, lines in holding.items()
    ]
    return sorted(found, key=_order)


def _may_define(word: str, words: Sequence[str]) -> bool:
    return word == words[0] or is_name(word)


def _order(file: Candidate) -> tuple[bool, int, bool, int, str]:
    waits = not LATER.isdisjoint(tags_of(file.path, b""))
    return waits, -file.words, not file.defines, -file.matches, file.path


def _candidate(
    path: str, lines: Mapping[int, set[str]], defining: set[int], words: Sequence[str]
) -> Candidate:
    named = sum(word.lower() in path.lower() for word in words)
    held = len(set().union(*lines.values()))
    return Candidate(path, held + named, _densest(lines, defining), bool(defining), len(lines))


def _densest(lines: Mapping[int, set[str]], defining: set[int]) -> int:
    """The line around which the most different words stand, then a definition, then the first."""
    rows = sorted(lines)
    best, most = rows[0], (0, False, 0)
    begin = end = 0
    for row in rows:
        while rows[begin] < row - AROUND:
            begin += 1
        while end < len(rows) and rows[end] <= row + AROUND:
            end += 1
        near = rows[begin:end]
        dense = (len(set().union(*(lines[at] for at in near))), row in defining, len(near))
        if dense > most:
            best, most = row, dense
    return best


def holding_all(words: Sequence[str], rg: Ripgrep) -> list[str]:
    """The files that hold every one of the words, sorted."""
    files = [{match.path for match in rg.matches(word)} for word in words]
    return sorted(set.intersection(*files)) if files else []


def printed(matches: Sequence[Match]) -> str:
    """Matches as ripgrep prints them."""
    return "\n".join(map(str, matches))
