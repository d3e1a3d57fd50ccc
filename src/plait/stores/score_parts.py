"""ScoreParts: what a few chunks earn by an expression, put together from what its leaves give.

A store tells which chunks satisfy a leaf and what a term is worth to each. How the parts of an
expression add up, and in which words a term's share is told, is the same in every store.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from plait.expressions import fold, wanted_leaves
from plait.patterns.plain import phrase_pattern
from plait.types import And, Expression, Phrase, Reason, Term

K = TypeVar("K")  # what a store calls a chunk
ScoreParts = dict[K, tuple[Reason, ...]]  # absent: no match


class Leaves(Protocol[K]):
    """A few chunks under the eye of an index."""

    @property
    def among(self) -> Collection[K]: ...

    def having(self, leaf: Expression) -> Iterable[K]:
        """The chunks that satisfy what is neither a term nor made of parts."""

    def worth(self, term: Term) -> Mapping[K, float]:
        """What a term gives to each chunk that has it."""

    def frequency(self, term: Term) -> tuple[int, int]:
        """How many chunks of the whole index have a term, and of how many."""


def scores(wanted: Expression) -> bool:
    """Whether an expression holds a term that earns a score."""
    return any(
        isinstance(leaf, Term) or (isinstance(leaf, Phrase) and bool(leaf.terms))
        for leaf in wanted_leaves(wanted)
    )


def score_parts_of_hits(wanted: Expression, leaves: Leaves[K]) -> ScoreParts[K]:
    """What chunks earn of which it is known that they satisfy the whole expression."""
    nothing: ScoreParts[K] = dict.fromkeys(leaves.among, ())
    if not isinstance(wanted, And):
        return score_parts(wanted, leaves) if scores(wanted) else nothing
    found = nothing
    for part in wanted.parts:
        if scores(part):  # the others are conditions that every hit has met
            gained = score_parts_of_hits(part, leaves)
            found = {key: found[key] + gained.get(key, ()) for key in found}
    return found


def score_parts(wanted: Expression, leaves: Leaves[K]) -> ScoreParts[K]:
    """The chunks that satisfy an expression, with what they earn by it."""

    def by_leaf(leaf: Expression) -> ScoreParts[K]:
        match leaf:
            case Term():
                return _by_term(leaf, leaves)
            case Phrase(terms=terms):
                gained = _by_any([_by_term(Term(term), leaves) for term in terms])
                return {key: gained.get(key, ()) for key in leaves.having(phrase_pattern(leaf))}
            case _:
                return dict.fromkeys(leaves.having(leaf), ())

    def by_all(parts: Sequence[ScoreParts[K]]) -> ScoreParts[K]:
        kept: ScoreParts[K] = dict.fromkeys(leaves.among, ())
        for held in parts:
            kept = {key: kept[key] + held[key] for key in kept if key in held}
        return kept

    def without(part: Expression) -> ScoreParts[K]:
        held = score_parts(part, leaves)
        return {key: () for key in leaves.among if key not in held}

    return fold(wanted, by_leaf, all_of=by_all, any_of=_by_any, excluded=without)


def _by_any(parts: Sequence[ScoreParts[K]]) -> ScoreParts[K]:
    found: ScoreParts[K] = {}
    for part in parts:
        for key, reasons in part.items():
            found[key] = found.get(key, ()) + reasons
    return found


def _by_term(term: Term, leaves: Leaves[K]) -> ScoreParts[K]:
    found = leaves.worth(term)
    if not found:
        return {}
    having, chunks = leaves.frequency(term)
    rarity = math.log(1 + (max(chunks - having, 0) + 0.5) / (having + 0.5))
    said = term.text if term.word in ("", term.text) else f"{term.text} ({term.word})"
    weight = "" if term.weight == 1 else f"{term.weight:g} weight x "
    said = f"{said}: {weight}{rarity:.2f} rarity x "
    scale = rarity * term.weight or 1.0
    return {
        key: (Reason("term", score, words=f"{said}{score / scale:.2f} frequency"),)
        for key, score in found.items()
    }
