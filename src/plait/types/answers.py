"""What is answered: hits, rankings, results, lines, and why a score is what it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from plait.types.code import Chunk, ChunkId, Span
from plait.types.expressions import Query
from plait.types.notes import Note


class Reason(NamedTuple):
    """Why a score is what it is: programs read the name, people the words."""

    name: str  # a lane, a way of fusing, a measure or a signal
    value: float
    parts: tuple[Reason, ...] = ()
    words: str = ""  # how the parts, or what was counted, make the value

    @classmethod
    def total(cls, name: str, parts: Iterable[Reason], words: str = "") -> Reason:
        """A reason that is the exact sum of its parts, whatever their order."""
        kept = tuple(parts)
        return cls(name, math.fsum([part.value for part in kept]), kept, words)

    @property
    def text(self) -> str:
        """The words; the name where there are none."""
        return self.words or self.name

    def lines(self, depth: int = -1) -> Iterator[str]:
        """The account as indented lines, down to ``depth`` levels (-1: all)."""
        yield f"{self.value:.4f}  {self.text}"
        if depth != 0:
            for part in self.parts:
                yield from (f"  {line}" for line in part.lines(depth - 1))


class Hit(NamedTuple):
    """A chunk a ranker found, and its score there."""

    chunk: ChunkId
    reason: Reason

    @property
    def score(self) -> float:
        return self.reason.value


class Ranking(NamedTuple):
    """Hits of one ranker: best first, no chunk twice.

    ``notes`` say how it came about. It is partial if something that might
    have matched was not looked at; a note says what.
    """

    name: str
    hits: tuple[Hit, ...]
    notes: tuple[Note, ...] = ()
    is_partial: bool = False

    @classmethod
    def best_first(cls, name: str, hits: Iterable[Hit]) -> Ranking:
        """The one place where hits are sorted: by score, best first, then by chunk id."""
        ordered = sorted(hits, key=lambda hit: (-hit.reason.value, hit.chunk))
        return cls(name, tuple(ordered))


class Result(NamedTuple):
    """A hit with its chunk loaded: one line of an answer."""

    rank: int
    chunk: Chunk
    reason: Reason
    snippet: str
    snippet_span: Span
    more_in_file: int = 0  # further chunks of this file that matched, as far as was looked

    @property
    def score(self) -> float:
        return self.reason.value


class Line(NamedTuple):
    """A line of a file, and where in it a pattern matches, by bytes."""

    number: int  # from 1
    begin: int  # in the file
    text: bytes  # UTF-8, without the newline
    ranges: tuple[tuple[int, int], ...] = ()  # one that goes on in the next line ends behind it
    is_match: bool = True  # otherwise it is here for context
    defines: bool = False  # a match touches the name of what is defined here


class FileLines(NamedTuple):
    """The lines of one file that match, with their context, in order."""

    repo: str
    path: str
    language: str
    tags: tuple[str, ...]
    size: int  # of the file, in bytes: whether its last line ends with a newline can be told
    lines: tuple[Line, ...]


class Tally(NamedTuple):
    """How much a search for lines found: the last thing it says.

    Unless it is exact there may be more. It is partial if something in scope was not looked
    at for want of time; a note says so, or that everything had to be read.
    """

    lines: int
    matches: int  # in the lines given back
    files: int
    is_exact: bool
    is_partial: bool = False
    notes: tuple[Note, ...] = ()


class PlannedLane(NamedTuple):
    """What a plan gives to one lane, and why."""

    name: str
    weight: float  # in fusion
    depth: int  # chunks asked for at first
    within_s: float
    why: str  # in words


class Absent(NamedTuple):
    """A lane that was wanted and gave no answer, and why."""

    lane: str
    code: str  # "unavailable", "failed" or "late"
    words: str
    hint: str = ""

    @property
    def sentence(self) -> str:
        """What happened, for people."""
        return f"the {self.lane} lane gave no answer: {self.words}"


class Timing(NamedTuple):
    """How long a stage or a lane took."""

    name: str
    seconds: float


class Timings(NamedTuple):
    """How long a search took: all of it, its stages, and its lanes, which run at the same time."""

    total: float = 0.0
    stages: tuple[Timing, ...] = ()
    lanes: tuple[Timing, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found, on which generation, and what it could not cover."""

    query: Query
    generation: int
    results: tuple[Result, ...]
    plan: tuple[PlannedLane, ...] = ()  # the lanes that were asked
    shape: str = ""  # of the question, which the plan follows
    about: frozenset[str] = frozenset()  # tags of the kinds of file that are asked for
    absent: tuple[Absent, ...] = ()
    notes: tuple[Note, ...] = ()  # how the search was relaxed or cut short
    hints: tuple[Note, ...] = ()  # what the user may want to try
    is_partial: bool = False  # something that might have matched was not looked at
    expanded: tuple[str, ...] = ()  # words that expansion added
    timings: Timings = field(default_factory=Timings, compare=False)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The lanes that were asked, by name."""
        return tuple(lane.name for lane in self.plan)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a generation holds."""

    files: int
    chunks: int
    symbols: int
    source_bytes: int
    index_bytes: int
    languages: Mapping[str, int] = field(default_factory=dict)  # files of each
