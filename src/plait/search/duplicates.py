"""Duplicates: every group of copies in an index.

Comparing each chunk with each would take the square of their number. So chunks whose tokens
are the same are put together first, the rest is sorted into cells by k-means, and a chunk is
compared by its vector with those of its two nearest cells only. What lies near enough is
compared token by token, and what proves a copy is joined to one group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from plait.expressions import conjunction
from plait.search.clustering.kmeans import fit
from plait.search.clusters import CODE, as_rows
from plait.search.shingles import Shingled
from plait.search.similar import EVERYTHING, EVERYWHERE, Copy, Likeness, compare, share_lines
from plait.types import Chunk, ChunkId, Expression, Scope, Snapshot
from plait.types.notes import CUT, Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_TOKENS = 40  # about five lines of code; fewer are written again sooner than copied
# Against all pairs of Django's 7,900 long chunks this joins every near-duplicate and 86 % of
# the renamed copies, whose vectors lie apart because their names do; see docs/similar.md.
MIN_COSINE = 0.6
NEAREST = 20  # neighbours of a chunk that are compared token by token
MAX_CHUNKS = 200_000
CELL = 500  # chunks, on average
MAX_CELLS = 200
CELL_SAMPLE = 20_000  # chunks the cells are computed from
BLOCK = 4_096
KEPT_TEXTS = 20_000  # cut into runs, to be compared again


class Group(NamedTuple):
    """Copies of one piece of code, in the order of their places."""

    chunks: tuple[Chunk, ...]
    copy: Copy  # RENAMED if any two had to be compared without their names
    share: float  # of runs in common, of the two least alike that were joined

    @property
    def lines(self) -> int:
        """Lines that repeat others: all but those of one copy."""
        sizes = [chunk.span.last - chunk.span.first + 1 for chunk in self.chunks]
        return sum(sizes) - max(sizes)


class Groups(NamedTuple):
    """All groups, those that repeat the most lines first."""

    groups: tuple[Group, ...]
    compared: int  # chunks
    notes: tuple[Note, ...] = ()


def duplicates(
    snapshot: Snapshot,
    model: str,
    *,
    where: Expression = EVERYTHING,
    scope: Scope = EVERYWHERE,
) -> Groups:
    """Find the groups of copies among the definitions that have a vector of a model.

    Args:
        snapshot: What is searched.
        model: The digest of the model.
        where: What a copy has to satisfy; it holds no ``Text``.
        scope: Where to look.
    """
    found = _Candidates(snapshot, model, conjunction((CODE, where)), scope)
    copies = list(found.copies())
    weakest: dict[int, tuple[bool, float]] = {}
    joined = _join(len(found.same), [(one, other) for one, other, _ in copies])
    for one, _, likeness in copies:
        told = (likeness.copy is not Copy.RENAMED, likeness.share)
        weakest[joined[one]] = min(told, weakest.get(joined[one], told))
    members: dict[int, list[ChunkId]] = {}
    for row, keys in enumerate(found.same):
        members.setdefault(joined[row], []).extend(keys)
    groups = []
    for row, keys in members.items():
        chunks = _apart(snapshot.fetch(keys).values()) if len(keys) > 1 else []
        if len(chunks) > 1:
            is_near, share = weakest.get(row, (True, 1.0))
            copy = Copy.NEAR if is_near else Copy.RENAMED
            groups.append(Group(tuple(chunks), copy, share))
    groups.sort(key=lambda group: (-group.lines, group.chunks[0].id))
    return Groups(tuple(groups), found.seen, tuple(found.notes))


def _join(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each of so many rows the smallest it is joined to by pairs, near or far."""
    parent = list(range(count))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = row = parent[parent[row]]
        return row

    for one, other in pairs:
        smaller, larger = sorted((root(one), root(other)))
        parent[larger] = smaller
    return [root(row) for row in range(count)]


