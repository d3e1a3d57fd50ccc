"""The rules of shapes: one small function each, asked in order; the first that holds decides.

They read the words of a question, not its conditions: ``retry lang:go`` is a name, as ``retry``
is with a flag that says Go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plait.expressions import wanted_leaves
from plait.messages.pasted import is_pasted
from plait.search.lines import line_query
from plait.search.relax import free_text
from plait.search.shape import table
from plait.search.shape.prose import asks, is_few, is_question_unspaced
from plait.search.shape.table import Shape
from plait.search.shape.written import (
    bare,
    is_identifier,
    is_path,
    is_pattern,
    looks_like_code,
)
from plait.types import Pattern, Phrase, Query, Term, Text


@dataclass(frozen=True, slots=True)
class Typed:
    """What the rules read of a query."""

    query: Query
    text: str  # the words that are wanted, without what surrounds all of them
    words: tuple[str, ...]
    is_quoted: bool  # phrases alone


def shape_of(query: Query) -> Shape:
    """The shape of a query: a row of the table."""
    leaves = list(wanted_leaves(query.wanted))
    is_quoted = not any(isinstance(leaf, Text | Term) for leaf in leaves)
    text = bare(free_text(query.wanted))
    typed = Typed(query, text, tuple(text.split()), is_quoted)
    return next((shape for rule, shape in RULES if rule(typed)), table.WORDS)


def has_conditions_alone(typed: Typed) -> bool:
    """Nothing is wanted but that filters hold: ``calls:main lang:go``."""
    leaves = wanted_leaves(typed.query.wanted)
    return not any(isinstance(leaf, Text | Phrase | Term | Pattern) for leaf in leaves)


def wants_lines(typed: Typed) -> bool:
    """A /pattern/, or code in quotation marks."""
    return line_query(typed.query) is not None


def is_a_message(typed: Typed) -> bool:
    """What a program printed: an error, a line of a log, a stack trace."""
    is_text = not typed.is_quoted and len(typed.words) > 1
    return is_text and is_pasted(typed.query.text)


def is_a_path(typed: Typed) -> bool:
    """One file or folder, perhaps with a line."""
    return len(typed.words) == 1 and is_path(typed.text)


def is_a_pattern(typed: Typed) -> bool:
    """A regular expression or a glob that was typed without slashes."""
    return is_pattern(typed.text)


def is_a_name(typed: Typed) -> bool:
    """One identifier as any language writes it, at most with a word or two beside it."""
    if is_identifier(typed.text):
        return not is_question_unspaced(typed.text)
    return is_few(typed.words) and any(map(looks_like_code, typed.words))


def has_a_name(typed: Typed) -> bool:
    """Prose in which something is spelled as in code."""
    return any(map(looks_like_code, typed.words))


def is_a_question(typed: Typed) -> bool:
    """Prose, or few words that ask."""
    return not typed.is_quoted and asks(typed.words)


RULES: tuple[tuple[Callable[[Typed], bool], Shape], ...] = (
    (has_conditions_alone, table.STRUCTURAL),
    (wants_lines, table.PATTERN),
    (is_a_message, table.MESSAGE),
    (is_a_path, table.PATH),
    (is_a_pattern, table.PATTERN),
    (is_a_name, table.IDENTIFIER),
    (has_a_name, table.IN_PROSE),
    (is_a_question, table.QUESTION),
)
