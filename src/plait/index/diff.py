"""Diff: what of a source is new, changed or gone, compared with the index.

The digest decides. Stamps only spare the reading of files that were read before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plait.types import Listed, Skipped, Source, SourceFile

SKIPPED = "-"  # an outcome that begins so is a reason, not a digest
DETAIL = ": "  # what follows it, behind a reason, is a sentence about it
# Reasons that are not of a file but of the moment in which it was opened: a disk that failed, a
# folder on the way that was replaced. Nothing about the file may change when they are over.
PASSING = frozenset({"read error", "missing", "symlink", "special", "folder"})
MASKED = "*"  # what follows it, behind a digest, is how many secrets were masked


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
                self._skip(file, stamp)
                continue
            if stamp or file.masked:
                masked = f"{MASKED}{file.masked}" if file.masked else ""
                self.stamps[path] = (stamp, file.digest + masked)
            if self.known.get(path) == file.digest:
                self.touched += 1
                continue
            yield file

    def _skip(self, file: Skipped, stamp: str) -> None:
        self.skipped[file.reason] += 1
        detail = f"{DETAIL}{file.detail}" if file.detail else ""
        if file.reason not in PASSING:
            self.stamps[file.path] = (stamp, f"{SKIPPED}{file.reason}{detail}")
        if file.path in self.known:
            self.gone.add(file.path)


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
            diff.skipped[outcome.removeprefix(SKIPPED).partition(DETAIL)[0]] += 1
        elif stamp and seen == stamp and outcome.partition(MASKED)[0] == known.get(path):
            diff.unchanged += 1
        else:
            diff.unread.append(item)
            continue
        diff.stamps[path] = (stamp, outcome)
    diff.gone.update(_missing(known, listed))
    return diff


def masked_in(stamps: Mapping[str, tuple[str, str]]) -> tuple[int, int]:
    """How many secrets were masked when files were last read, and in how many files."""
    counts = masked_by_path(stamps)
    return sum(counts.values()), len(counts)


def masked_by_path(stamps: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """The files in which secrets were masked when they were last read, and how many."""
    return {
        path: int(count)
        for path, (_, outcome) in stamps.items()
        if not outcome.startswith(SKIPPED) and (count := outcome.partition(MASKED)[2]).isdecimal()
    }


def _missing(known: Iterable[str], listed: set[str]) -> Iterator[str]:
    return (path for path in known if path not in listed)
