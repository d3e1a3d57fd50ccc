"""Folders: where in a tree a group of chunks lives, in as few names as say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

DOMINANT = 0.7  # of a folder's chunks: then the inner folder says where, not the outer one
WORTH_NAMING = 0.1  # of all chunks
MOST = 3


class Share(NamedTuple):
    """A folder, "" for the top of the tree, and the share of the chunks below it."""

    folder: str
    share: float


def shares(paths: Iterable[str]) -> list[Share]:
    """The folders that hold a large share of these files' chunks, largest first.

    A folder most of whose chunks are in one folder within gives way to that one.
    """
    counts: Counter[str] = Counter()
    inner: dict[str, set[str]] = {}
    for folder, count in Counter(path.rpartition("/")[0] for path in paths).items():
        counts[""] += count
        outer, parts = "", folder.split("/") if folder else []
        for depth in range(len(parts)):
            here = "/".join(parts[: depth + 1])
            inner.setdefault(outer, set()).add(here)
            counts[here] += count
            outer = here

    def settled(folder: str) -> str:
        while True:
            below = max(inner.get(folder, ()), key=lambda one: (counts[one], one), default="")
            if not below or counts[below] < DOMINANT * counts[folder]:
                return folder
            folder = below

    total = counts[""]
    top = settled("")
    found = [one for one in inner.get(top, ()) if counts[one] >= WORTH_NAMING * total]
    if counts[top] - sum(counts[one] for one in found) > sum(counts[one] for one in found):
        found = []  # what lies within says less than the folder itself
    named = {settled(one) for one in found} or {top}
    best = sorted(named, key=lambda one: (-counts[one], one))[:MOST]
    return [Share(one, counts[one] / total) for one in best] if total else []
