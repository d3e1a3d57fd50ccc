"""Needs: which three-byte pieces of text a match cannot do without, as AND and OR.

A need is weaker than the pattern it comes from, never stronger: dropping a part of it only
costs time. That is what keeps it small here: a need has few groups of alternatives, they
nest a few levels deep, and what would exceed that is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAX_GROUPS = 8  # of alternatives in one need; those with the fewest are kept
MAX_ALTERNATIVES = 256  # in one group; more than a query of 1,000 characters can name
MAX_DEPTH = 4  # of groups in groups
MAX_WEIGHT = 1_024  # needs within one


@dataclass(frozen=True, slots=True)
class Need:
    """All of ``grams``, and of every group of ``choices`` at least one alternative."""

    grams: frozenset[bytes]
    choices: tuple[tuple[Need, ...], ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is required."""
        return bool(self.grams or self.choices)


NO_GRAMS: frozenset[bytes] = frozenset()
ANYTHING = Need(NO_GRAMS)  # nothing is required
NOTHING = Need(NO_GRAMS, ((),))  # no text will do


def grams_of(text: bytes) -> frozenset[bytes]:
    """The three-byte pieces of a text, but for those across lines: the index has none."""
    pieces = frozenset([text[at : at + 3] for at in range(len(text) - 2)])
    return pieces if b"\n" not in text else frozenset(p for p in pieces if b"\n" not in p)


def both(one: Need, other: Need) -> Need:
    """What holds if both needs are met."""
    if one is other or not other:
        return one
    if not one:
        return other
    groups = list(dict.fromkeys((*one.choices, *other.choices)))
    if len(groups) > MAX_GROUPS:
        groups = sorted(groups, key=len)[:MAX_GROUPS]
    return Need(one.grams | other.grams, tuple(groups))


def either(needs: Iterable[Need]) -> Need:
    """What holds if one of the needs is met: what they share, then the choice between them."""
    found = dict.fromkeys(_alternatives(needs))
    if not found:
        return NOTHING
    if not all(found):
        return ANYTHING
    if len(found) == 1:
        return next(iter(found))
    shared = frozenset.intersection(*(need.grams for need in found))
    if shared:
        found = dict.fromkeys(Need(need.grams - shared, need.choices) for need in found)
        if not all(found):
            return Need(shared)
    kept = _distinct(list(found))
    if len(kept) > MAX_ALTERNATIVES:
        return Need(shared)
    if len(kept) == 1:
        return Need(shared | kept[0].grams, kept[0].choices)
    flat = tuple(Need(need.grams) if _depth(need) >= MAX_DEPTH else need for need in kept)
    if not all(flat) or sum(map(_weight, flat)) > MAX_WEIGHT:
        return Need(shared)
    return Need(shared, (flat,))


def tidied(need: Need, known: frozenset[bytes] = NO_GRAMS) -> Need:
    """The same need, without what follows from its other parts or from ``known``."""
    grams, groups = need.grams - known, need.choices
    while groups:
        sure = grams | known
        chosen = [_tidied_group(group, sure) for group in groups]
        groups = tuple(dict.fromkeys(group for part in chosen for group in part.choices))
        more = frozenset().union(*(part.grams for part in chosen))
        if not more:
            break
        grams |= more
    return NOTHING if () in groups else Need(grams, tuple(sorted(groups, key=len)))


def _tidied_group(group: tuple[Need, ...], sure: frozenset[bytes]) -> Need:
    """What a choice comes down to where some pieces are sure to be there."""
    if any(part.choices or not sure.isdisjoint(part.grams) for part in group):
        return either(tidied(part, sure) for part in group)
    return Need(NO_GRAMS, (group,))


def _alternatives(needs: Iterable[Need]) -> Iterable[Need]:
    """The needs, those that are a choice and nothing else as the alternatives they offer."""
    for need in needs:
        if not need.grams and len(need.choices) == 1:
            yield from need.choices[0]
        else:
            yield need


def _distinct(needs: list[Need]) -> list[Need]:
    """The alternatives, without those that meet another one as well."""
    by_gram: dict[bytes, list[frozenset[bytes]]] = {}
    dropped = set()
    for at in sorted(range(len(needs)), key=lambda at: len(needs[at].grams)):
        need = needs[at]
        if any(less <= need.grams for gram in need.grams for less in by_gram.get(gram, ())):
            dropped.add(at)
        elif not need.choices:
            by_gram.setdefault(min(need.grams), []).append(need.grams)
    return [need for at, need in enumerate(needs) if at not in dropped]


def _depth(need: Need) -> int:
    return 1 + max((_depth(part) for group in need.choices for part in group), default=0)


def _weight(need: Need) -> int:
    return 1 + sum(_weight(part) for group in need.choices for part in group)
