"""Fusion: several rankings into one, each hit accounting for what every lane gave it.

Lanes score in units of their own, so either places are added up (reciprocal rank fusion) or
scores are first brought to a common range. Whichever method, a chunk a lane did not find earns
nothing from it, a score is the exact sum of the lanes' contributions, and equal scores are
ordered by id. Only the few hits that are shown are accounted for: words for all of them cost
more than the sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Protocol

from plait.errors import SettingError
from plait.types import ChunkId, Hit, Ranking, Reason

K = 60  # of reciprocal rank fusion, as published
RANGE_DEPTH = 100  # hits of a lane whose scores span the common range


class FusionMethod(Protocol):
    """How one lane's ranking turns into contributions."""

    def shares(self, ranking: Ranking, weight: float) -> Sequence[float]:
        """What each hit earns."""
        ...

    def words(self, ranking: Ranking, at: int) -> str:
        """How one hit's share is worked out."""
        ...


class ReciprocalRank:
    """1 / (60 + rank)."""

    def shares(self, ranking: Ranking, weight: float) -> Sequence[float]:
        return [weight / (K + rank) for rank in range(1, len(ranking.hits) + 1)]

    def words(self, ranking: Ranking, at: int) -> str:  # noqa: ARG002 - the place says it all
        return f"/ ({K} + {at + 1})"


class MinMax:
    """(score - lowest) / (highest - lowest), over the first hits a lane found."""

    def shares(self, ranking: Ranking, weight: float) -> Sequence[float]:
        lowest, span = self._range(ranking)
        if not span:
            return [weight] * len(ranking.hits)
        # max() and a property for each of two hundred hits cost more than the rest of a fusion.
        scores = [hit.reason.value for hit in ranking.hits]
        return [weight * ((score - lowest) / span if score > lowest else 0.0) for score in scores]

    def words(self, ranking: Ranking, at: int) -> str:
        lowest, span = self._range(ranking)
        if not span:
            return "(as good as any other)"
        return f"x ({ranking.hits[at].score:.4f} - {lowest:.4f}) / {span:.4f}"

    def _range(self, ranking: Ranking) -> tuple[float, float]:
        if not ranking.hits:
            return 0.0, 0.0
        highest, lowest = ranking.hits[0].score, ranking.hits[:RANGE_DEPTH][-1].score
        return lowest, highest - lowest


class MaxNormalised:
    """score / highest."""

    def shares(self, ranking: Ranking, weight: float) -> Sequence[float]:
        highest = ranking.hits[0].score if ranking.hits else 0.0
        return [weight * (hit.score / highest if highest > 0 else 1.0) for hit in ranking.hits]

    def words(self, ranking: Ranking, at: int) -> str:
        return f"x {ranking.hits[at].score:.4f} / {ranking.hits[0].score:.4f}"


METHODS: Mapping[str, FusionMethod] = {
    "rrf": ReciprocalRank(),
    "intersection": ReciprocalRank(),
    "minmax": MinMax(),
    "max": MaxNormalised(),
}


@dataclass(frozen=True, slots=True)
class Fusion:
    """How rankings become one.

    Args:
        method: ``rrf``; ``intersection``, the same with what every lane found first; ``minmax``
            or ``max``, sums of scores brought to a common range.
        weights: How much each lane counts; 1 for a lane that is not named.
    """

    method: str = "rrf"
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingError(f"fusion must be one of {', '.join(METHODS)}, got {self.method!r}")
        for lane, weight in self.weights.items():
            if not 0 <= weight <= 1000:
                raise SettingError(f"the weight of lane {lane!r} must be 0 to 1000, got {weight}")

    def fuse(self, rankings: Sequence[Ranking]) -> Ranking:
        """One ranking of every chunk that any lane found."""
        given: dict[ChunkId, list[float]] = {}
        for ranking in rankings:
            shares = METHODS[self.method].shares(ranking, self._weight(ranking))
            for hit, share in zip(ranking.hits, shares, strict=True):
                given.setdefault(hit.chunk, []).append(share)
        bonus = self._bonus(rankings)
        if bonus:
            for own in given.values():
                if len(own) == len(rankings):
                    own.append(bonus)
        hits = [Hit(chunk, Reason(self.method, fsum(own))) for chunk, own in given.items()]
        fused = Ranking.best_first(self.method, hits)
        notes = tuple(dict.fromkeys(note for ranking in rankings for note in ranking.notes))
        return fused._replace(notes=notes, is_partial=any(r.is_partial for r in rankings))

    def accounts(
        self, rankings: Sequence[Ranking], chunks: Iterable[ChunkId]
    ) -> dict[ChunkId, Reason]:
        """How each of these chunks earns its score: a part for every lane that found it."""
        parts: dict[ChunkId, list[Reason]] = {chunk: [] for chunk in chunks}
        for ranking in rankings:
            weight, method = self._weight(ranking), METHODS[self.method]
            shares = method.shares(ranking, weight)
            for at, hit in enumerate(ranking.hits):
                if hit.chunk in parts:
                    words = f"{ranking.name}: {weight:g} {method.words(ranking, at)}"
                    parts[hit.chunk].append(Reason(ranking.name, shares[at], words=words))
        bonus = self._bonus(rankings)
        for own in parts.values():
            if bonus and len(own) == len(rankings):
                own.append(Reason("intersection", bonus, words="found by every lane"))
        words = f"{self.method}: sum of"
        return {chunk: Reason.total(self.method, own, words) for chunk, own in parts.items()}

    def _weight(self, ranking: Ranking) -> float:
        return self.weights.get(ranking.name, 1.0)

    def _bonus(self, rankings: Sequence[Ranking]) -> float:
        """What puts a chunk that every lane found ahead of all others, if that is the method."""
        if self.method != "intersection" or len(rankings) < 2:
            return 0.0
        # The sum of the weights is above anything their reciprocal ranks can add up to.
        return sum(map(self._weight, rankings))
