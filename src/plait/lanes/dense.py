"""The dense lane: chunks are found by what they mean, whatever words they use.

What it stores: a vector of each chunk's name and text. What it asks: which of those lie
nearest to the vector of the question. Conditions (a language, a path, a phrase, a word that
must not occur) are not questions of meaning: they restrict what is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from plait.expressions import fold, wanted_leaves
from plait.lanes.lexical import Lexical
from plait.types import (
    And,
    Chunk,
    ChunkId,
    Encoder,
    Expression,
    Not,
    Or,
    Passage,
    Phrase,
    Query,
    Ranking,
    Reason,
    Snapshot,
    Text,
    Vectors,
)

EVERYTHING = And(())
FIRST_DEPTH = 100  # chunks asked for at first: a page folded by file often needs more than one


@dataclass(frozen=True, slots=True)
class Dense:
    """The lane of meaning.

    Args:
        encoder: The model.
        lexical: What reads words that must not occur.
    """

    encoder: Encoder
    lexical: Lexical

    @property
    def name(self) -> str:
        return "dense"

    def waits(self, snapshot: Snapshot) -> bool:
        """Whether vectors are kept elsewhere, or the model takes its time."""
        return snapshot.is_remote or self.encoder.waits

    def passage(self, chunk: Chunk) -> Passage:
        """What is encoded of a chunk: the document half."""
        symbol = chunk.symbol if chunk.part == 0 else None
        return Passage(symbol.qualified_name if symbol else "", chunk.text)

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> AskedMeaning:
        """Put a query to the vectors of a snapshot: the question half."""
        question = " ".join(_said(query.wanted))
        where = conditions(query.wanted, self.lexical, snapshot)
        return AskedMeaning(query, question, where, self.encoder, snapshot, until)


@dataclass(slots=True)
class AskedMeaning:
    """A query as the dense lane understood it."""

    query: Query
    question: str
    where: Expression
    encoder: Encoder
    snapshot: Snapshot
    until: float = inf
    _vector: Vectors | None = None  # asked for once: an endpoint may take its time
    _last: Ranking | None = None
    _depth: int = 0  # that it was asked for

    @property
    def roots(self) -> Sequence[str]:
        return ()

    def ranking(self, limit: int) -> Ranking:
        """The chunks that lie nearest; none for a question without words."""
        if not self.question.strip():
            return Ranking("dense", ())
        if self._last is None or limit > self._depth:
            self._depth = max(limit, FIRST_DEPTH)
            self._vector = self._vector or self.encoder.questions([self.question])
            found = self.snapshot.nearest(
                self.encoder.digest,
                self._vector,
                self.where,
                self.query.scope,
                self._depth,
                self.until,
            )
            self._last = found._replace(name="dense")
        return self._last._replace(hits=self._last.hits[:limit])

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """Each chunk's cosine; a chunk that was not near has none."""
        hits = self._last.hits if self._last is not None else ()
        words, wanted = f"cosine, by {self.encoder.name}", set(ids)
        return {
            hit.chunk: Reason("cosine", hit.score, words=words)
            for hit in hits
            if hit.chunk in wanted
        }


def _said(wanted: Expression) -> Iterator[str]:
    """The words of a query, as typed, less those that must not occur."""
    return (leaf.text for leaf in wanted_leaves(wanted) if isinstance(leaf, Text | Phrase))


def conditions(wanted: Expression, lexical: Lexical, snapshot: Snapshot) -> Expression:
    """What must hold besides meaning: the query without its free text."""

    def both(parts: Sequence[Expression]) -> Expression:
        kept = tuple(part for part in parts if part != EVERYTHING)
        return kept[0] if len(kept) == 1 else And(kept)

    def either(parts: Sequence[Expression]) -> Expression:
        # Free text on one side of an OR can be met by anything.
        return EVERYTHING if EVERYTHING in parts else Or(tuple(parts))

    return fold(
        wanted,
        lambda leaf: EVERYTHING if isinstance(leaf, Text) else lexical.analysed(leaf, snapshot),
        all_of=both,
        any_of=either,
        excluded=lambda part: lexical.analysed(Not(part), snapshot),
    )
