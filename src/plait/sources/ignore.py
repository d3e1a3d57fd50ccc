"""Ignore rules: which entries of a tree does nobody want to see, and who said so?

Four kinds of rules apply, the stronger first: globs given by the caller, ``.plaitignore``,
``.ignore``, and git's own (``.gitignore``, then the repository's and the user's excludes).
Within a kind the file nearest to the entry decides, and within a file the last line that
matches. A stronger kind may take back in what a weaker one leaves out, as in ripgrep.

An ignore file may be anybody's, and a megabyte of stars must not cost a minute. What the
rules of one file, of all files in force in a folder, and of a whole listing may cost is
bounded; where a file is cut, the lines after it are not applied and that is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plait.sources.globs import Glob, parse_line
from plait.sources.notes import Notes
from plait.sources.rule_file import RuleFile

OWN_FILES = (".plaitignore", ".ignore")
GIT_FILE = ".gitignore"
UTF8_MARK = b"\xef\xbb\xbf"

MAX_PATTERNS = 50_000  # of one file
MAX_COST = 4_000  # of what is no look-up, in all files in force together
MAX_LISTING_PATTERNS = 200_000  # of all files of one listing


class Rule(NamedTuple):
    """The line that decided."""

    origin: str
    line: int
    text: str
    negated: bool

    def __str__(self) -> str:
        return f"{self.origin}:{self.line}: {self.text}"


@dataclass(slots=True)
class Allowance:
    """What the ignore files of one listing may still cost, and what was left out for it."""

    notes: Notes = field(default_factory=Notes)
    patterns: int = MAX_LISTING_PATTERNS


def parse_rules(
    content: bytes,
    origin: str,
    folder: str = "",
    *,
    cost: int = MAX_COST,
    allowance: Allowance | None = None,
) -> RuleFile | None:
    """Read an ignore file that lies in ``folder``; None if it holds no pattern.

    Args:
        content: The file.
        origin: What the file is called when a rule is named.
        folder: Where it lies, relative to the root.
        cost: What its lines may cost together, see ``Glob.cost``.
        allowance: What the listing may still spend; gets the note if the file is cut.
    """
    allowance = allowance or Allowance()
    most = min(MAX_PATTERNS, allowance.patterns)
    globs: list[Glob] = []
    for number, line in enumerate(content.removeprefix(UTF8_MARK).split(b"\n"), 1):
        glob = parse_line(number, line) if line else None
        if glob is None:
            continue
        cost -= glob.cost
        if cost < 0 or len(globs) == most:
            why = "too many patterns" if cost >= 0 else "too many patterns with stars and brackets"
            allowance.notes.add(f"{origin} is not applied from line {number:,} on: {why}")
            break
        globs.append(glob)
    allowance.patterns -= len(globs)
    base = len(folder.encode("utf-8", "surrogateescape")) + 1 if folder else 0
    return RuleFile.of(origin, base, globs) if globs else None


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules in force in one folder, the nearest file of each kind first."""

    given: tuple[RuleFile, ...] = ()
    plaitignore: tuple[RuleFile, ...] = ()
    ignore: tuple[RuleFile, ...] = ()
    gitignore: tuple[RuleFile, ...] = ()
    cost: int = 0
    allowance: Allowance = field(default_factory=Allowance)

    @classmethod
    def start(
        cls,
        exclude: Sequence[str],
        git_wide: Iterable[RuleFile | None] = (),
        notes: Notes | None = None,
    ) -> Rules:
        """The rules above a root: the caller's globs, and git's excludes, nearest first.

        Args:
            exclude: The caller's globs.
            git_wide: The repository's and the user's own rules.
            notes: Where it is noted what cannot be applied.
        """
        allowance = Allowance(notes if notes is not None else Notes())
        lines = "\n".join(exclude).encode("utf-8", "surrogateescape")
        given = parse_rules(lines, "exclude option", allowance=allowance)
        wide = tuple(file for file in git_wide if file is not None)
        cost = sum(file.cost for file in ((given,) if given else ()) + wide)
        return cls((given,) if given else (), gitignore=wide, cost=cost, allowance=allowance)

    def within(self, folder: str, names: Iterable[str], read: Callable[[str], bytes]) -> Rules:
        """These rules and those of the ignore files ``names`` lying in ``folder``."""
        rules = self
        for name in names:
            origin = f"{folder}/{name}" if folder else name
            left = MAX_COST - rules.cost
            allowance = self.allowance
            file = parse_rules(read(origin), origin, folder, cost=left, allowance=allowance)
            if file is None:
                continue
            kind = name.removeprefix(".")
            files: Any = (file, *getattr(rules, kind))
            rules = replace(rules, cost=rules.cost + file.cost, **{kind: files})
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
                glob = file.decide(entry)
                if glob is not None:
                    return Rule(file.origin, glob.line, glob.text, glob.negated)
        return None
