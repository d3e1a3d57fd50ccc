"""Verdicts: which tags the files of the sample should carry, as somebody who read them said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.tags.drawing import UNTAGGED
from plait.types.tags import TAG_NAMES

VERDICTS = Path(__file__).with_name("verdicts.tsv")


class Verdict(NamedTuple):
    """A file that was read, and the tags that are right for it."""

    seed: int
    wanted: str  # the tag it was drawn for
    tree: str
    path: str
    right: frozenset[str]


class Count(NamedTuple):
    """How often a tag was given rightly and wrongly, and how often it is missing."""

    tag: str
    right: int
    wrong: tuple[str, ...]  # files
    missing: tuple[str, ...]

    @property
    def precision(self) -> float:
        """The share of files with the tag that should carry it."""
        return self.right / max(self.right + len(self.wrong), 1)

    @property
    def recall(self) -> float:
        """The share of the sample's files that should carry the tag and do."""
        return self.right / max(self.right + len(self.missing), 1)


def load(file: Path = VERDICTS) -> list[Verdict]:
    """The verdicts, in the order of the file."""
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:])
    return [
        Verdict(int(seed), wanted, tree, path, frozenset(right.split()) - {UNTAGGED})
        for seed, wanted, tree, path, right in rows
    ]


def count(
    verdicts: Iterable[Verdict], given: Mapping[tuple[str, str], frozenset[str]]
) -> list[Count]:
    """Compare verdicts with the tags that were given, by tree and path."""
    judged = [(f"{one.tree} {one.path}", one.right, given[one.tree, one.path]) for one in verdicts]
    return [
        Count(
            tag,
            sum(tag in right and tag in got for _, right, got in judged),
            tuple(name for name, right, got in judged if tag in got - right),
            tuple(name for name, right, got in judged if tag in right - got),
        )
        for tag in TAG_NAMES
    ]
