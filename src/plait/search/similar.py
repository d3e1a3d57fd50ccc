"""Similar code: the chunks that lie nearest to a chunk, and which of them are copies of it.

Vectors say what is about the same; that a thing was copied they cannot say. So each neighbour
is compared with the chunk token by token: it is a near-duplicate if most of their runs of
tokens are the same, and a renamed copy if they are once the names are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from plait.errors import QueryError
from plait.search.shingles import Shingled, overlap
from plait.search.snippet import snippet
from plait.types import (
    And,
    Answer,
    Chunk,
    ChunkId,
    Expression,
    Query,
    Ranking,
    Reason,
    Result,
    Scope,
    Snapshot,
    Vectors,
)
from plait.types.notes import Note

EVERYTHING = And(())
EVERYWHERE = Scope()
COPY = 0.8  # of the runs of tokens shared by a near-duplicate
RENAMED_COPY = 0.9  # the same without names, which code that was not copied also shares
MIN_RENAMED_TOKENS = 30  # shorter code looks alike once its names are gone
CANDIDATES = 200  # neighbours looked at for copies
OVERLAPPING = 10  # chunks more to ask for: some may share lines with the one asked about


class Copy(StrEnum):
    """How one chunk was made from another."""

    NEAR = "near-duplicate"
    RENAMED = "renamed copy"


class Likeness(NamedTuple):
    """What two texts have in common: a kind of copy, if any, and the share of runs."""

    copy: Copy | None
    share: float


class Similar(NamedTuple):
    """A chunk near to another."""

    chunk: Chunk
    cosine: float
    likeness: Likeness


class Neighbourhood(NamedTuple):
    """The chunks near to one, nearest first, and what may be missing among them."""

    near: tuple[Similar, ...]
    notes: tuple[Note, ...] = ()
    is_partial: bool = False


def compare(one: Shingled, other: Shingled) -> Likeness:
    """Whether two texts are copies of one another; symmetric."""
    few, many = sorted((len(one.runs), len(other.runs)))
    share = overlap(one.runs, other.runs) if few >= COPY * many else 0.0
    if share >= COPY:
        return Likeness(Copy.NEAR, share)
    few, many = sorted((len(one.tokens), len(other.tokens)))
    if few >= max(MIN_RENAMED_TOKENS, COPY * many):
        nameless = overlap(one.nameless_runs, other.nameless_runs)
        if nameless >= RENAMED_COPY:
            return Likeness(Copy.RENAMED, nameless)
    return Likeness(None, overlap(one.runs, other.runs))


def share_lines(one: Chunk, other: Chunk) -> bool:
    """Whether two chunks overlap in their file, as a function and one inside it do."""
    return (one.repo, one.path) == (other.repo, other.path) and (
        one.span.first <= other.span.last and other.span.first <= one.span.last
    )


def similar(
    snapshot: Snapshot,
    model: str,
    chunk: Chunk,
    limit: int,
    *,
    where: Expression = EVERYTHING,
    scope: Scope = EVERYWHERE,
    copies_only: bool = False,
) -> Neighbourhood:
    """The chunks nearest to a chunk by the vectors of a model, without itself and what shares
    lines with it.

    Args:
        snapshot: What is searched.
        model: The digest of the model.
        chunk: What to be near to; it has to be in the snapshot.
        limit: How many.
        where: What a neighbour has to satisfy; it holds no ``Text``.
        scope: Where to look.
        copies_only: Leave out what is no copy, among the nearest few hundred.

    Raises:
        QueryError: The chunk has no vector of this model, or one that points nowhere.
    """
    vector = snapshot.vectors(model, [chunk.id]).get(chunk.id)
    if vector is None:
        raise QueryError(
            f"{chunk.path} has no vector at line {chunk.span.first} yet",
            hint="plait index makes the vectors that are missing",
        )
    depth = max(limit, CANDIDATES) if copies_only else limit + OVERLAPPING
    ranking = _nearest(snapshot, model, chunk.id, vector, depth, where, scope)
    chunks = snapshot.fetch([hit.chunk for hit in ranking.hits])
    here = Shingled(chunk.text)
    near = [
        Similar(other, min(hit.score, 1.0), compare(here, Shingled(other.text)))
        for hit in ranking.hits
        if not share_lines(chunk, other := chunks[hit.chunk])
    ]
    if copies_only:
        near = [one for one in near if one.likeness.copy]
    return Neighbourhood(tuple(near[:limit]), ranking.notes, ranking.is_partial)


def as_answer(found: Neighbourhood, query: Query, generation: int, model: str) -> Answer:
    """The neighbours as the answer to a search, each with its cosine as the reason.

    Args:
        found: The neighbours.
        query: What was asked; the place of the chunk stands for its text.
        generation: Of the snapshot they were found in.
        model: The name of the model whose vectors were compared.
    """
    results = tuple(
        Result(rank, one.chunk, _reason(one, model), *snippet(one.chunk, ()))
        for rank, one in enumerate(found.near, start=1)
    )
    return Answer(query, generation, results, notes=found.notes, is_partial=found.is_partial)


def _reason(one: Similar, model: str) -> Reason:
    words = f"cosine, by {model}"
    copy, share = one.likeness
    if copy:
        what = "code without its names" if copy is Copy.RENAMED else "code"
        words += f"; {copy}: {share:.0%} of the {what} in common"
    return Reason("cosine", one.cosine, words=words)


def neighbours(
    snapshot: Snapshot,
    model: str,
    ids: Sequence[ChunkId],
    limit: int,
    scope: Scope = EVERYWHERE,
) -> Mapping[ChunkId, Sequence[tuple[ChunkId, float]]]:
    """For each of these chunks the nearest others and their cosines, nearest first.

    A chunk that has no vector of the model is left out.
    """
    found = {}
    for key, vector in snapshot.vectors(model, ids).items():
        near = _nearest(snapshot, model, key, vector, limit, EVERYTHING, scope)
        found[key] = [(hit.chunk, min(hit.score, 1.0)) for hit in near.hits]
    return found


def _nearest(
    snapshot: Snapshot,
    model: str,
    key: ChunkId,
    vector: Vectors,
    limit: int,
    where: Expression,
    scope: Scope,
) -> Ranking:
    """The nearest chunks but for the one they are near to."""
    found = snapshot.nearest(model, vector, where, scope, limit + 1)
    return found._replace(hits=tuple(hit for hit in found.hits if hit.chunk != key)[:limit])
