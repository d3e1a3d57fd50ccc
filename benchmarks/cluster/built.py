"""Built: files and chunks out of an embedded index, so that no benchmark parses them again.

The index of a folder of packages is taken apart: each package becomes a repository of its own,
with the chunks that were cut of its files and the terms that the lane of words makes of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from plait.assembly import lexical_lane
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Change, ChunkId, Entry


class Place(NamedTuple):
    """A file in the index: its layer and its row there."""

    layer: int
    row: int


class Package(NamedTuple):
    """What an index holds of one package."""

    name: str
    places: tuple[Place, ...]
    chunks: int
    source_bytes: int


class Built:
    """An embedded index of many packages, each below a folder of its own.

    Args:
        folder: The index.
    """

    def __init__(self, folder: Path) -> None:
        self._lexical = lexical_lane(Settings())
        self._snapshot = EmbeddedStore(folder, self._lexical.analysis).snapshot()

    def packages(self, least_chunks: int) -> list[Package]:
        """Whole packages, from the smallest on, until there are so many chunks together."""
        places: defaultdict[str, list[Place]] = defaultdict(list)
        sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for number, layer in enumerate(self._snapshot.whole.layers):
            for row in range(layer.file_count):
                package, slash, _ = layer.file_key(row)[1].partition("/")
                if slash and row not in layer.dead:
                    totals = layer.totals(row)
                    places[package].append(Place(number, row))
                    sums[package][0] += totals.chunks
                    sums[package][1] += totals.source_bytes
        kept, together = [], 0
        for name in sorted(places, key=lambda package: sums[package][0]):
            if together < least_chunks:
                kept.append(Package(name, tuple(places[name]), *sums[name]))
                together += sums[name][0]
        return kept

    def changes(self, package: Package) -> Iterator[Change]:
        """The files of a package as new files of a repository, ready to commit."""
        for place in package.places:
            yield self._renamed(
                self._snapshot.whole.layers[place.layer].change(place.row), package.name
            )

    def _renamed(self, change: Change, repo: str) -> Change:
        path = change.path.partition("/")[2]
        assert change.file is not None
        entries = []
        for ordinal, entry in enumerate(change.entries):
            chunk = entry.chunk._replace(id=ChunkId(repo, path, ordinal))
            entries.append(Entry(chunk, self._lexical.terms(chunk)))
        return Change(repo, path, replace(change.file, repo=repo, path=path), tuple(entries))
