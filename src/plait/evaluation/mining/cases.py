"""Cases: what mining yields, and the limits it keeps to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plait.errors import SettingError

DEV_PERCENT = 30


@dataclass(frozen=True, slots=True)
class Options:
    """How far to look back, and how much a commit may change to be a case.

    Args:
        limit: Commits looked at, merges included.
        max_files: Files a commit may touch in all.
        max_source_files: Files of code it may touch, tests not counted.
        max_symbols: Symbols that may be left as its truth.
        body: Whether the body of the message is part of the query.
    """

    limit: int = 2_000
    max_files: int = 20
    max_source_files: int = 5
    max_symbols: int = 10
    body: bool = False

    def __post_init__(self) -> None:
        for name in ("limit", "max_files", "max_source_files", "max_symbols"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Case:
    """A commit as a query with its right answers."""

    id: str
    text: str
    commit: str
    date: str
    subject: str  # as it was written
    language: str  # most of its files are written in it
    files: tuple[str, ...]
    symbols: tuple[str, ...]  # path::qualified.name; none if the change lies outside of all
    mentions_target: bool  # the query names one of them, or the stem of its file

    @property
    def split(self) -> str:
        """``dev`` or ``test``, by the commit alone: it never changes sides."""
        digest = hashlib.sha1(self.commit.encode(), usedforsecurity=False).hexdigest()
        return "dev" if int(digest[:8], 16) % 100 < DEV_PERCENT else "test"


@dataclass(frozen=True, slots=True)
class Mined:
    """The cases of one repository at one revision."""

    name: str
    repository: str  # as it was given
    revision: str
    options: Options
    commits: int  # looked at
    cases: Sequence[Case]
    left_out: Mapping[str, int]  # commits by reason

    @property
    def languages(self) -> dict[str, int]:
        """How many cases each language has, most first."""
        counted = Counter(case.language for case in self.cases)
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
