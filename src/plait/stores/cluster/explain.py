"""Explain: which of a few chunks satisfy an expression, and what its terms give each.

Every leaf of the expression is asked under a name of its own, all of them in one request over
the few chunks that are shown. The engine tells which leaves each chunk satisfies and what each
is worth, exactly as it counted them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plait.patterns.plain import phrase_pattern
from plait.stores.cluster.counting import Counting
from plait.stores.cluster.documents import chunk_key, id_of
from plait.stores.cluster.queries import Body, TermQuery, scores, translated
from plait.stores.cluster.scoring import scoring
from plait.stores.cluster.verified import BY_KEY, PAGE, holds
from plait.stores.cluster.view import View
from plait.types import (
    All,
    Any,
    ChunkId,
    Expression,
    Field,
    Not,
    PathPattern,
    Pattern,
    Phrase,
    Reason,
    Term,
)

Earned = dict[ChunkId, tuple[Reason, ...]]  # what each chunk earned; absent: no match
MAX_LEAVES = 500  # asked in one request


def leaves(wanted: Expression) -> Iterator[Expression]:
    """What the index is asked about one by one."""
    match wanted:
        case All(parts) | Any(parts):
            for part in parts:
                yield from leaves(part)
        case Not(part):
            yield from leaves(part)
        case Phrase(terms=terms):
            yield from (Term(term) for term in terms)
        case Pattern() | PathPattern():
            pass
        case _:
            yield wanted


@dataclass(frozen=True, slots=True)
class Explainer:
    """A few chunks, and what every leaf of an expression is worth to each."""

    texts: Mapping[ChunkId, str]
    worth: Mapping[Expression, Mapping[ChunkId, float]]
    frequencies: Mapping[tuple[Field, str], int]
    chunks: int

    @classmethod
    def over(
        cls,
        view: View,
        ids: Sequence[ChunkId],
        wanted: Expression,
        counting: Counting,
    ) -> Explainer:
        """Ask the index about these chunks; those that are not there are left out."""
        named = list(dict.fromkeys(leaves(wanted)))
        scored = scoring(view, counting, Any(tuple(named)))
        worth: dict[Expression, dict[ChunkId, float]] = {leaf: {} for leaf in named}
        texts: dict[ChunkId, str] = {}
        keys = list(dict.fromkeys(map(chunk_key, ids)))
        for begin in range(0, len(keys), PAGE):
            among = keys[begin : begin + PAGE]
            for first in range(0, max(len(named), 1), MAX_LEAVES):
                part = named[first : first + MAX_LEAVES]
                for hit in _asked(view, among, part, *scored):
                    key = id_of(hit["sort"][0])
                    texts[key] = hit["_source"]["chunk"]["body"][2]
                    for name, score in hit.get("matched_queries", {}).items():
                        worth[part[int(name)]][key] = score
        terms = [(leaf.field, leaf.text) for leaf in named if isinstance(leaf, Term)]
        return cls(
            {key: texts[key] for key in ids if key in texts},
            worth,
            counting.frequencies(terms),
            counting.statistics().chunks if terms else 0,
        )

    def hits(self, wanted: Expression) -> Earned:
        """What chunks earn of which it is known that they satisfy the whole expression."""
        if not isinstance(wanted, All):
            return self.evaluate(wanted) if scores(wanted) else dict.fromkeys(self.texts, ())
        earned: Earned = dict.fromkeys(self.texts, ())
        for part in wanted.parts:
            if scores(part):  # the others are conditions that every hit has met
                gained = self.hits(part)
                earned = {key: earned[key] + gained.get(key, ()) for key in self.texts}
        return earned

    def evaluate(self, wanted: Expression) -> Earned:
        """The chunks that satisfy an expression, with what they earn by it."""
        match wanted:
            case Term():
                return self._term(wanted)
            case Any(parts):
                found: Earned = {}
                for part in parts:
                    for key, reasons in self.evaluate(part).items():
                        found[key] = found.get(key, ()) + reasons
                return found
            case All(parts):
                kept: Earned = dict.fromkeys(self.texts, ())
                for part in parts:
                    held = self.evaluate(part)
                    kept = {key: kept[key] + held[key] for key in kept if key in held}
                return kept
            case Not(part):
                held = self.evaluate(part)
                return {key: () for key in self.texts if key not in held}
            case Phrase(terms=terms):
                holding = self.evaluate(phrase_pattern(wanted))
                earned = self.evaluate(Any(tuple(Term(term) for term in terms)))
                return {key: earned.get(key, ()) for key in holding}
            case Pattern():
                return {key: () for key, text in self.texts.items() if holds(wanted, text)}
            case PathPattern(regex):
                return {key: () for key in self.texts if holds(Pattern(regex), key.path)}
            case _:
                return dict.fromkeys(self.worth[wanted], ())

    def _term(self, term: Term) -> Earned:
        found = self.worth[term]
        if not found:
            return {}
        having = self.frequencies[term.field, term.text]
        rarity = math.log(1 + (max(self.chunks - having, 0) + 0.5) / (having + 0.5))
        said = term.text if term.spoken in ("", term.text) else f"{term.text} ({term.spoken})"
        weight = "" if term.weight == 1 else f"{term.weight:g} weight x "
        said = f"{said}: {weight}{rarity:.2f} rarity x "
        scale = rarity * term.weight or 1.0
        return {
            key: (Reason(f"{said}{score / scale:.2f} frequency", score),)
            for key, score in found.items()
        }


def _asked(
    view: View,
    keys: Sequence[str],
    named: Sequence[Expression],
    scored: TermQuery,
    is_scored: bool,
) -> list[Body]:
    """Chunks, each with the leaves that it satisfies and what they are worth."""
    should = [
        {"bool": {"must": [translated(leaf, scored)], "_name": str(number)}}
        for number, leaf in enumerate(named)
    ]
    body: Body = {
        "query": {"bool": {"filter": [{"terms": {"key": list(keys)}}], "should": should}},
        "sort": BY_KEY,
        "size": len(keys),
        "_source": ["chunk.body"],
    }
    found: list[Body] = view.search(body, is_scored=is_scored, include_named_queries_score="true")[
        "hits"
    ]["hits"]
    return found
