"""What the options of a search for lines ask for, whichever command they were given to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from plait.types import LineQuery, Order

COUNT_TO = 10_000  # lines counted beyond a limit, to say how many there are
DEFAULT_SECONDS = LineQuery(()).within_s
ORDERS = {"path": Order.PATH, "none": Order.RANK, "rank": Order.RANK}  # values of --sort


@dataclass(frozen=True, slots=True)
class LineOptions:
    """Which lines, how many, in which order."""

    is_word: bool = False
    is_inverted: bool = False
    is_multiline: bool = False
    before: int = 0
    after: int = 0
    per_file: int = 0
    limit: int = 0
    order: Order = Order.RANK
    within_s: float = DEFAULT_SECONDS
    counts: bool = False  # how many there are is said even if not all are wanted
    only: bool = False
    count_matches: bool = False
    is_marked: bool = True  # not only whether a line matches, but where

    @property
    def has_context(self) -> bool:
        return self.before > 0 or self.after > 0

    def applied(self, asked: LineQuery) -> LineQuery:
        """The lines of a query, as the options want them."""
        patterns = asked.patterns
        if self.is_word:
            patterns = tuple(replace(pattern, is_word=True) for pattern in patterns)
        return replace(
            asked,
            patterns=patterns,
            order=self.order,
            limit=self.limit,
            count_to=COUNT_TO if self.limit and self.counts else 0,
            per_file=self.per_file,
            before=self.before,
            after=self.after,
            is_inverted=self.is_inverted,
            is_multiline=self.is_multiline or asked.is_multiline,
            is_marked=self.is_marked,
            within_s=self.within_s,
        )

    def only_for_lines(self) -> Iterator[str]:
        """The options given that say nothing about chunks."""
        given = {
            "-w": self.is_word,
            "-v": self.is_inverted,
            "-A, -B and -C": self.has_context,
            "-m": self.per_file > 0,
            "--count-matches": self.count_matches,
            "-o": self.only,
            "-U": self.is_multiline,
            "--sort": self.order is not Order.RANK,
        }
        return (name for name, is_given in given.items() if is_given)
