"""Fusion: several rankings into one, each hit accounting for what every lane gave it.

Lanes score in units of their own, so either places are added up (reciprocal rank fusion) or
scores are first brought to a common range. Whichever way, a chunk a lane did not find earns
nothing from it, a score is the exact sum of the lanes' contributions, and equal scores are
ordered by id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from plait.errors import SettingError
from plait.types import ChunkId, Hit, Ranking, Reason

K = 60  # of reciprocal rank fusion, as published


def reciprocal_rank(ranking: Ranking, weight: float) -> dict[ChunkId, Reason]:
    """weight / (60 + rank)."""
    named = f"{weight:g} / ({K} + "
    return {
        hit.chunk: Reason(f"{ranking.name}: {named}{rank})", weight / (K + rank))
        for rank, hit in enumerate(ranking.hits, start=1)
    }


def min_max(ranking: Ranking, weight: float) -> dict[ChunkId, Reason]:
    """weight x (score - lowest) / (highest - lowest), over what the lane found."""
    if not ranking.hits:
        return {}
    highest, lowest = ranking.hits[0].score, ranking.hits[-1].score
    span = highest - lowest
    return {
        hit.chunk: Reason(
            f"{ranking.name}: {weight:g} x ({hit.score:.4f} - {lowest:.4f}) / {span:.4f}",
            weight * ((hit.score - lowest) / span if span else 1.0),
        )
        for hit in ranking.hits
    }


def max_normalised(ranking: Ranking, weight: float) -> dict[ChunkId, Reason]:
    """weight x score / highest."""
    if not ranking.hits:
        return {}
    highest = ranking.hits[0].score
    return {
        hit.chunk: Reason(
            f"{ranking.name}: {weight:g} x {hit.score:.4f} / {highest:.4f}",
            weight * (hit.score / highest if highest > 0 else 1.0),
        )
        for hit in ranking.hits
    }


Way = Callable[[Ranking, float], dict[ChunkId, Reason]]
WAYS: Mapping[str, Way] = {
    "rrf": reciprocal_rank,
    "intersection": reciprocal_rank,
    "minmax": min_max,
    "max": max_normalised,
}


@dataclass(frozen=True, slots=True)
class Fusion:
    """How rankings become one.

    Args:
        way: ``rrf``; ``intersection``, the same with what every lane found first; ``minmax``
            or ``max``, sums of scores brought to a common range.
        weights: How much each lane counts; 1 for a lane that is not named.
    """

    way: str = "rrf"
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise SettingError(f"fusion must be one of {', '.join(WAYS)}, got {self.way!r}")
        for lane, weight in self.weights.items():
            if not 0 <= weight <= 1000:
                raise SettingError(f"the weight of lane {lane!r} must be 0 to 1000, got {weight}")

    def fuse(self, rankings: Sequence[Ranking]) -> Ranking:
        """One ranking of every chunk that any lane found."""
        given: dict[ChunkId, list[Reason]] = {}
        for ranking in rankings:
            weight = self.weights.get(ranking.name, 1.0)
            for chunk, part in WAYS[self.way](ranking, weight).items():
                given.setdefault(chunk, []).append(part)
        # The sum of the weights is above anything their reciprocal ranks can add up to.
        bonus = sum(self.weights.get(ranking.name, 1.0) for ranking in rankings)
        is_ahead = self.way == "intersection" and len(rankings) > 1
        hits = []
        for chunk, parts in given.items():
            if is_ahead and len(parts) == len(rankings):
                parts.append(Reason("found by every lane", bonus))
            hits.append(Hit(chunk, Reason.total(f"{self.way}: sum of", parts)))
        fused = Ranking.best_first(self.way, hits)
        notes = tuple(dict.fromkeys(note for ranking in rankings for note in ranking.notes))
        return fused._replace(notes=notes, is_partial=any(r.is_partial for r in rankings))
