"""Explain: which of a few chunks satisfy an expression, and what its terms give each.

The engine tells a sum, not its parts. Asking it for one term at a time, over the few chunks
that are shown, gives the parts exactly as it counted them, for less than its own explanation
of each document costs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tantivy import Occur, Query, Searcher

from plait.patterns.plain import phrase_pattern
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.verified import Check, matcher_of
from plait.stores.embedded.words import translate
from plait.types import (
    All,
    Any,
    Expression,
    Not,
    Numbers,
    PathLike,
    PathPattern,
    Paths,
    Pattern,
    Phrase,
    Reason,
    Term,
)

Earned = dict[int, tuple[Reason, ...]]  # chunk number to what it earned; absent: no match


def scores(wanted: Expression) -> bool:
    """Whether an expression holds a term that earns a score."""
    match wanted:
        case Term():
            return True
        case Phrase(terms=terms):
            return bool(terms)
        case All(parts) | Any(parts):
            return any(scores(part) for part in parts)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Explainer:
    """A few chunks, by number, under the eye of the word index."""

    searcher: Searcher
    numbers: tuple[int, ...]
    among: Query  # these chunks
    text_of: Callable[[int], bytes]
    paths: PathList

    @classmethod
    def over(
        cls,
        numbers: tuple[int, ...],
        searcher: Searcher,
        text_of: Callable[[int], bytes],
        paths: PathList,
    ) -> Explainer:
        """Look at these chunks."""
        return cls(searcher, numbers, translate(Numbers(numbers)), text_of, paths)

    def hits(self, wanted: Expression) -> Earned:
        """What chunks earn of which it is known that they satisfy the whole expression."""
        if not isinstance(wanted, All):
            return self.evaluate(wanted) if scores(wanted) else dict.fromkeys(self.numbers, ())
        earned: Earned = dict.fromkeys(self.numbers, ())
        for part in wanted.parts:
            if scores(part):  # the others are conditions that every hit has met
                gained = self.hits(part)
                earned = {n: earned[n] + gained.get(n, ()) for n in self.numbers}
        return earned

    def evaluate(self, wanted: Expression) -> Earned:
        """The chunks that satisfy an expression, with what they earn by it."""
        match wanted:
            case Term():
                return self._term(wanted)
            case Any(parts):
                found: Earned = {}
                for part in parts:
                    for number, reasons in self.evaluate(part).items():
                        found[number] = found.get(number, ()) + reasons
                return found
            case All(parts):
                kept: Earned = dict.fromkeys(self.numbers, ())
                for part in parts:
                    held = self.evaluate(part)
                    kept = {n: kept[n] + held[n] for n in kept if n in held}
                return kept
            case Not(part):
                held = self.evaluate(part)
                return {number: () for number in self.numbers if number not in held}
            case _:
                return self._leaf(wanted)

    def _leaf(self, wanted: Expression) -> Earned:
        match wanted:
            case Phrase(terms=terms):
                holding = self._leaf(phrase_pattern(wanted))
                earned = self.evaluate(Any(tuple(Term(term) for term in terms)))
                return {number: earned.get(number, ()) for number in holding}
            case Pattern():
                check = Check(matcher_of(wanted), is_wanted=True)
                return {n: () for n in self.numbers if check.passes(self.text_of(n))}
            case PathLike() | PathPattern():
                return self._leaf(Paths(self.paths.meant(wanted)))
            case _:
                return {number: () for number, _ in self._found(wanted)}

    def _term(self, term: Term) -> Earned:
        found = self._found(term)
        if not found:
            return {}
        chunks, having = self.searcher.num_docs, self.searcher.doc_freq(term.field, term.text)
        rarity = math.log(1 + (max(chunks - having, 0) + 0.5) / (having + 0.5))
        said = term.text if term.spoken in ("", term.text) else f"{term.text} ({term.spoken})"
        weight = "" if term.weight == 1 else f"{term.weight:g} weight x "
        said = f"{said}: {weight}{rarity:.2f} rarity x "
        scale = rarity * term.weight or 1.0
        return {
            number: (Reason(f"{said}{score / scale:.2f} frequency", score),)
            for number, score in found
        }

    def _found(self, wanted: Expression) -> list[tuple[int, float]]:
        """Which of the chunks the word index finds, and how it scores them."""
        query = Query.boolean_query([(Occur.Must, self.among), (Occur.Must, translate(wanted))])
        hits = self.searcher.search(query, len(self.numbers), count=False).hits
        numbers = self.searcher.fast_field_values("chunk", [address for _, address in hits])
        return [
            (int(n), float(hit[0])) for n, hit in zip(numbers, hits, strict=True) if n is not None
        ]
