"""Tags: what kind of file is this, in words one can filter by?

A file without a tag is code that somebody wrote for this project to run. Rankings, line
searches and ``is:`` read this one table; which files get which tag is decided where they are
read (``plait/sources/tags``).
"""

from __future__ import annotations

from typing import NamedTuple

TAGS_VERSION = 2  # raised when files get other tags: indexes are then built anew


class TagMeaning(NamedTuple):
    """One tag, and what a file that carries it is."""

    name: str
    means: str
    within: str = ""  # the wider tag that such a file carries, too


TAGS = (
    TagMeaning("test", "tests, benchmarks, and what only they use"),
    TagMeaning("vendored", "a copy of other people's code"),
    TagMeaning("generated", "written by a program"),
    TagMeaning("documentation", "prose about the code, and what its pages are made of"),
    TagMeaning("example", "shows how the code is used: examples, samples, demos, tutorials"),
    TagMeaning("fixture", "what tests read or compare with: fixtures, snapshots", "test"),
    TagMeaning("built", "made from other source: bundles, transpiled files", "generated"),
    TagMeaning("locale", "texts and formats of one language of people"),
    TagMeaning("migration", "a step in the history of a database's tables"),
    TagMeaning("stub", "declarations without code: .pyi, .d.ts"),
    TagMeaning("reexport", "only passes on what other files define"),
    TagMeaning("licence", "the text of a licence or a notice of rights", "documentation"),
    TagMeaning("certificate", "public keys and certificates"),
)
TAG_NAMES = tuple(tag.name for tag in TAGS)
# Other spellings that ``is:`` takes.
TAG_SPELLINGS = {
    "tests": "test",
    "docs": "documentation",
    "examples": "example",
    "fixtures": "fixture",
    "bundle": "built",
    "migrations": "migration",
    "stubs": "stub",
    "license": "licence",
}
