"""Weighing: how much each lane counts for one question, by what the lanes themselves show.

Meaning is worth more than words on the whole, but not where the words decide: a name was
typed, or the best match by words stands far out from the hundredth while meaning cannot tell
its first ten apart. Both marks were chosen on dev splits (docs/decisions/0007-fusion.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plait.search.fusion import RANGE_DEPTH, Fusion
from plait.search.shape import NAME, shape_of
from plait.types import Query, Ranking

DECIDED = 0.7  # of its score, the best match by words loses until the hundredth
UNDECIDED = 0.2  # cosine, between the first by meaning and the tenth
PAGE = 10


@dataclass(frozen=True, slots=True)
class Weighing:
    """Which fusion a question gets.

    Args:
        usual: For most questions.
        by_words: Where the words decide.
        words: The lane of words.
        meaning: The lane of meaning.
    """

    usual: Fusion
    by_words: Fusion
    words: str = "lexical"
    meaning: str = "dense"

    def __call__(self, query: Query, rankings: Sequence[Ranking]) -> Fusion:
        """The fusion for a question and what the lanes found."""
        if shape_of(query.text) == NAME:
            return self.by_words
        found = {ranking.name: ranking for ranking in rankings}
        words, meaning = found.get(self.words), found.get(self.meaning)
        if words is None or meaning is None or not words.hits or not meaning.hits:
            return self.usual
        is_decided = _fall(words, RANGE_DEPTH) > DECIDED * words.hits[0].score
        is_undecided = _fall(meaning, PAGE) < UNDECIDED
        return self.by_words if is_decided and is_undecided else self.usual


def _fall(ranking: Ranking, depth: int) -> float:
    """How far scores fall from the first hit to one so deep, or to the last."""
    return ranking.hits[0].score - ranking.hits[:depth][-1].score
