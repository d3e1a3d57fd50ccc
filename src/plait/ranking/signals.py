"""Signals: what speaks for a file and what against it, one row and one small function each.

A row names the signal, says what it means, and weighs it; its function gives a value, mostly from
0 to 1, for each of the files. What a lane found enters as any other signal does: its row names the
lane it comes from. Weights are fitted (benchmarks/ranking, docs/decisions/0028).

Functions take all files at once, and give nothing where the question leaves them nothing to say: a
call for every file and signal would cost more than the rest of the ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from plait.ranking.definitions import Definition
from plait.ranking.names import MIN_PREFIX, Meeting, PathNames, plain
from plait.ranking.paths import path_met
from plait.ranking.pool import Candidate
from plait.ranking.question import Question
from plait.ranking.versions import superseded
from plait.types import ChunkId, FileFacts

MOST_LEFT = 4  # words of a name that nobody asked for, beyond which more do not matter
MOST_DEPTH = 6  # the same for folders
SIZE_SCALE = 10
BEGINS = 0.5  # what a name counts that only begins as asked


@dataclass(slots=True)
class File:
    """A file that was found, and what is known about it."""

    candidate: Candidate
    facts: FileFacts
    names: PathNames
    meeting: Meeting  # of its repository's words with the question's
    stem_met: int  # words of its name that the question has
    definitions: Sequence[Definition]
    shown: ChunkId  # the chunk that speaks for it


@dataclass(frozen=True, slots=True)
class Files:
    """All files that were found, and what was asked."""

    rows: Sequence[File]
    question: Question
    most: Mapping[str, float]  # of each lane, the most that a file has
    tags: frozenset[str]  # that any of them carries
    is_deep: bool  # a lane was asked for more than its first hundred


Values = Sequence[float] | None  # a value for each file; None if it is 0 for all
Measure = Callable[[Files], Values]


class Signal(NamedTuple):
    """One thing that is known about a file, and what it is worth."""

    name: str
    weight: float  # for a value of 1; its sign says whether it speaks for the file
    means: str  # in words
    values: Measure
    detail: Callable[[File, float], str] | None = None  # the same of one file and its value
    lane: str = ""  # the lane it comes from, if it is one's finding

    def scaled(self, by: float) -> Signal:
        """The same signal with another weight."""
        return self if by == 1.0 else self._replace(weight=self.weight * by)


# ---------------------------------------------------------------- what lanes found


def best_chunk(lane: str) -> Measure:
    """The score of the file's best chunk, of the best there is."""

    def values(files: Files) -> Values:
        if not files.most.get(lane):
            return None
        found = [row.candidate.by_lane.get(lane) for row in files.rows]
        return [one.best if one else 0.0 for one in found]

    return values


def three_best(lane: str) -> Measure:
    """The shares of the file's three best chunks, of the most a file has."""

    def values(files: Files) -> Values:
        most = files.most.get(lane)
        if not most:
            return None
        found = [row.candidate.by_lane.get(lane) for row in files.rows]
        return [one.shares / most if one else 0.0 for one in found]

    return values


def share_found(lane: str) -> Measure:
    """How much of the file is among the first hundred chunks."""

    def values(files: Files) -> Values:
        if not files.most.get(lane):
            return None
        found = [(row, row.candidate.by_lane.get(lane)) for row in files.rows]
        return [one.chunks / row.facts.chunks if one else 0.0 for row, one in found]

    return values


def found_deep(files: Files) -> Values:
    """Whether no lane has it among its first hundred chunks."""
    if not files.is_deep:
        return None
    return [0.0 if row.candidate.by_lane else 1.0 for row in files.rows]


# ---------------------------------------------------------------- what it is called


def stem_met(files: Files) -> Values:
    """The share of the words of its name that the question has."""
    return [row.stem_met / len(row.names.stem_roots) if row.stem_met else 0.0 for row in files.rows]


