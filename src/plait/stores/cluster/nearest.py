"""Nearest: the chunks whose vectors lie nearest to a question's, by Lucene's graph.

The question is coded as the vectors are, so comparing is integer arithmetic: equal texts score
equally on every node. Filters hold inside the search; where few chunks pass them, Lucene
compares all of those instead of following the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from plait.stores.cluster.documents import id_of
from plait.stores.cluster.queries import Body
from plait.stores.cluster.schema import near_field
from plait.stores.cluster.view import View
from plait.stores.quantized import quantized
from plait.types import ChunkId, Vectors

# Candidates of each shard: the more, the less the graph overlooks. With so many it finds 986 in
# a thousand of the best hundred of 100,000 real chunks, where comparing all would find 994
# (record 2026-11-15-cluster-vector-fields-2).
MIN_K = 512
PER_RESULT = 2
MAX_K = 10_000  # that OpenSearch gives
DEEPER = 4  # times as many candidates where more of them tie than were asked for
EVERYTHING: Body = {"match_all": {}}
BY_SCORE = [{"_score": "desc"}, {"key": "asc"}]


def nearest(
    view: View,
    model: str,
    question: Vectors,
    filters: Sequence[Body],
    limit: int,
    until: float = inf,
) -> list[tuple[ChunkId, float]]:
    """Chunks and their cosines above 0, best first, by id where they are equal.

    At most ``MAX_K`` are found, whatever the limit.
    """
    codes, _ = quantized(question)
    if limit < 1 or not codes.any():
        return []
    search = _Search(view, near_field(model), codes[0].tolist(), filters, until)
    depth = max(limit * PER_RESULT, MIN_K)
    hits = search.top(depth, limit + 1)
    is_tied = len(hits) > limit and hits[limit - 1][1] == hits[limit][1]
    while is_tied:  # ids decide, so every chunk that scores the same has to be seen
        hits = search.top(depth, depth)
        is_tied = len(hits) >= depth and hits[-1][1] == hits[limit - 1][1] and depth < MAX_K
        depth *= DEEPER
    return [(key, score) for key, score in hits[:limit] if score > 0]


class _Search:
    """One question among the chunks that pass some filters."""

    def __init__(
        self,
        view: View,
        field: str,
        vector: list[int],
        filters: Sequence[Body],
        until: float,
    ) -> None:
        self._view = view
        self._until = until
        self._field = field
        self._vector = vector
        self._filters = [one for one in filters if one != EVERYTHING]

    def top(self, depth: int, limit: int) -> list[tuple[ChunkId, float]]:
        """The best by score and id of so many candidates of each shard."""
        near: Body = {
            "vector": self._vector,
            "k": min(depth, MAX_K),
            "ignore_unmapped": True,  # of a model that no chunk has a vector of
        }
        if self._filters or self._view.hidden:
            near["filter"] = {"bool": {"filter": self._filters, "must_not": self._view.hidden}}
        body: Body = {
            "query": {"knn": {self._field: near}},
            "sort": BY_SCORE,
            "size": min(limit, MAX_K),
        }
        hits = self._view.search(body, until=self._until)["hits"]["hits"]
        return [(id_of(hit["sort"][1]), 2 * hit["sort"][0] - 1) for hit in hits]
