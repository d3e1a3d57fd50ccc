"""Accounts: why each hit that is shown scores as it does, down to what each lane can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plait.ranking.ranker import Ranked
from plait.search.fusion import Fusion
from plait.search.gather import Gathered
from plait.types import ChunkId, Reason


def accounts(
    gathered: Mapping[str, Gathered],
    fusion: Fusion,
    ids: Sequence[ChunkId],
    ranked: Ranked | None = None,
) -> dict[ChunkId, Reason]:
    """The reason of each chunk: of its file, of the only lane, or the sum over lanes; theirs
    are below."""
    by_lane = {name: one.asked.reasons(ids) for name, one in gathered.items()}
    if ranked is not None:
        own = {key: {name: one[key] for name, one in by_lane.items() if key in one} for key in ids}
        return {key: ranked.account(key, own[key]) for key in ids}
    if len(by_lane) == 1:
        ((lane, reasons),) = by_lane.items()
        return {key: _named(lane, reasons.get(key)) for key in ids}
    fused = fusion.accounts([one.ranking for one in gathered.values()], ids)
    return {key: _nested(reason, key, by_lane) for key, reason in fused.items()}


def _nested(
    reason: Reason, key: ChunkId, by_lane: Mapping[str, Mapping[ChunkId, Reason]]
) -> Reason:
    """A fused score with each lane's own account below its contribution."""
    parts = []
    for part in reason.parts:
        inner = by_lane.get(part.name, {}).get(key)
        parts.append(part._replace(parts=(inner,)) if inner is not None else part)
    return reason._replace(parts=tuple(parts))


def _named(lane: str, reason: Reason | None) -> Reason:
    if reason is None or not reason.parts:
        value = 0.0 if reason is None else reason.value
        return Reason(lane, value, words=f"{lane}: matches every condition")
    return Reason(lane, reason.value, reason.parts, f"{lane}: {reason.text}")