def stem_left(files: Files) -> Values:
    """The words of its name that the question does not have, four at most."""
    left = [len(row.names.stem_roots) - row.stem_met for row in files.rows]
    return [(min(MOST_LEFT, one)) / MOST_LEFT for one in left]


def folders_met(files: Files) -> Values:
    """The share of the words of its folders that the question has."""
    given = []
    for row in files.rows:
        roots, words = row.names.folder_roots, row.meeting.words
        met = {root for root in roots if root in words} if roots else ()
        given.append(len(met) / len(roots) if met else 0.0)
    return given


def first_words(files: Files) -> Values:
    """How much of the question its path has: the first words say what is wanted."""
    given = []
    for row in files.rows:
        roots = row.names.stem_roots + row.names.folder_roots
        met = set(filter(None, map(row.meeting.root, roots)))
        given.append(sum([row.meeting.shares[root] for root in met]) if met else 0.0)
    return given


def called_as_asked(files: Files) -> Values:
    """Whether the one name asked for is that of the file, or begins with it."""
    question = files.question
    if not question.is_name or not question.names:
        return None
    name = plain(question.names[0])
    return [_called(plain(row.names.stem), name) for row in files.rows]


def _called(stem: str, name: str) -> float:
    if stem and stem == name:
        return 1.0
    return BEGINS if len(stem) >= MIN_PREFIX and name.startswith(stem) else 0.0


def path_typed(files: Files) -> Values:
    """Whether the path that was typed is its own, or that of a folder it is in."""
    typed = files.question.path
    if not typed:
        return None
    return [path_met(typed, row.candidate.key[1]) for row in files.rows]


def words_joined(files: Files) -> Values:
    """Whether words that stand side by side in the question are one name: its own, or of
    something it defines."""
    joined = files.question.joined
    if not joined:
        return None
    given = []
    for row in files.rows:
        if plain(row.names.stem) in joined:
            given.append(1.0)
        else:
            worth = [one.worth for one in row.definitions if not one.is_asked]
            given.append(0.5 + 0.5 * max(worth) if worth else 0.0)
    return given


# ---------------------------------------------------------------- what it defines


def defines_the_name(files: Files) -> Values:
    """Whether it defines the one name asked for: rather a type than a function or a method."""
    return _defined(files) if files.question.is_name else None


def defines_a_name(files: Files) -> Values:
    """Whether it defines a name that stands in the question."""
    return None if files.question.is_name else _defined(files)


def _defined(files: Files) -> Values:
    if not files.question.names:
        return None
    return [
        max((one.worth for one in row.definitions if one.is_asked), default=0.0)
        for row in files.rows
    ]


# ---------------------------------------------------------------- what it is


def tagged(*tags: str) -> Measure:
    """Whether it is of one of these kinds: less than nothing if the question asks for them, and
    nothing if one name of theirs is asked for and defined here."""
    kinds = frozenset(tags)

    def values(files: Files) -> Values:
        if kinds.isdisjoint(files.tags):
            return None
        question = files.question
        is_asked = not kinds.isdisjoint(question.about)
        value = -1.0 if is_asked and not question.is_name else 1.0
        return [
            value
            if row.facts.tags
            and not kinds.isdisjoint(row.facts.tags)
            and not (is_asked and question.is_name and row.definitions)
            else 0.0
            for row in files.rows
        ]

    return values


def older_version(files: Files) -> Values:
    """Whether a newer version of it was found, and the question does not name this one."""
    paths = [row.candidate.key[1] for row in files.rows]
    old = superseded(paths, files.question.words.values())
    return [float(one) for one in old] if any(old) else None


def size(files: Files) -> Values:
    """The logarithm of its bytes: there is more to find in a long file."""
    return [log(row.facts.size) / SIZE_SCALE if row.facts.size else 0.0 for row in files.rows]


def depth(files: Files) -> Values:
    """How many folders deep it lies, six at most."""
    return [min(row.names.depth, MOST_DEPTH) / MOST_DEPTH for row in files.rows]
