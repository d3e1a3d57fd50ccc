"""Pool: what all lanes found, folded to files.

Lanes score in units of their own, so a lane's scores are brought to a range from 0 to 1 over the
first hundred it found. A file that is only found deeper has no share in any of them: it is ranked
behind the others, so that a longer list begins with the shorter one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plait.types import ChunkId, FileKey, Ranking

RANGE = 100  # hits of a lane whose scores make its range
BEST = 3  # chunks of a file that count


@dataclass(slots=True)
class Found:
    """What one lane found of a file, among its first hundred."""

    best: float  # the score of its best chunk, of the best there is
    shares: float  # of its three best chunks, added up
    chunks: int = 1


@dataclass(slots=True)
class Candidate:
    """A file, and what the lanes found of it."""

    key: FileKey
    by_lane: dict[str, Found] = field(default_factory=dict)
    chunks: dict[ChunkId, float] = field(default_factory=dict)  # by fused score, best first


@dataclass(frozen=True, slots=True)
class Pool:
    """The files that were found, and of each lane the most that any of them has."""

    files: Mapping[FileKey, Candidate]
    most: Mapping[str, float]
    is_deep: bool  # a lane was asked for more than its first hundred


def pooled(rankings: Sequence[Ranking], fused: Ranking) -> Pool:
    """Fold what the lanes found to files.

    Args:
        rankings: Of each lane.
        fused: All of them in one: in this order a file's chunks are shown.
    """
    files: dict[FileKey, Candidate] = {}
    for chunk, reason in fused.hits:
        key = chunk[:2]
        candidate = files.get(key)
        if candidate is None:
            candidate = files[key] = Candidate(key)
        candidate.chunks[chunk] = reason.value
    most: dict[str, float] = {}
    for ranking in rankings:
        most[ranking.name] = _add(ranking, files)
    return Pool(files, most, any(len(ranking.hits) > RANGE for ranking in rankings))


def _add(ranking: Ranking, files: Mapping[FileKey, Candidate]) -> float:
    """Add one lane's first hundred to the files they are in; the most that a file has of it."""
    first = ranking.hits[:RANGE]
    if not first:
        return 0.0
    lane, most = ranking.name, 0.0
    highest, lowest = first[0].reason.value, first[-1].reason.value
    span = highest - lowest
    for chunk, reason in first:
        share = (reason.value - lowest) / span if span else 1.0
        by_lane = files[chunk[:2]].by_lane
        found = by_lane.get(lane)
        if found is None:
            of_best = reason.value / highest if highest > 0 else 1.0
            found = by_lane[lane] = Found(of_best, share)
        else:
            found.chunks += 1
            if found.chunks <= BEST:
                found.shares += share
        if found.shares > most:
            most = found.shares
    return most
