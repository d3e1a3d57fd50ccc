"""Line search: what a search for lines is in every store.

How much is left of it, in lines and in time; which of a file's lines it gives back and how many
it counts; what it says last. A store only finds the files, in the order they are wanted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_letters, digits
from typing import Protocol, Self, TypeVar

from plait.errors import OutOfTime
from plait.patterns.needs import Need, either
from plait.patterns.required import required
from plait.types import FileLines, Line, LineQuery, Tally
from plait.types.notes import CUT, Note
from plait.types.notes import SCANNED as CODE

SCANNED = Note(
    CODE, "the pattern has no literal trigram, so the index could not help: all files were scanned"
)
MANY_NAMED = 200  # definitions looked at for files to show first
MAX_MISSED = 32  # of them in a row that do not match as they stand
WORD = frozenset(letter.encode() for letter in f"{ascii_letters}{digits}_")


class Found(Protocol):
    """A file that matches."""

    @property
    def lines(self) -> list[Line]:
        """Those that are still wanted."""
        ...

    @property
    def total(self) -> int:
        """How many there are, as far as that is still to be counted."""
        ...


AnyFound = TypeVar("AnyFound", bound=Found)


@dataclass(slots=True)
class Budget:
    """How much is left of a search."""

    deadline: float
    left: int | None  # lines to give back; None for all
    to_count: int  # lines to count after that
    done: set[object] = field(default_factory=set)  # files that were given, as the store sees fit

    @classmethod
    def of(cls, asked: LineQuery) -> Self:
        """All of it: the clock runs from now on."""
        beyond = max(asked.count_to - asked.limit, 0) if asked.limit else 0
        return cls(time.monotonic() + asked.within_s, asked.limit or None, beyond)

    def spend(self, found: Found) -> int:
        """Take off what a file has; how many of its lines count. Of its lines only those are
        left that may still be given: it may have been found when there was more to spend."""
        if self.left is None:
            return found.total
        del found.lines[self.left :]
        self.left -= len(found.lines)
        counted = min(found.total - len(found.lines), self.to_count)
        self.to_count -= counted
        return len(found.lines) + counted

    def check_time(self, needed_s: float = 0.0) -> None:
        """Stop if time is up, or would be before what comes next is done.

        Raises:
            OutOfTime: It is.
        """
        if time.monotonic() + needed_s > self.deadline:
            raise OutOfTime("not everything was read in time")


def tallied(
    found: Iterable[AnyFound],
    shown: Callable[[AnyFound], FileLines],
    asked: LineQuery,
    budget: Budget,
    notes: Sequence[Note] = (),
    *,
    is_partial: bool = False,
) -> Iterator[FileLines | Tally]:
    """Files as they are shown, until enough was found; the tally comes last.

    Args:
        found: The files that match, each when it is asked for.
        notes: What there is to say before anything was found.
        is_partial: Whether something was left out before.
    """
    lines = matches = files = 0
    is_exact = not is_partial
    try:
        for one in found:
            counted = budget.spend(one)
            lines += counted
            files += counted > 0
            if one.lines:
                matches += sum([len(line.ranges) for line in one.lines])
                yield shown(one)
            if counted < one.total:
                is_exact = False
                break
    except OutOfTime:
        is_exact, is_partial = False, True
        up = f"time was up after {asked.within_s:g} s; not all code was looked at"
        notes = [*notes, Note(CUT, f"{up} (--timeout gives it more)")]
    yield Tally(lines, matches, files, is_exact, is_partial, tuple(notes))


def needed(asked: LineQuery) -> Need:
    """What a line has to hold for one of the patterns to match in it."""
    return either(
        required(one.regex, ignore_case=one.ignore_case, is_multiline=asked.is_multiline)
        for one in asked.patterns
    )


def find_word(content: bytes, name: bytes, begin: int, end: int) -> int:
    """Where a name stands as a word between two places; else where it stands at all."""
    first = at = content.find(name, begin, end)
    while at >= 0:
        behind = at + len(name)
        if content[at - 1 : at] not in WORD and content[behind : behind + 1] not in WORD:
            return at
        at = content.find(name, at + 1, end)
    return first
