"""Drawing: 300 files by a seed, so many for each tag and so many without one.

Languages and trees take turns, so that no large project decides what a tag is worth.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from benchmarks.tags.trees import Found
from plait.sources.tags import tags_of
from plait.types.tags import TAG_NAMES

UNTAGGED = "-"
QUOTAS = {UNTAGGED: 64, "test": 44}
QUOTA = 16  # of every other tag


class Drawn(NamedTuple):
    """A file of the sample, and the tag it was drawn for."""

    wanted: str
    tree: str
    path: str


def draw(files: Iterable[Found], seed: int) -> list[Drawn]:
    """A sample, in the order of tags."""
    pools: defaultdict[str, list[tuple[bytes, str, str, str]]] = defaultdict(list)
    for tree, path, language, content in files:
        luck = hashlib.sha256(f"{seed}\0{tree}\0{path}".encode()).digest()
        for tag in tags_of(path, content) or (UNTAGGED,):
            pools[tag].append((luck, language, tree, path))
    sample: dict[tuple[str, str], Drawn] = {}
    for tag in (*TAG_NAMES[::-1], UNTAGGED):  # the rare ones first
        languages: Counter[str] = Counter()
        trees: Counter[str] = Counter()
        left = sorted(pools[tag])
        for _ in range(QUOTAS.get(tag, QUOTA)):
            left = [one for one in left if one[2:] not in sample]
            if not left:
                break
            chosen = min(left, key=lambda one: (languages[one[1]] + 2 * trees[one[2]], one[0]))
            _, language, tree, path = chosen
            languages[language] += 1
            trees[tree] += 1
            sample[tree, path] = Drawn(tag, tree, path)
    return sorted(sample.values(), key=lambda drawn: (drawn.wanted, drawn.tree, drawn.path))
