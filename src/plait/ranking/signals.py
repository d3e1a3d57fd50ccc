"""Signals: what speaks for a file and what against it, one row and one small function each.

A row names the signal, says what it means, and weighs it; its function gives a value, mostly from
0 to 1, of what is known about a file. What a lane found enters as any other signal does: its row
names the lane it comes from. Weights are fitted (benchmarks/ranking, docs/decisions/0028).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from plait.ranking.definitions import Definition
from plait.ranking.names import Meeting, PathNames, plain
from plait.ranking.pool import Candidate, Pool
from plait.ranking.question import Question
from plait.types import ChunkId, FileFacts

MOST_LEFT = 4  # words of a name that nobody asked for, beyond which more do not matter
MOST_DEPTH = 6  # the same for folders
SIZE_SCALE = 10
BEGINS = 0.5  # what a name counts that only begins as asked


@dataclass(slots=True)
class File:
    """A file that was found, and what is known about it and about the question."""

    candidate: Candidate
    pool: Pool
    facts: FileFacts
    names: PathNames
    meeting: Meeting
    question: Question
    definitions: list[Definition]
    shown: ChunkId  # the chunk that speaks for it


Value = Callable[[File], float]


class Signal(NamedTuple):
    """One thing that is known about a file, and what it is worth."""

    name: str
    weight: float  # for a value of 1; its sign says whether it speaks for the file
    means: str  # in words
    value: Value
    detail: Callable[[File, float], str] | None = None  # the same of one file and its value
    lane: str = ""  # the lane it comes from, if it is one's finding

    def scaled(self, by: float) -> Signal:
        """The same signal with another weight."""
        return self if by == 1.0 else self._replace(weight=self.weight * by)


# ---------------------------------------------------------------- what lanes found


def best_chunk(lane: str) -> Value:
    """The score of the file's best chunk, of the best there is."""

    def value(file: File) -> float:
        found = file.candidate.by_lane.get(lane)
        return found.best if found else 0.0

    return value


def three_best(lane: str) -> Value:
    """The shares of the file's three best chunks, of the most a file has."""

    def value(file: File) -> float:
        found = file.candidate.by_lane.get(lane)
        return found.shares / most if found and (most := file.pool.most[lane]) else 0.0

    return value


def share_found(lane: str) -> Value:
    """How much of the file is among the first hundred chunks."""

    def value(file: File) -> float:
        found = file.candidate.by_lane.get(lane)
        return found.chunks / file.facts.chunks if found else 0.0

    return value


def found_deep(file: File) -> float:
    """Whether no lane has it among its first hundred chunks."""
    return 0.0 if file.candidate.by_lane else 1.0


# ---------------------------------------------------------------- what it is called


def stem_met(file: File) -> float:
    """The share of the words of its name that the question has."""
    roots, word = file.names.stem_roots, file.meeting.word
    return sum(1 for root in roots if word(root)) / len(roots) if roots else 0.0


def stem_left(file: File) -> float:
    """The words of its name that the question does not have, four at most."""
    word = file.meeting.word
    return min(sum(1 for root in file.names.stem_roots if not word(root)), MOST_LEFT) / MOST_LEFT


def folders_met(file: File) -> float:
    """The share of the words of its folders that the question has."""
    roots, has = file.names.folder_roots, file.meeting.has
    return sum(1 for root in set(roots) if has(root)) / len(roots) if roots else 0.0


def called_as_asked(file: File) -> float:
    """Whether the one name asked for is that of the file, or begins with it."""
    question = file.question
    if not question.is_name or not question.names:
        return 0.0
    stem, name = plain(file.names.stem), plain(question.names[0])
    if stem and stem == name:
        return 1.0
    return BEGINS if len(stem) >= 3 and name.startswith(stem) else 0.0


def words_joined(file: File) -> float:
    """Whether words that stand side by side in the question are one name: its own, or of
    something it defines."""
    if plain(file.names.stem) in file.question.joined:
        return 1.0
    worth = [one.worth for one in file.definitions if not one.is_asked]
    return 0.5 + 0.5 * max(worth) if worth else 0.0


# ---------------------------------------------------------------- what it defines


def defines_the_name(file: File) -> float:
    """Whether it defines the one name asked for: rather a type than a function or a method."""
    return _defined(file) if file.question.is_name else 0.0


def defines_a_name(file: File) -> float:
    """Whether it defines a name that stands in the question."""
    return 0.0 if file.question.is_name else _defined(file)


def _defined(file: File) -> float:
    return max((one.worth for one in file.definitions if one.is_asked), default=0.0)


# ---------------------------------------------------------------- what it is


def tagged(*tags: str) -> Value:
    """Whether it is of one of these kinds: less than nothing if the question asks for them."""
    kinds = frozenset(tags)

    def value(file: File) -> float:
        if kinds.isdisjoint(file.facts.tags):
            return 0.0
        return 1.0 if kinds.isdisjoint(file.question.about) else -1.0

    return value


def size(file: File) -> float:
    """The logarithm of its bytes: there is more to find in a long file."""
    return log(file.facts.size) / SIZE_SCALE if file.facts.size > 1 else 0.0


def depth(file: File) -> float:
    """How many folders deep it lies, six at most."""
    return min(file.names.depth, MOST_DEPTH) / MOST_DEPTH
