"""Relaxing: step by step, never quietly, never what the user restricted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plait.expressions import normal
from plait.search.parse import free_text, parse, render
from plait.search.relax import relaxations, suggestions
from plait.types import (
    And,
    Defines,
    Expression,
    Not,
    Or,
    PathLike,
    Pattern,
    Phrase,
    Refers,
    Relation,
    Tag,
    Text,
)

word = st.sampled_from(["a", "b c", "->", "fooBar", "x.y", "é"])
leaves: st.SearchStrategy[Expression] = st.one_of(
    word.map(Text),
    word.map(Phrase),
    word.map(Pattern),
    word.map(PathLike),
    word.map(Defines),
    word.map(lambda value: Tag("lang", value)),
    word.map(lambda value: Refers(Relation.CALLS, value)),
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda parts: And(tuple(parts))),
        st.lists(inner, max_size=4).map(lambda parts: Or(tuple(parts))),
        inner.map(Not),
    ),
)


def kept(wanted: Expression) -> Iterator[Expression]:
    """What no relaxation may touch: restrictions, patterns, and negations as a whole."""
    match wanted:
        case And(parts) | Or(parts):
            for part in parts:
                yield from kept(part)
        case Text() | Phrase() | Defines():
            pass
        case _:
            yield wanted


def loosenable(wanted: Expression) -> bool:
    match wanted:
        case And(parts) | Or(parts):
            return any(map(loosenable, parts))
        case Phrase() | Defines():
            return True
        case _:
            return False


@given(expressions)
@settings(deadline=None)
def test_the_ladder_is_short_and_every_step_is_new_and_named(wanted: Expression) -> None:
    steps = list(relaxations(wanted))
    ladder = [wanted, *(step.wanted for step in steps)]

    assert len(steps) <= 2
    assert all(step.note for step in steps)
    assert all(before != after for before, after in pairwise(ladder))


@given(expressions)
@settings(deadline=None)
def test_no_step_drops_a_restriction_or_a_negation(wanted: Expression) -> None:
    for step in relaxations(wanted):
        # The same one twice may become one, and a group of one its part.
        assert set(map(normal, kept(step.wanted))) == set(map(normal, kept(wanted)))


@given(expressions)
@settings(deadline=None)
def test_what_has_no_phrase_and_no_symbol_is_left_as_it_is(wanted: Expression) -> None:
    if not loosenable(wanted):
        assert list(relaxations(wanted)) == []


@given(expressions)
@settings(deadline=None)
def test_no_wanted_word_is_lost(wanted: Expression) -> None:
    for step in relaxations(wanted):
        assert set(free_text(wanted).split()) <= set(free_text(step.wanted).split())


@given(expressions)
@settings(deadline=None)
def test_every_suggestion_names_something(wanted: Expression) -> None:
    assert all(hint.endswith("; try without it") for hint in suggestions(wanted))


@pytest.mark.parametrize(
    ("query", "steps"),
    [
        ("foo lang:go", []),
        ("/re/ -foo", []),
        ('-"x y" foo', []),
        ('"->"', []),
        ('"x y"', ["x y"]),
        ('a "x y" lang:go', ["a x y lang:go"]),
        ('"x y" OR "z"', ["x y OR z"]),
        ("symbol:fooBar -is:test", ["fooBar -is:test"]),
        ('"x y" symbol:Z', ["x y symbol:Z", "x y Z"]),
        ('-"n o" ("x y" OR lang:go)', ['-"n o" (x y OR lang:go)']),
    ],
)
def test_ladder(query: str, steps: list[str]) -> None:
    assert [render(step.wanted) for step in relaxations(parse(query).wanted)] == steps


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ('"x y"', 'no chunk has the exact phrase "x y"; showing chunks with its words'),
        ("symbol:Foo", 'no symbol is named "Foo"; showing chunks with its words'),
        (
            '"x y" lang:go',
            'no chunk that fits the other terms has the exact phrase "x y"',
        ),
        (
            "symbol:a symbol:b symbol:c symbol:d",
            'no symbol that fits the other terms is named "a", "b", "c" and 1 more',
        ),
    ],
)
def test_note_says_what_was_not_found_and_what_is_shown(query: str, note: str) -> None:
    (step,) = relaxations(parse(query).wanted)

    assert step.note.startswith(note)


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("foo", []),
        ("lang:go", []),
        ("foo lang:go", ["lang:go"]),
        ("foo lang:go,rust -is:test", ["lang:go,rust", "-is:test"]),
        ("foo path:src OR bar kind:class", ["path:src", "kind:class"]),
        ("foo calls:bar /re/", ["calls:bar"]),
        ("(foo OR lang:go) bar", []),
    ],
)
def test_suggestions_name_the_restrictions(query: str, named: list[str]) -> None:
    expected = tuple(f"no result with {name}; try without it" for name in named)

    assert suggestions(parse(query).wanted) == expected
