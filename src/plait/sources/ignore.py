"""Ignore rules: which entries of a tree does nobody want to see, and who said so?

Four kinds of rules apply, the stronger first: globs given by the caller, ``.plaitignore``,
``.ignore``, and git's own (``.gitignore``, then the repository's and the user's excludes).
Within a kind the file nearest to the entry decides, and within a file the last line that
matches. A stronger kind may take back in what a weaker one leaves out, as in ripgrep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import re2

from plait.sources.globs import Glob, options, parse_line

OWN_FILES = (".plaitignore", ".ignore")
GIT_FILE = ".gitignore"
UTF8_MARK = b"\xef\xbb\xbf"


class Pattern(Protocol):
    """The little of a compiled expression that is used here."""

    def search(self, text: bytes) -> object | None: ...


class Rule(NamedTuple):
    """The line that decided."""

    origin: str
    line: int
    text: str
    negated: bool

    def __str__(self) -> str:
        return f"{self.origin}:{self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The patterns of one ignore file, asked about paths relative to its folder.

    One union of all patterns answers "does any line match?", which for most entries is no;
    only then are the lines tried singly, last first.
    """

    origin: str
    base: int  # length of the folder's path, its slash included
    globs: tuple[Glob, ...]  # last line first
    union: Pattern
    singles: list[Pattern | None] = field(default_factory=list)

    def decide(self, path: bytes) -> Rule | None:
        """The last line that names this entry; a folder's path ends in a slash."""
        inner = path[self.base :] if self.base else path
        if self.union.search(inner) is None:
            return None
        for index, glob in enumerate(self.globs):
            single = self.singles[index]
            if single is None:
                single = self.singles[index] = re2.compile(glob.regex.encode("latin-1"), options())
            if single.search(inner) is not None:
                return Rule(self.origin, glob.line, glob.text, glob.negated)
        return None


def parse_rules(content: bytes, origin: str, folder: str = "") -> RuleFile | None:
    """Read an ignore file that lies in ``folder``; None if it holds no pattern.

    A line RE2 cannot take is left out, as git leaves out a line it cannot read.
    """
    lines = content.removeprefix(UTF8_MARK).split(b"\n")
    globs = [glob for n, line in enumerate(lines, 1) if (glob := parse_line(n, line))]
    base = len(folder.encode("utf-8", "surrogateescape")) + 1 if folder else 0
    sound = tuple(glob for glob in reversed(globs) if compiles(glob.regex))
    if not sound:
        return None
    try:
        union = re2.compile("|".join(g.regex for g in sound).encode("latin-1"), options())
    except re2.error:  # together they exceed RE2's memory: let the lines speak singly
        union = re2.compile(b"", options())
    return RuleFile(origin, base, sound, union, [None] * len(sound))


def compiles(regex: str) -> bool:
    """Whether RE2 takes an expression."""
    try:
        re2.compile(regex.encode("latin-1"), options())
    except re2.error:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules in force in one folder, the nearest file of each kind first."""

    given: tuple[RuleFile, ...] = ()
    plaitignore: tuple[RuleFile, ...] = ()
    ignore: tuple[RuleFile, ...] = ()
    gitignore: tuple[RuleFile, ...] = ()

    @classmethod
    def start(cls, exclude: Sequence[str], git_wide: Iterable[RuleFile | None] = ()) -> Rules:
        """The rules above a root: the caller's globs, and git's excludes, nearest first."""
        lines = "\n".join(exclude).encode("utf-8", "surrogateescape")
        given = parse_rules(lines, "exclude option")
        return cls(
            given=(given,) if given else (),
            gitignore=tuple(file for file in git_wide if file is not None),
        )

    def within(self, folder: str, names: Iterable[str], read: Callable[[str], bytes]) -> Rules:
        """These rules and those of the ignore files ``names`` lying in ``folder``."""
        rules = self
        for name in names:
            origin = f"{folder}/{name}" if folder else name
            file = parse_rules(read(origin), origin, folder)
            if file is None:
                continue
            kind = name.removeprefix(".")
            rules = replace(rules, **{kind: (file, *getattr(rules, kind))})
        return rules

    def decide(self, path: str, *, is_folder: bool) -> Rule | None:
        """The rule that speaks about this entry, be it to leave out or to take back in."""
        if not (self.given or self.plaitignore or self.ignore or self.gitignore):
            return None
        entry = path.encode("utf-8", "surrogateescape")
        if is_folder:
            entry += b"/"
        for kind in (self.given, self.plaitignore, self.ignore, self.gitignore):
            for file in kind:
                rule = file.decide(entry)
                if rule is not None:
                    return rule
        return None
