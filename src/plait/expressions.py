"""Expressions: walking, rewriting and normal form, for whoever reads or changes one.

An expression is a tree of ``And``, ``Or`` and ``Not`` over leaves. A leaf below a ``Not``, however
deep, is excluded: it says what must not be there, so it is neither shown, ranked by nor guessed at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from plait.types import And, Expression, Not, Or, Text

T = TypeVar("T")


def fold(
    wanted: Expression,
    leaf: Callable[[Expression], T],
    *,
    all_of: Callable[[Sequence[T]], T],
    any_of: Callable[[Sequence[T]], T],
    excluded: Callable[[Expression], T],
) -> T:
    """One value of a whole expression, from the leaves up.

    Args:
        wanted: The expression.
        leaf: The value of a leaf.
        all_of: That of parts which must all hold, from their values.
        any_of: That of parts of which one must hold.
        excluded: That of a ``Not``, from its part as it stands: what is excluded is rarely
            read as what is wanted.
    """

    def value(part: Expression) -> T:
        match part:
            case And(parts):
                return all_of([value(inner) for inner in parts])
            case Or(parts):
                return any_of([value(inner) for inner in parts])
            case Not(inner):
                return excluded(inner)
            case _:
                return leaf(part)

    return value(wanted)


# ---------------------------------------------------------------- walking


def clauses(wanted: Expression) -> Iterator[Expression]:
    """The leaves in order, and each ``Not`` as a whole."""
    match wanted:
        case And(parts) | Or(parts):
            for part in parts:
                yield from clauses(part)
        case _:
            yield wanted


def wanted_leaves(wanted: Expression) -> Iterator[Expression]:
    """The leaves in order, without those that are excluded."""
    return (clause for clause in clauses(wanted) if not isinstance(clause, Not))


def all_leaves(wanted: Expression) -> Iterator[Expression]:
    """The leaves in order, those that are excluded too."""
    for clause in clauses(wanted):
        if isinstance(clause, Not):
            yield from all_leaves(clause.part)
        else:
            yield clause


def conjuncts(wanted: Expression) -> Sequence[Expression]:
    """What must all hold; an expression that is no ``And`` is the only one."""
    return wanted.parts if isinstance(wanted, And) else (wanted,)


def alternatives(wanted: Expression) -> Sequence[Expression]:
    """What of which one must hold; an expression that is no ``Or`` is the only one."""
    return wanted.parts if isinstance(wanted, Or) else (wanted,)


# ---------------------------------------------------------------- rewriting


def mapped(
    wanted: Expression,
    change: Callable[[Expression], Expression],
    *,
    excluded: Callable[[Expression], Expression] | None = None,
    any_of: Callable[[Sequence[Expression]], Expression] = lambda parts: Or(tuple(parts)),
) -> Expression:
    """The expression with every leaf replaced, of the same shape.

    Args:
        wanted: The expression.
        change: What a leaf is replaced by.
        excluded: The same for leaves that are excluded, if these are replaced otherwise.
        any_of: What alternatives become, if not an ``Or`` of them.
    """
    below = excluded or change
    return fold(
        wanted,
        change,
        all_of=lambda parts: And(tuple(parts)),
        any_of=any_of,
        excluded=lambda part: Not(mapped(part, below, any_of=any_of)),
    )


def normal(wanted: Expression) -> Expression:
    """The same expression in normal form: flat, each part once, words in one place."""
    return fold(
        wanted,
        lambda leaf: leaf,
        all_of=conjunction,
        any_of=disjunction,
        excluded=lambda part: Not(normal(part)),
    )


def conjunction(parts: Iterable[Expression]) -> Expression:
    """All of the parts, in normal form: flat, each once, with the words in one place."""
    flat: dict[Expression, None] = {}
    words: list[str] = []
    place = 0
    for part in parts:
        for piece in conjuncts(part):
            if not isinstance(piece, Text):
                flat[piece] = None
                continue
            place = place if words else len(flat)
            words.append(piece.text)
    found = list(flat)
    if words:
        found.insert(place, Text(" ".join(words)))
    return found[0] if len(found) == 1 else And(tuple(found))


def disjunction(parts: Iterable[Expression]) -> Expression:
    """Any of the parts, in normal form: flat, each once."""
    flat = dict.fromkeys(piece for part in parts for piece in alternatives(part))
    return next(iter(flat)) if len(flat) == 1 else Or(tuple(flat))
