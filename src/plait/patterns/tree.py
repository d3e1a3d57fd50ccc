"""The tree of a pattern, as far as it matters for the text a pattern needs.

Anchors and word boundaries are ``EMPTY``, and what cannot be told apart by its text (greedy or
lazy, captured or not) is the same tree. Trees are walked without recursion, so that none is
too deep.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from plait.patterns.classes import Ranges


@dataclass(frozen=True, slots=True)
class Literal:
    """Characters in a row; under ``ignore_case`` each stands for all its cases."""

    text: str
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character of a class, which is as written: ``ignore_case`` is still to be applied."""

    ranges: Ranges
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class AnyOne:
    """One character or byte, nobody says which."""


@dataclass(frozen=True, slots=True)
class Concat:
    """Parts one after the other; with none, the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternate:
    """One of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part ``low`` times at least, and at most ``high`` times (None: no limit)."""

    part: Node
    low: int
    high: int | None


Node = Literal | OneOf | AnyOne | Concat | Alternate | Repeat
EMPTY = Concat(())
ANY_ONE = AnyOne()
T = TypeVar("T")


def folded(root: Node, step: Callable[[Node, list[T]], T]) -> T:
    """A tree's value from the leaves up: ``step`` makes a node's out of its parts'."""
    order, todo = [], [root]
    while todo:
        node = todo.pop()
        order.append(node)
        todo.extend(_parts(node))
    values: list[T] = []
    for node in reversed(order):
        cut = len(values) - len(_parts(node))
        parts = values[cut:]
        del values[cut:]
        values.append(step(node, parts))
    return values[0]


def _parts(node: Node) -> tuple[Node, ...]:
    match node:
        case Concat(parts) | Alternate(parts):
            return parts
        case Repeat(part):
            return (part,)
        case _:
            return ()
