"""Cases of documentation: what mining sections yields, and the limits it keeps to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plait.errors import SettingError
from plait.evaluation.mining.cases import DEV_PERCENT


@dataclass(frozen=True, slots=True)
class DocOptions:
    """How much a section may name to be a case.

    Args:
        limit: Cases of one package; of more, those are taken whose ids hash lowest.
        max_symbols: Definitions a section may name.
    """

    limit: int = 150
    max_symbols: int = 5

    def __post_init__(self) -> None:
        for name in ("limit", "max_symbols"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class DocCase:
    """A section as a query with its right answers."""

    id: str
    text: str
    package: str
    path: str  # of the page or the file it stands in
    line: int
    language: str  # most of its files are written in it
    files: tuple[str, ...]
    symbols: tuple[str, ...]  # path::qualified.name
    mentions_target: bool  # what is left of the words names one of them, or the stem of its file
    without: str  # the file it was taken from, if that is searched: it is no answer

    @property
    def split(self) -> str:
        """``dev`` or ``test``, by the package: cases of one package never part."""
        return split_of(self.package)


@dataclass(frozen=True, slots=True)
class MinedDocs:
    """The cases of the documentation of one package."""

    name: str
    repository: str  # as it was given
    revision: str  # "" for a folder that is no repository
    options: DocOptions
    sections: int  # looked at
    cases: Sequence[DocCase]
    left_out: Mapping[str, int]  # sections by reason

    @property
    def languages(self) -> dict[str, int]:
        """How many cases each language has, most first."""
        counted = Counter(case.language for case in self.cases)
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def split_of(package: str) -> str:
    """The side a package is on."""
    digest = hashlib.sha1(package.encode(), usedforsecurity=False).hexdigest()
    return "dev" if int(digest[:8], 16) % 100 < DEV_PERCENT else "test"
