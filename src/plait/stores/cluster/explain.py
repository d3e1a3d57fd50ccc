"""Explain: a few chunks, what each leaf of an expression finds of them and what it is worth.

Every leaf of the expression is asked under a name of its own, all of them in one request over
the few chunks that are shown. The engine tells which leaves each chunk satisfies and what each
is worth, exactly as it counted them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plait.expressions import all_leaves
from plait.stores.cluster.counting import Counting
from plait.stores.cluster.documents import chunk_key, id_of
from plait.stores.cluster.queries import Body, TermQuery, translated
from plait.stores.cluster.scoring import scoring
from plait.stores.cluster.verified import BY_KEY, PAGE
from plait.stores.cluster.view import View
from plait.stores.verifying import matcher_of
from plait.types import (
    ChunkId,
    Expression,
    Field,
    Or,
    PathPattern,
    Pattern,
    Phrase,
    Term,
)

MAX_LEAVES = 500  # asked in one request


def leaves(wanted: Expression) -> Iterator[Expression]:
    """What the index is asked about one by one."""
    for leaf in all_leaves(wanted):
        match leaf:
            case Phrase(terms=terms):
                yield from (Term(term) for term in terms)
            case Pattern() | PathPattern():
                pass
            case _:
                yield leaf


@dataclass(frozen=True, slots=True)
class Explained:
    """A few chunks, and what every leaf of an expression is worth to each."""

    texts: Mapping[ChunkId, str]
    worths: Mapping[Expression, Mapping[ChunkId, float]]
    frequencies: Mapping[tuple[Field, str], int]
    chunks: int

    @classmethod
    def over(
        cls,
        view: View,
        ids: Sequence[ChunkId],
        wanted: Expression,
        counting: Counting,
    ) -> Explained:
        """Ask the index about these chunks; those that are not there are left out."""
        named = list(dict.fromkeys(leaves(wanted)))
        scored = scoring(view, counting, Or(tuple(named)))
        worths: dict[Expression, dict[ChunkId, float]] = {leaf: {} for leaf in named}
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
                        worths[part[int(name)]][key] = score
        terms = [(leaf.field, leaf.text) for leaf in named if isinstance(leaf, Term)]
        return cls(
            {key: texts[key] for key in ids if key in texts},
            worths,
            counting.frequencies(terms),
            counting.statistics().chunks if terms else 0,
        )

    @property
    def among(self) -> Collection[ChunkId]:
        return self.texts.keys()

    def having(self, leaf: Expression) -> list[ChunkId]:
        match leaf:
            case Pattern():
                matcher = matcher_of(leaf)
                return [key for key, text in self.texts.items() if matcher.holds(text.encode())]
            case PathPattern(regex):
                matcher = matcher_of(Pattern(regex))
                return [key for key in self.texts if matcher.holds(key.path.encode())]
            case _:
                return list(self.worths[leaf])

    def worth(self, term: Term) -> Mapping[ChunkId, float]:
        return self.worths[term]

    def frequency(self, term: Term) -> tuple[int, int]:
        return self.frequencies[term.field, term.text], self.chunks


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
