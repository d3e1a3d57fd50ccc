"""Explain: a few chunks, what each leaf of an expression finds of them and what it is worth.

The engine tells a sum, not its parts. Asking it for one term at a time, over the few chunks
that are shown, gives the parts exactly as it counted them, for less than its own explanation
of each document costs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tantivy import Occur, Query, Searcher

from plait.stores.embedded.paths import PathList
from plait.stores.embedded.words import translate
from plait.stores.resolved import Numbers, Paths
from plait.stores.verifying import matcher_of
from plait.types import Expression, PathLike, PathPattern, Pattern, Term


@dataclass(frozen=True, slots=True)
class Explained:
    """A few chunks, by number, under the eye of the word index."""

    searcher: Searcher
    among: tuple[int, ...]
    query: Query  # for these chunks
    text_of: Callable[[int], bytes]
    paths: PathList

    @classmethod
    def over(
        cls,
        numbers: tuple[int, ...],
        searcher: Searcher,
        text_of: Callable[[int], bytes],
        paths: PathList,
    ) -> Explained:
        """Look at these chunks."""
        return cls(searcher, numbers, translate(Numbers(numbers)), text_of, paths)

    def having(self, leaf: Expression) -> list[int]:
        match leaf:
            case Pattern():
                matcher = matcher_of(leaf)
                return [number for number in self.among if matcher.holds(self.text_of(number))]
            case PathLike() | PathPattern():
                return list(self._found(Paths(self.paths.meant(leaf))))
            case _:
                return list(self._found(leaf))

    def worth(self, term: Term) -> dict[int, float]:
        return self._found(term)

    def frequency(self, term: Term) -> tuple[int, int]:
        return self.searcher.doc_freq(term.field, term.text), self.searcher.num_docs

    def _found(self, wanted: Expression) -> dict[int, float]:
        """Which of the chunks the word index finds, and how it scores them."""
        query = Query.boolean_query([(Occur.Must, self.query), (Occur.Must, translate(wanted))])
        hits = self.searcher.search(query, len(self.among), count=False).hits
        numbers = self.searcher.fast_field_values("chunk", [address for _, address in hits])
        return {
            int(n): float(hit[0]) for n, hit in zip(numbers, hits, strict=True) if n is not None
        }
