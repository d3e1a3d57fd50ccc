"""Fold: one result per file, so that one long file cannot fill a page.

Folding a chunk ranking by file was measured as the largest free gain there is
(+0.03 to +0.04 nDCG). The best chunk of a file speaks for it; the others are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plait.types import Hit


def fold(
    hits: Sequence[Hit], per_file: int, limit: int
) -> tuple[list[Hit], Counter[tuple[str, str]]]:
    """The first hits with at most ``per_file`` of each file (0: any number), and how many
    hits each file had in all."""
    seen: Counter[tuple[str, str]] = Counter()
    kept: list[Hit] = []
    for hit in hits:
        file = hit.chunk[:2]
        seen[file] += 1
        if len(kept) < limit and (per_file == 0 or seen[file] <= per_file):
            kept.append(hit)
    return kept, seen