def _apart(chunks: Iterable[Chunk]) -> list[Chunk]:
    """The chunks but for those that share lines with a larger one, in order."""
    kept: list[Chunk] = []
    for chunk in sorted(chunks, key=lambda chunk: (-len(chunk.text), chunk.id)):
        if not any(share_lines(chunk, other) for other in kept):
            kept.append(chunk)
    return sorted(kept, key=lambda chunk: chunk.id)


class _Candidates:
    """The chunks long enough to be copies, those with the same tokens as one."""

    def __init__(self, snapshot: Snapshot, model: str, where: Expression, scope: Scope) -> None:
        import numpy

        self._snapshot = snapshot
        self.same: list[list[ChunkId]] = []  # row to the chunks that have the same tokens
        self.seen = 0
        self.notes: list[Note] = []
        vectors: list[NDArray[Any]] = []
        known: dict[bytes, int] = {}
        for keys, block in snapshot.embedded(model, where, scope):
            if self.seen >= MAX_CHUNKS:
                told = (
                    f"only the first {self.seen:,} chunks were compared; "
                    "name a folder or a language to look at fewer"
                )
                self.notes.append(Note(CUT, told))
                break
            self.seen += len(keys)
            chunks = snapshot.fetch(keys)
            for key, vector in zip(keys, as_rows(block), strict=True):
                text = Shingled(chunks[key].text)
                if text.code_size < MIN_TOKENS:
                    continue
                row = known.setdefault(_digest(text.tokens), len(self.same))
                if row < len(self.same):
                    self.same[row].append(key)
                else:
                    self.same.append([key])
                    vectors.append(vector.copy())
        self._vectors = numpy.array(vectors, dtype="f4")

    def copies(self) -> Iterator[tuple[int, int, Likeness]]:
        """Pairs of rows that were compared and are copies."""
        loaded = lru_cache(maxsize=KEPT_TEXTS)(self._loaded)
        for one, other in sorted(self._pairs()):
            (chunk, text), (other_chunk, other_text) = loaded(one), loaded(other)
            if not share_lines(chunk, other_chunk):
                likeness = compare(text, other_text)
                if likeness.copy is not None:
                    yield one, other, likeness

    def _loaded(self, row: int) -> tuple[Chunk, Shingled]:
        key = self.same[row][0]
        chunk = self._snapshot.fetch([key])[key]
        return chunk, Shingled(chunk.text)

    def _pairs(self) -> set[tuple[int, int]]:
        """The rows that lie near enough to be compared, the smaller first."""
        import numpy

        pairs: set[tuple[int, int]] = set()
        for cell in self._cells():
            most = min(NEAREST, len(cell) - 1)
            if most < 1:
                continue
            near = self._vectors[cell] @ self._vectors[cell].T
            numpy.fill_diagonal(near, -1)
            best = numpy.argpartition(near, -most, axis=1)[:, -most:]
            is_near = numpy.take_along_axis(near, best, axis=1) >= MIN_COSINE
            ones, places = is_near.nonzero()
            others = cell[best[ones, places]]
            pairs.update(
                (min(pair), max(pair))
                for pair in zip(cell[ones].tolist(), others.tolist(), strict=True)
            )
        return pairs

    def _cells(self) -> Iterator[NDArray[Any]]:
        """Rows that may lie near one another; each is in its two nearest cells."""
        import numpy

        total = len(self._vectors)
        count = min(total // CELL, MAX_CELLS)
        if count <= 2:
            yield numpy.arange(total)
            return
        centres = fit(self._vectors[:: max(total // CELL_SAMPLE, 1)], count)
        homes = numpy.empty((total, 2), dtype="<i4")
        for begin in range(0, total, BLOCK):
            near = self._vectors[begin : begin + BLOCK] @ centres.T
            homes[begin : begin + BLOCK] = numpy.argpartition(near, -2, axis=1)[:, -2:]
        for cell in range(count):
            yield numpy.flatnonzero((homes == cell).any(axis=1))


def _digest(tokens: Sequence[str]) -> bytes:
    said = "\0".join(tokens).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=16).digest()
