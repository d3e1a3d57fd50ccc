"""What is asked: a query as an expression, and the lines that are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from plait.types.code import Field
from plait.types.links import Relation


class Leaf:
    """What is asked of a chunk and has no parts. A store may have leaves of its own, for what it
    has looked up already."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Text(Leaf):
    """Free text, as typed: each lane makes of it what it can."""

    text: str


@dataclass(frozen=True, slots=True)
class Term(Leaf):
    """One analysed term in one field, scored by BM25 times ``weight``."""

    text: str
    field: Field = Field.WORDS
    weight: float = 1.0
    word: str = ""  # what it stands for, as people write it, if another form


@dataclass(frozen=True, slots=True)
class Phrase(Leaf):
    """Words in this order; case and white space do not matter."""

    text: str
    terms: tuple[str, ...] = ()  # analysed; every match has them all


@dataclass(frozen=True, slots=True)
class Pattern(Leaf):
    """A regular expression in RE2's syntax, ``^`` and ``$`` at lines."""

    regex: str
    ignore_case: bool = False
    is_word: bool = False  # what matches has no letter, digit or underscore on either side


@dataclass(frozen=True, slots=True)
class Tag(Leaf):
    """An exact property: ``Tag("lang", "go")``, ``Tag("kind", "class")``, ``Tag("is", "test")``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class PathLike(Leaf):
    """The path matches a glob; without a wildcard it contains the text, case ignored."""

    glob: str


@dataclass(frozen=True, slots=True)
class PathPattern(Leaf):
    """A regular expression in RE2's syntax matches in the path."""

    regex: str


@dataclass(frozen=True, slots=True)
class Defines(Leaf):
    """The chunk defines a symbol of this name, plain or qualified, case ignored."""

    name: str


@dataclass(frozen=True, slots=True)
class Refers(Leaf):
    """The chunk refers to this name."""

    relation: Relation
    target: str


@dataclass(frozen=True, slots=True)
class And:
    """Every part holds. With no parts, everything does."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds. With no parts, nothing does."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Expression


Expression = Leaf | And | Or | Not


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may see at all. It is applied inside every lane, before the top is cut.

    ``repos`` is also the permission filter: None means every repository.
    """

    repos: frozenset[str] | None = None
    languages: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()  # globs, any of which may match
    under: str = ""  # a folder, with forward slashes
    file: str = ""  # one file, by its whole path


@dataclass(frozen=True, slots=True)
class Query:
    """A question: what was typed, what it means, where to look, how much to return."""

    text: str
    wanted: Expression
    scope: Scope = Scope()
    limit: int = 10
    per_file: int = 1  # results of one file; 0 for no limit
    expand: bool | None = None  # also look for words the first results share; None: the setting
    without: frozenset[str] = frozenset()  # words that expansion must not add


class Order(StrEnum):
    """In which order files with matching lines come."""

    RANK = "rank"  # those that define what matches, then the others, tests and the like last
    PATH = "path"


@dataclass(frozen=True, slots=True)
class LineQuery:
    """Which lines are wanted: all of those in scope in which a pattern matches."""

    patterns: tuple[Pattern, ...]  # a line matches if one of them does
    where: Expression = And(())  # holds of the chunk; it has no ``Text``
    scope: Scope = Scope()
    order: Order = Order.RANK
    limit: int = 0  # lines given back; 0 for all
    count_to: int = 0  # lines counted, beyond those given back
    per_file: int = 0  # lines of one file; 0 for all
    before: int = 0  # lines of context
    after: int = 0
    is_inverted: bool = False  # the lines in which no pattern matches
    is_multiline: bool = False  # a match may go over several lines
    is_marked: bool = True  # all matches of a line are wanted, not only whether there is one
    within_s: float = 10.0
