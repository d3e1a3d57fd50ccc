"""Questions: a text as typed, as a query."""

from __future__ import annotations

from typing import NamedTuple

from plait.errors import QueryError
from plait.search.lines import Case, literal, with_case
from plait.search.parse import Parsed, parse
from plait.search.shape import shape_hints
from plait.sources import canonical
from plait.types import Query, Scope
from plait.types.notes import Note


class Question(NamedTuple):
    """A query, and hints about what it may have meant."""

    query: Query
    hints: tuple[Note, ...]


def question(
    text: str, scope: Scope, case: Case = Case.AS_WRITTEN, *, is_literal: bool = False
) -> Question:
    """The query that a text is.

    Args:
        text: Words, a name, a question, or an expression of the query language.
        scope: Where to look.
        case: Whether letters of the other case match too, in patterns and phrases.
        is_literal: The text is code to be found as it is.

    Raises:
        QueryError: Nothing was typed.
    """
    if not text.strip():
        raise QueryError("the query is empty", hint='name what to look for: plait "QUERY"')
    parsed = Parsed(literal(text)) if is_literal else parse(text, canonical)
    query = Query(text, with_case(parsed.wanted, case), scope)
    return Question(query, (*parsed.hints, *shape_hints(query)))
