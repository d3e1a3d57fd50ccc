"""Diff: what of a source is new, changed or gone, compared with the index.

The digest decides. Stamps only spare the reading of files that were read before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plait.types import Listed, Skipped, Source, SourceFile

SKIPPED = "-"  # an outcome that begins so is a reason, not a digest


@dataclass(slots=True)
class Diff:
    """A comparison: complete once ``changed`` has been read to its end."""

    source: Source
    known: Mapping[str, str]  # path to digest in the index
    unread: list[Listed] = field(default_factory=list)
    unchanged: int = 0
    touched: int = 0  # read again, and found the same
    skipped: Counter[str] = field(default_factory=Counter)
    stamps: dict[str, tuple[str, str]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    def changed(self) -> Iterator[SourceFile]:
        """Read what may have changed, in path order; yield what has."""
        for path, stamp in self.unread:
            file = self.source.read(path)
            if isinstance(file, Skipped):
                self._skip(path, file.reason, stamp)
                continue
            if stamp:
                self.stamps[path] = (stamp, file.digest)
            if self.known.get(path) == file.digest:
                self.touched += 1
                continue
            yield file

    def _skip(self, path: str, reason: str, stamp: str) -> None:
        self.skipped[reason] += 1
        if stamp:
            self.stamps[path] = (stamp, SKIPPED + reason)
        if path in self.known:
            self.gone.add(path)


def compare(
    source: Source, known: Mapping[str, str], stamps: Mapping[str, tuple[str, str]]
) -> Diff:
    """List a source and sort its files by what must be read."""
    diff = Diff(source, known)
    listed: set[str] = set()
    for item in source.listing():
        if isinstance(item, Skipped):
            diff.skipped[item.reason] += 1
            continue
        path, stamp = item
        listed.add(path)
        seen, outcome = stamps.get(path, ("", ""))
        if stamp and seen == stamp and outcome.startswith(SKIPPED) and path not in known:
            diff.skipped[outcome.removeprefix(SKIPPED)] += 1
        elif stamp and seen == stamp and outcome == known.get(path):
            diff.unchanged += 1
        else:
            diff.unread.append(item)
            continue
        diff.stamps[path] = (stamp, outcome)
    diff.gone.update(_missing(known, listed))
    return diff


def _missing(known: Iterable[str], listed: set[str]) -> Iterator[str]:
    return (path for path in known if path not in listed)
