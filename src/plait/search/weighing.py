"""Weighing: whether the words alone decide a question, by what the lanes themselves show.

Meaning is worth more than words on the whole, but not where the best match by words stands far
out from the hundredth while meaning cannot tell its first ten apart. Both marks were chosen on
dev splits (docs/decisions/0007-fusion.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from plait.search.fusion import RANGE_DEPTH
from plait.types import Ranking

WORDS, MEANING = "lexical", "dense"
DECIDED = 0.7  # of its score, the best match by words loses until the hundredth
UNDECIDED = 0.2  # cosine, between the first by meaning and the tenth
PAGE = 10


def words_decide(rankings: Sequence[Ranking]) -> bool:
    """Whether words stand out and meaning does not."""
    found = {ranking.name: ranking for ranking in rankings}
    words, meaning = found.get(WORDS), found.get(MEANING)
    if words is None or meaning is None or not words.hits or not meaning.hits:
        return False
    is_decided = _fall(words, RANGE_DEPTH) > DECIDED * words.hits[0].score
    return is_decided and _fall(meaning, PAGE) < UNDECIDED


def _fall(ranking: Ranking, depth: int) -> float:
    """How far scores fall from the first hit to one so deep, or to the last."""
    return ranking.hits[0].score - ranking.hits[:depth][-1].score
