"""Fold: one result per file, so that one long file cannot fill a page.

Folding a chunk ranking by file was measured as the largest free gain there is
(+0.03 to +0.04 nDCG). The best chunk of a file speaks for it; the others are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plait.types import Hit


def fold(
    hits: Sequence[Hit], per_file: int, limit: int
) -> tuple[list[Hit], Mapping[tuple[str, str], int]]:
    """The first hits, at most ``per_file`` of each file (0: any number); hits of each file."""
    seen: dict[tuple[str, str], int] = {}
    kept: list[Hit] = []
    for hit in hits:
        repo, path, _ = hit.chunk
        count = seen[repo, path] = seen.get((repo, path), 0) + 1
        if len(kept) < limit and (per_file == 0 or count <= per_file):
            kept.append(hit)
    return kept, seen
