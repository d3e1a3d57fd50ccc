"""Hints: what to type instead, where a question looks like something that words do not find."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from plait.search.lines import line_query
from plait.search.relax import free_text
from plait.search.shape.rules import shape_of
from plait.search.shape.table import PATTERN
from plait.search.shape.written import is_glob
from plait.types import Query
from plait.types.notes import PATTERN_LIKE, Note


def shape_hints(query: Query) -> Iterator[Note]:
    """A sentence for a pattern that was read as words."""
    if shape_of(query) is not PATTERN or line_query(query) is not None:
        return
    text = free_text(query.wanted)
    if is_glob(text):
        yield Note(PATTERN_LIKE, f"this looks like a pattern of paths: path:{text}")
    else:
        told = f"this looks like a pattern and was read as words: plait grep {shlex.quote(text)}"
        yield Note(PATTERN_LIKE, told)
