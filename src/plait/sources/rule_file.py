"""The patterns of one ignore file, asked about many paths.

A file as people write them becomes one expression for RE2. Of a long one most lines are a name,
a path, or a star and an ending: these are looked up, and fifty thousand of them cost no more
than ten. The others are compiled when first asked, some at a time: in one expression of all of
them RE2 would run out of memory for its states and fall back to a search that costs as much as
the expression is long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import re2

from plait.sources.globs import Glob, Kind, options

FEW = 100  # lines: RE2 takes so many in less time than the look-ups do
BUNDLE_COST = 256  # measured: larger unions of hostile lines cost more than several
BUNDLE_BYTES = 4096

Lines = dict[bytes, Glob]


class Pattern(Protocol):
    """The little of a compiled expression that is used here."""

    def search(self, text: bytes) -> object | None: ...


class Bundle:
    """Some lines that need an expression. One union of them answers for most entries that none
    matches; only if it does are the lines tried singly, last first."""

    def __init__(self, globs: Sequence[Glob]) -> None:
        self.globs = globs  # last line first
        self._union: Pattern | None = None
        self._singles: list[Pattern | None] = [None] * len(globs)

    def last_match(self, path: bytes) -> Glob | None:
        """The last line that matches."""
        if self._union is None:
            self._union = compiled(b"|".join(glob.regex for glob in self.globs), b"")
        if self._union.search(path) is None:
            return None
        for index, glob in enumerate(self.globs):
            single = self._singles[index]
            if single is None:
                single = self._singles[index] = compiled(glob.regex, NEVER)
            if single.search(path) is not None:
                return glob
        return None


NEVER = rb"[^\x00-\xff]"


def compiled(regex: bytes, otherwise: bytes) -> Pattern:
    """An expression, or another one where RE2 has not the memory for it."""
    try:
        made: Pattern = re2.compile(regex, options())
    except re2.error:
        made = re2.compile(otherwise, options())
    return made


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The patterns of one ignore file, asked about paths relative to its folder."""

    origin: str
    base: int  # length of the folder's path, its slash included
    is_long: bool
    names: Lines
    paths: Lines
    suffixes: Lines
    suffix_lengths: tuple[int, ...]
    bundles: tuple[Bundle, ...]  # last lines first
    cost: int = field(default=0)

    @classmethod
    def of(cls, origin: str, base: int, globs: Sequence[Glob]) -> RuleFile:
        """The rules of some lines, in their order."""
        by_kind: dict[Kind, Lines] = {kind: {} for kind in Kind}
        is_long = len(globs) > FEW
        for glob in globs if is_long else ():  # of several lines with one key the last stays
            by_kind[glob.kind][glob.key] = glob
        suffixes = by_kind[Kind.SUFFIX]
        tangled = sorted(by_kind[Kind.TANGLED].values() if is_long else globs, reverse=True)
        return cls(
            origin,
            base,
            is_long,
            by_kind[Kind.NAME],
            by_kind[Kind.PATH],
            suffixes,
            tuple(sorted(set(map(len, suffixes)))),
            tuple(map(Bundle, bundled(tangled))),
            sum(glob.cost for glob in tangled),
        )

    def decide(self, path: bytes) -> Glob | None:
        """The last line that names this entry; a folder's path ends in a slash."""
        inner = path[self.base :] if self.base else path
        best = None
        if self.is_long:
            best = self._looked_up(inner)
            if inner[-1:] == b"/":  # what is said of any entry, and what is said of folders only
                other = self._looked_up(inner[:-1])
                if best is None or (other is not None and other.line > best.line):
                    best = other
        for bundle in self.bundles:
            if best is not None and best.line > bundle.globs[0].line:
                break
            found = bundle.last_match(inner)
            if found is not None:
                return found if best is None or found.line > best.line else best
        return best

    def _looked_up(self, path: bytes) -> Glob | None:
        best = self.paths.get(path)
        name = path[path.rfind(b"/", 0, -1) + 1 :]
        found = self.names.get(name)
        if found is not None and (best is None or found.line > best.line):
            best = found
        size = len(name)
        for length in self.suffix_lengths:
            if length > size:
                break
            found = self.suffixes.get(name[size - length :])
            if found is not None and (best is None or found.line > best.line):
                best = found
        return best


def bundled(globs: Iterable[Glob]) -> Iterator[list[Glob]]:
    """Lines in groups that RE2 takes together."""
    group: list[Glob] = []
    size = cost = 0
    for glob in globs:
        size, cost = size + len(glob.raw), cost + glob.cost
        if group and (cost > BUNDLE_COST or size > BUNDLE_BYTES):
            yield group
            group, size, cost = [], len(glob.raw), glob.cost
        group.append(glob)
    if group:
        yield group
