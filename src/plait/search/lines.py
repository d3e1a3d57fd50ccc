"""Lines: which queries ask for every line that matches, and which lines these are.

Somebody who types a regular expression or a piece of code knows what they look for and wants
all of it, line by line. Somebody who types words wants the best answers. So a query without
free text but with a pattern is a search for lines; its other conditions say in which chunks
these lines may be. With free text it stays a ranked search that the pattern restricts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from plait.expressions import (
    all_leaves,
    alternatives,
    conjunction,
    conjuncts,
    mapped,
    normal,
    wanted_leaves,
)
from plait.patterns.plain import phrase_pattern
from plait.types import (
    And,
    Expression,
    LineQuery,
    Pattern,
    Phrase,
    Query,
    Term,
    Text,
)

PUNCTUATION = re.compile(r"[^\w\s]")
# What an upper-case letter in a regular expression is no letter of the text: ``\W``, ``\pL``,
# ``\x{AB}``, ``(?P<Name>...)``, ``(?U)``.
NO_LITERAL = re.compile(
    r"\\(?:[pPxX]\{[^}]*\}|[pP].|x[0-9a-fA-F]{2}|[^pPx])|\(\?P?<\w*>|\(\?[a-zA-Z-]*[:)]", re.DOTALL
)
BROKEN = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")  # RE2 refuses it, whatever its case
# ``\\s`` and the like, negated classes, and ``.`` where it matches everything.
WIDE = re.compile(r"\\[sWDPn]|\n|\[\^|\[:(?:\^|space|cntrl)|\(\?[a-zA-Z]*s")
NEWLINE = re.compile(r"(?:[^\\\n]|\\[^n\n])*+(?:\\?\n|\\n)")


class Case(StrEnum):
    """Whether letters of the other case match too."""

    AS_WRITTEN = ""  # /patterns/ mind it, /patterns/i and phrases do not
    SENSITIVE = "yes"
    INSENSITIVE = "no"
    SMART = "auto"  # insensitive unless there is a capital letter in what was written


def line_query(query: Query) -> LineQuery | None:
    """The lines a query asks for; None if it asks for chunks.

    Lines of several patterns that must all hold come only from chunks that hold them all.
    """
    wanted = normal(mapped(query.wanted, _line_pattern))
    patterns = tuple(
        dict.fromkeys(leaf for leaf in wanted_leaves(wanted) if isinstance(leaf, Pattern))
    )
    if not patterns or any(isinstance(leaf, Text | Term) for leaf in all_leaves(wanted)):
        return None
    return LineQuery(
        patterns,
        where=_rest(wanted),
        scope=query.scope,
        is_multiline=any(crosses_lines(pattern.regex) for pattern in patterns),
    )


def is_code(phrase: Phrase) -> bool:
    """Whether a phrase is a piece of code rather than words: it has punctuation."""
    return PUNCTUATION.search(phrase.text) is not None


def literal(text: str, *, ignore_case: bool = False) -> Pattern:
    """A text as it is, as a pattern."""
    return Pattern(re.escape(text), ignore_case=ignore_case)


def either(regexes: Iterable[str]) -> str:
    """One regular expression for several, of which the first that matches counts."""
    each = list(dict.fromkeys(regexes))
    return each[0] if len(each) == 1 else "|".join(f"(?:{regex})" for regex in each)


def with_case(wanted: Expression, case: Case) -> Expression:
    """The expression with its patterns and phrases minding case, or not."""

    def cased(leaf: Expression) -> Expression:
        match leaf:
            case Pattern(regex) if not BROKEN.search(regex):
                return replace(leaf, ignore_case=_ignores(case, has_capital(regex)))
            case Phrase(text) if not _ignores(case, text != text.lower()):
                return phrase_pattern(leaf, ignore_case=False)
            case _:
                return leaf

    return wanted if case is Case.AS_WRITTEN else normal(mapped(wanted, cased))


def has_capital(regex: str) -> bool:
    """Whether a regular expression has an upper-case letter that is to be matched."""
    bare = NO_LITERAL.sub("", regex)
    return bare != bare.lower()


def crosses_lines(regex: str) -> bool:
    """Whether a regular expression asks for a line break by name."""
    return NEWLINE.match(regex) is not None


def may_cross_lines(regex: str) -> bool:
    """Whether a match may go over a line break where that is allowed."""
    return WIDE.search(regex) is not None


def has_pattern(wanted: Expression) -> bool:
    """Whether there is a pattern in an expression."""
    return any(isinstance(leaf, Pattern) for leaf in all_leaves(wanted))


def may_be_words(query: Query) -> bool:
    """Whether a search that finds no line may go on to look for words: code in quotation
    marks may stand over several lines, or be remembered wrongly."""
    return not has_pattern(query.wanted)


def has_case(wanted: Expression) -> bool:
    """Whether minding case, or not, makes a difference to an expression."""
    return any(isinstance(leaf, Pattern | Phrase) for leaf in all_leaves(wanted))


def _ignores(case: Case, has_capitals: bool) -> bool:
    return case is Case.INSENSITIVE or (case is Case.SMART and not has_capitals)


def _line_pattern(leaf: Expression) -> Expression:
    return phrase_pattern(leaf) if isinstance(leaf, Phrase) and is_code(leaf) else leaf


def _rest(wanted: Expression) -> Expression:
    """The condition on chunks that remains once only lines with a match are looked at."""
    if _is_choice(wanted):
        return And(())
    parts = conjuncts(wanted)
    others = [part for part in parts if not _is_choice(part)]
    is_one = len(others) == len(parts) - 1
    inner = (leaf for part in others for leaf in wanted_leaves(part))
    if is_one and not any(isinstance(leaf, Pattern) for leaf in inner):
        return conjunction(others)
    return wanted


def _is_choice(part: Expression) -> bool:
    """A pattern, or one of several: true of every chunk with a line that matches."""
    return all(isinstance(inner, Pattern) for inner in alternatives(part))
