"""The JSON shapes of similar code, copies and clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plait.interfaces.schemas import NoteOut, ResultOut, ShownPath, notes_out, result_out
from plait.interfaces.typed import TypedDict
from plait.types.notes import Note

if TYPE_CHECKING:
    from plait.search.clusters import Cluster, Clustering
    from plait.search.duplicates import Group, Groups
    from plait.search.similar import Similar
    from plait.types import Answer, Chunk

SIMILAR_SCHEMA = "plait.similar/1"
DUPLICATES_SCHEMA = "plait.duplicates/1"
CLUSTERS_SCHEMA = "plait.clusters/1"


class PlaceOut(TypedDict):
    """A chunk by its place and name."""

    repo: str
    path: str
    start_line: int
    end_line: int
    symbol: str | None
    kind: str
    language: str


class SimilarResultOut(ResultOut):
    """A neighbour: its cosine, and whether it is a copy."""

    cosine: float
    copy: str | None  # "near-duplicate" or "renamed copy"
    in_common: float  # share of runs of tokens, without names if it is a renamed copy


class SimilarOut(TypedDict):
    """The neighbours of a chunk."""

    schema: str
    place: str
    model: str
    generation: int
    stale: int | None
    chunk: PlaceOut
    notes: list[NoteOut]
    results: list[SimilarResultOut]


class GroupOut(TypedDict):
    """Copies of one piece of code."""

    copy: str
    in_common: float
    repeated_lines: int
    chunks: list[PlaceOut]


class DuplicatesOut(TypedDict):
    """The groups of copies in an index."""

    schema: str
    model: str
    generation: int
    compared: int
    groups_found: int
    notes: list[NoteOut]
    groups: list[GroupOut]


class FolderOut(TypedDict):
    """A folder and the share of a cluster's chunks below it."""

    path: str
    share: float


class ClusterOut(TypedDict):
    """One cluster; its number and words stay while the clusters are kept."""

    number: int
    words: list[str]
    size: int
    folders: list[FolderOut]
    central: list[PlaceOut]


class ClustersOut(TypedDict):
    """The clusters of an index, the largest first."""

    schema: str
    model: str
    generation: int
    chunks: int
    clusters_found: int
    kept: bool
    changed: float
    notes: list[NoteOut]
    clusters: list[ClusterOut]


def place_out(chunk: Chunk, shown: ShownPath) -> PlaceOut:
    """Where a chunk is and what it is called."""
    return {
        "repo": chunk.repo,
        "path": shown(chunk.repo, chunk.path),
        "start_line": chunk.span.first,
        "end_line": chunk.span.last,
        "symbol": chunk.symbol.qualified_name if chunk.symbol else None,
        "kind": chunk.kind,
        "language": chunk.language,
    }


def similar_results_out(
    answer: Answer, near: Sequence[Similar], shown: ShownPath
) -> list[SimilarResultOut]:
    """The results of an answer with what they have in common with the chunk asked about."""
    return [
        {
            **result_out(result, shown),
            "cosine": one.cosine,
            "copy": one.likeness.copy,
            "in_common": one.likeness.share,
        }
        for result, one in zip(answer.results, near, strict=True)
    ]


def duplicates_out(
    found: Groups, limit: int, shown: ShownPath, *, model: str, generation: int
) -> DuplicatesOut:
    """The first groups."""
    return {
        "schema": DUPLICATES_SCHEMA,
        "model": model,
        "generation": generation,
        "compared": found.compared,
        "groups_found": len(found.groups),
        "notes": notes_out(found.notes),
        "groups": [_group_out(group, shown) for group in found.groups[:limit]],
    }


def _group_out(group: Group, shown: ShownPath) -> GroupOut:
    return {
        "copy": group.copy,
        "in_common": group.share,
        "repeated_lines": group.lines,
        "chunks": [place_out(chunk, shown) for chunk in group.chunks],
    }


def clusters_out(
    found: Clustering,
    limit: int,
    shown: ShownPath,
    *,
    repo: str,
    model: str,
    generation: int,
    notes: Sequence[Note],
) -> ClustersOut:
    """The first clusters."""
    return {
        "schema": CLUSTERS_SCHEMA,
        "model": model,
        "generation": generation,
        "chunks": len(found.members),
        "clusters_found": len(found.clusters),
        "kept": found.is_kept,
        "changed": found.changed,
        "notes": notes_out(notes),
        "clusters": [_cluster_out(one, shown, repo) for one in found.clusters[:limit]],
    }


def _cluster_out(cluster: Cluster, shown: ShownPath, repo: str) -> ClusterOut:
    return {
        "number": cluster.number,
        "words": list(cluster.words),
        "size": cluster.size,
        "folders": [
            {"path": shown(repo, one.folder), "share": one.share} for one in cluster.folders
        ],
        "central": [place_out(chunk, shown) for chunk in cluster.central],
    }
