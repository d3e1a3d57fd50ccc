"""Question: what a question says to the signals that compare names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from plait.expressions import wanted_leaves
from plait.ranking.names import plain, roots_of
from plait.types import Phrase, Query, Term, Text
from plait.words import IDENTIFIER, QUESTION_WORDS, STOP_WORDS

DOTTED = re.compile(r"\w+(?:(?:\.|::|->|#)\w+)*")
JOINT = re.compile(r"\.|::|->|#")
COMPOUND = re.compile(r"[a-z0-9][A-Z]|\w_\w|::|->|\w\.\w|\w#\w")
MIN_NAME = 3  # letters of a capitalised word that may be a name
MOST_JOINED = 3  # words of a question that code may write as one
MOST_WORDS = 64  # of a question that are compared: a pasted page says no more


@dataclass(frozen=True, slots=True)
class Question:
    """What names are compared with."""

    words: Mapping[str, str]  # the root of each telling word, and the word
    names: tuple[str, ...]  # asked for by name, without what qualifies them
    joined: frozenset[str]  # telling words that stand side by side, written as one
    spelled: frozenset[str]  # the same, as a definition may be called
    is_name: bool  # nothing is asked for but one name
    about: frozenset[str] = frozenset()  # tags of the files it asks for
    path: tuple[str, ...] = ()  # folders and file, if a path was typed


def question_of(
    query: Query, about: frozenset[str] = frozenset(), path: tuple[str, ...] = ()
) -> Question:
    """What a query says to signals; filters and what is excluded say nothing."""
    text = " ".join(
        leaf.word or leaf.text if isinstance(leaf, Term) else leaf.text
        for leaf in wanted_leaves(query.wanted)
        if isinstance(leaf, Text | Phrase | Term)
    )
    return _read(text, about, path)


@lru_cache(maxsize=1024)
def _read(text: str, about: frozenset[str], path: tuple[str, ...]) -> Question:
    telling = _telling(text)
    words = {root: word for word in telling for root in roots_of(word)}
    is_name = len(text.split()) == 1
    names = dict.fromkeys(
        JOINT.split(word)[-1] for word in DOTTED.findall(text) if is_name or _is_name(word)
    )
    runs = [
        [word.lower() for word in telling[begin : begin + size]]
        for size in range(2, MOST_JOINED + 1)
        for begin in range(len(telling) - size + 1)
    ]
    joined = frozenset(plain("".join(run)) for run in runs)
    spelled = frozenset(mark.join(run) for run in runs for mark in ("", "_"))
    return Question(words, tuple(names), joined, spelled, is_name, about, path)


def _telling(text: str) -> list[str]:
    """The words that say what is wanted; all of them if none does."""
    words = IDENTIFIER.findall(text)[:MOST_WORDS]
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    return [word for word in telling if word.lower() not in QUESTION_WORDS] or telling or words


def _is_name(word: str) -> bool:
    """Whether a word of a sentence looks like the name of something in code."""
    if COMPOUND.search(word):
        return True
    if len(word) < MIN_NAME or word.lower() in STOP_WORDS or word.lower() in QUESTION_WORDS:
        return False
    return word.isupper() or (word[0].isupper() and word[1:].islower())
