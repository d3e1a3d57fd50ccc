"""Clusters: what a body of code is about, as groups of chunks that mean much the same.

The groups come from k-means over the vectors the dense lane stores, their names from the
words that tell one group from the others. Both are kept: after a change only the chunks of
the changed files look for their nearest group again, and all others stay where they were,
until so much has changed that the groups no longer fit.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.errors import QueryError, StoreUnwritable
from plait.search.clustering.folders import Share, shares
from plait.search.clustering.kept import (
    Files,
    Record,
    load_record,
    record_path,
    save_record,
    state_of,
)
from plait.search.clustering.kmeans import MAX_CENTRES, assign, centre_count, fit
from plait.search.clustering.naming import Words, telling_words, word_counts
from plait.types import Chunk, ChunkId, Expression, Scope, Snapshot, Tag, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

CODE = Tag("is", "symbol")  # chunks of definitions, which is what has a subject
MAX_CHANGED = 0.2  # of the chunks; above that the groups are made anew
SAMPLE = 30_000  # chunks the centres are computed from
PER_NAME = 150  # chunks of a group that its name is read off
NAME_WORDS = 5
CENTRAL = 3  # chunks shown of a group
LOOKED_AT = 30  # to find so many of different names


class Cluster(NamedTuple):
    """A group of chunks. Its number and its words stay as long as the groups are kept."""

    number: int
    words: tuple[str, ...]  # the most telling first
    size: int
    central: tuple[Chunk, ...]  # of different names, nearest to the middle first
    folders: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Clustering:
    """All groups, the largest first."""

    clusters: tuple[Cluster, ...]
    members: Mapping[ChunkId, int]  # chunk to the number of its group
    is_kept: bool  # the groups were made before; only chunks that are new were looked at
    changed: float  # share of the chunks that changed since they were made


def clusters(
    snapshot: Snapshot,
    model: str,
    words: Words,
    *,
    where: Expression = CODE,
    scope: Scope = Scope(),  # noqa: B008  # frozen
    count: int = 0,
    folder: Path | None = None,
) -> Clustering:
    """Group the chunks that have a vector of a model.

    Args:
        snapshot: What is grouped.
        model: The digest of the model.
        words: Cuts a text into words fit to be shown.
        where: Which chunks; by default those of symbols.
        scope: Where to look.
        count: How many groups; 0 for as many as suit the number of chunks.
        folder: Where groups are kept from one call to the next; None to keep nothing.

    Raises:
        QueryError: There cannot be so many groups.
    """
    if not 0 <= count <= MAX_CENTRES:
        raise QueryError(f"there can be 1 to {MAX_CENTRES} clusters, got {count}")
    path = record_path(folder, model, where, *_said(scope), count) if folder else None
    record = load_record(path) if path else None
    if record is not None:
        found = _Grouped(snapshot, model, where, scope, record.centres)
        changed = record.changed(found.files)
        if changed <= MAX_CHANGED:
            return found.clustering(record.names, is_kept=True, changed=changed)
    sample, total = _sample(snapshot, model, where, scope)
    if not total:
        return Clustering((), {}, is_kept=False, changed=0.0)
    centres = fit(sample, min(count or centre_count(total), len(sample)))
    found = _Grouped(snapshot, model, where, scope, centres)
    names = found.names(words)
    if path:
        with suppress(OSError, StoreUnwritable):  # it costs the next caller a clustering
            save_record(path, Record(centres, tuple(names), found.files))
    return found.clustering(names, is_kept=False, changed=0.0)


class _Grouped:
    """Every chunk with the number of its nearest centre."""

    def __init__(
        self,
        snapshot: Snapshot,
        model: str,
        where: Expression,
        scope: Scope,
        centres: NDArray[Any],
    ) -> None:
        import numpy

        self._snapshot = snapshot
        self._ids: list[ChunkId] = []
        labels, cosines = [], []
        for keys, vectors in _blocks(snapshot, model, where, scope):
            self._ids += keys
            found = assign(vectors, centres)
            labels.append(found[0])
            cosines.append(found[1])
        self._labels = numpy.concatenate(labels) if labels else numpy.zeros(0, dtype=int)
        self._cosines = numpy.concatenate(cosines) if cosines else numpy.zeros(0)
        self._rows = self._by_group(len(centres))
        self.files = _files(snapshot, self._ids)

    def names(self, words: Words) -> list[tuple[str, ...]]:
        """What to call each group, read off some of its chunks from the middle to the rim."""
        counts, sizes = [], []
        for rows in self._rows:
            step = max(len(rows) / PER_NAME, 1)
            chosen = [self._ids[rows[int(at * step)]] for at in range(min(len(rows), PER_NAME))]
            counts.append(word_counts(self._snapshot.fetch(chosen).values(), words))
            sizes.append(max(len(chosen), 1))
        return telling_words(counts, sizes, NAME_WORDS)

    def clustering(
        self, names: Sequence[tuple[str, ...]], *, is_kept: bool, changed: float
    ) -> Clustering:
        """The groups that have any chunks, in full."""
        found = [
            Cluster(
                number,
                names[number - 1],
                len(rows),
                self._central(rows),
                tuple(shares(self._ids[row].path for row in rows)),
            )
            for number, rows in enumerate(self._rows, start=1)
            if rows
        ]
        found.sort(key=lambda cluster: (-cluster.size, cluster.number))
        members = dict(zip(self._ids, (self._labels + 1).tolist(), strict=True))
        return Clustering(tuple(found), members, is_kept, changed)

    def _by_group(self, count: int) -> list[list[int]]:
        """The chunks of each group, nearest to its centre first."""
        ids, cosines = self._ids, self._cosines.round(6).tolist()
        rows: list[list[int]] = [[] for _ in range(count)]
        for row in sorted(range(len(ids)), key=lambda row: (-cosines[row], ids[row])):
            rows[self._labels[row]].append(row)
        return rows

    def _central(self, rows: Sequence[int]) -> tuple[Chunk, ...]:
        """The chunks nearest to the middle, of different names as far as there are any."""
        keys = [self._ids[row] for row in rows[:LOOKED_AT]]
        found = self._snapshot.fetch(keys)
        distinct: dict[str, Chunk] = {}
        for key in keys:
            symbol = found[key].symbol
            distinct.setdefault(symbol.name if symbol else key.path, found[key])
        others = [found[key] for key in keys if found[key] not in distinct.values()]
        return (*distinct.values(), *others)[:CENTRAL]


def _blocks(
    snapshot: Snapshot, model: str, where: Expression, scope: Scope
) -> Iterator[tuple[Sequence[ChunkId], NDArray[Any]]]:
    """Chunks and their vectors, without those whose vector has no direction."""
    import numpy

    for keys, vectors in snapshot.embedded(model, where, scope):
        rows = as_rows(vectors)
        kept: NDArray[Any] = numpy.flatnonzero(rows.any(axis=1))
        if len(kept) == len(rows):
            yield keys, rows
        else:
            yield [keys[at] for at in kept.tolist()], rows[kept]


def as_rows(vectors: Vectors) -> NDArray[Any]:
    """Vectors as an array, one a row."""
    import numpy

    found: NDArray[Any] = numpy.frombuffer(vectors.data, "<f4").reshape(-1, vectors.dimension)
    return found


def _sample(
    snapshot: Snapshot, model: str, where: Expression, scope: Scope
) -> tuple[NDArray[Any], int]:
    """The vectors the centres come from, all or as good as random ones, and of how many.

    Which ones they are, and in which order, depends on the chunks alone and not on the order
    in which the store keeps them.
    """
    import numpy

    kept: list[tuple[int, ChunkId, NDArray[Any]]] = []
    total, below = 0, 1 << 32
    for keys, vectors in _blocks(snapshot, model, where, scope):
        total += len(keys)
        for key, row in zip(keys, vectors, strict=True):
            drawn = zlib.crc32(str(key).encode("utf-8", "surrogatepass"))
            if drawn < below:
                kept.append((drawn, key, row.copy()))  # a view would keep the whole block alive
        if len(kept) > 2 * SAMPLE:
            kept = _drawn(kept)
            below = kept[-1][0] + 1
    return numpy.array([row for _, _, row in _drawn(kept)], dtype="f4"), total


def _drawn(
    kept: Sequence[tuple[int, ChunkId, NDArray[Any]]],
) -> list[tuple[int, ChunkId, NDArray[Any]]]:
    return sorted(kept, key=lambda item: item[:2])[:SAMPLE]


def _files(snapshot: Snapshot, ids: Sequence[ChunkId]) -> Files:
    """The files of these chunks as they are now, and how many of the chunks each has."""
    counts = Counter((key.repo, key.path) for key in ids)
    digests = {repo: snapshot.digests(repo) for repo in {repo for repo, _ in counts}}
    return {state_of(repo, path, digests[repo][path]): n for (repo, path), n in counts.items()}


def _said(scope: Scope) -> tuple[object, ...]:
    """A scope as values that are written the same way every time."""
    repos = sorted(scope.repos) if scope.repos is not None else None
    others = (scope.paths, scope.under, scope.file)
    return (repos, sorted(scope.languages), sorted(scope.kinds), *others)
