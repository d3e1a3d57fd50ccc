"""The store on a cluster at one generation: a point in time that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from plait.stores.cluster.counting import Counting
from plait.stores.cluster.documents import (
    FILE,
    chunk_key,
    chunk_of,
    file_key,
    id_of,
)
from plait.stores.cluster.explain import Explained
from plait.stores.cluster.queries import Body, chunk_query, filter_query, scope_filters
from plait.stores.cluster.scoring import plain, scoring
from plait.stores.cluster.verified import BY_KEY, BY_SCORE, Corpus
from plait.stores.cluster.view import View
from plait.stores.score_parts import score_parts_of_hits, scores
from plait.stores.verifying import MAX_CHUNKS, checks_are_cut, resolve, resolve_ranked
from plait.types import (
    Chunk,
    ChunkId,
    Expression,
    Field,
    FileLines,
    Hit,
    LineQuery,
    Links,
    Ranking,
    Reason,
    Scope,
    Statistics,
    Tally,
    Vectors,
)

FETCHED = 1_000  # chunks loaded by one request
CHECK_ROOM = 4  # chunks looked at for each one wanted, where a pattern is checked
MIN_CHECKED = 200
EVERYTHING = 1 << 40

Found = list[tuple[ChunkId, float]]


class ClusterSnapshot:
    """One generation of a collection. Threads may share it."""

    def __init__(self, view: View, counting: Counting) -> None:
        self._view = view
        self._counting = counting

    @property
    def generation(self) -> int:
        return self._view.manifest.generation

    def close(self) -> None:
        """Nothing of its own: the point in time ends with the last snapshot that shares it."""

    # ------------------------------------------------------------ what is there

    def repos(self) -> Sequence[str]:
        return self._counting.repos()

    def digests(self, repo: str) -> Mapping[str, str]:
        body: Body = {
            "query": _files({"term": {"tags": f"repo:{repo}"}}),
            "sort": BY_KEY,
            "docvalue_fields": ["digest"],
        }
        return {
            hit["sort"][0].partition("\0")[2]: hit["fields"]["digest"][0]
            for page in self._view.pages(body, EVERYTHING)
            for hit in page
        }

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        body: Body = {
            "query": _files({"term": {"key": file_key(repo, path)}}),
            "docvalue_fields": ["chunks"],
            "size": 1,
        }
        hits = self._view.search(body)["hits"]["hits"]
        count = hits[0]["fields"]["chunks"][0] if hits else 0
        return [ChunkId(repo, path, ordinal) for ordinal in range(count)]

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        return {key: chunk_of(key, kept["chunk"]) for key, kept in self._kept(ids, "chunk")}

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        return {key: Links(kept.get("links", "")) for key, kept in self._kept(ids, "links")}

    def _kept(self, ids: Iterable[ChunkId], field: str) -> Iterator[tuple[ChunkId, Body]]:
        """One field of each chunk, in the order asked for."""
        wanted = list(dict.fromkeys(ids))
        found: dict[ChunkId, Body] = {}
        for begin in range(0, len(wanted), FETCHED):
            keys = [chunk_key(key) for key in wanted[begin : begin + FETCHED]]
            body: Body = {
                "query": {"terms": {"key": keys}},
                "sort": BY_KEY,
                "_source": [field],
                "size": len(keys),
            }
            for hit in self._view.search(body)["hits"]["hits"]:
                found[id_of(hit["sort"][0])] = hit["_source"]
        return ((key, found[key]) for key in wanted if key in found)

    def statistics(self) -> Statistics:
        return self._counting.statistics()

    # ------------------------------------------------------------ finding

    def match(self, wanted: Expression, scope: Scope, limit: int) -> Ranking:
        if limit < 1:
            return Ranking("match", ())
        scored, by_engine = scoring(self._view, self._counting, wanted)
        corpus = Corpus(self._view, scope, scored)
        is_ranked = scores(wanted)
        resolved = (resolve_ranked if is_ranked else resolve)(wanted, corpus)
        body: Body = {
            "query": chunk_query(resolved, scope, scored),
            "sort": BY_SCORE if is_ranked else BY_KEY,
        }
        hits = self._passing(lambda depth: self._top(body, depth, by_engine), limit, corpus)
        return _ranking("match", "bm25", hits, limit, corpus.notes)

    def _top(self, body: Body, limit: int, by_engine: bool) -> Found:
        """The best; without a score, the first."""
        return [
            (id_of(hit["sort"][-1]), hit["_score"] or 0.0)
            for page in self._view.pages(body, limit, is_scored=by_engine)
            for hit in page
        ]

    def nearest(
        self, model: str, question: Vectors, where: Expression, scope: Scope, limit: int
    ) -> Ranking:
        from plait.stores.cluster.nearest import nearest

        if limit < 1:
            return Ranking("nearest", ())
        corpus = Corpus(self._view, scope, plain)
        filters = self._filters(resolve_ranked(where, corpus), scope)
        hits = self._passing(
            lambda depth: nearest(self._view, model, question, filters, depth), limit, corpus
        )
        missing = self.missing_vectors(model)
        if missing:
            corpus.notes.append(
                f"{missing:,} of {self.statistics().chunks:,} chunks have no vector "
                "yet; they were looked for by words alone"
            )
        return _ranking("nearest", "cosine", hits, limit, corpus.notes)

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        from plait.stores.cluster.vectors import vectors_of

        return vectors_of(self._view, model, ids)

    def missing_vectors(self, model: str) -> int:
        return self._counting.missing_vectors(model)

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        from plait.stores.cluster.vectors import embedded

        wanted = resolve(where, Corpus(self._view, scope, plain))
        return embedded(self._view, model, self._filters(wanted, scope))

    def _filters(self, wanted: Expression, scope: Scope) -> list[Body]:
        return [filter_query(wanted), *scope_filters(scope)]

    def _passing(self, find: Callable[[int], Found], limit: int, corpus: Corpus) -> Found:
        """The best that pass all checks, looked for deeper and deeper until there are enough."""
        if not corpus.checks:
            return find(limit)
        passed: dict[ChunkId, bool] = {}
        depth = max(limit * CHECK_ROOM, MIN_CHECKED)
        while True:
            found = find(depth)
            for key, chunk in self.fetch([key for key, _ in found if key not in passed]).items():
                text = chunk.text.encode()
                passed[key] = all(check.passes(text) for check in corpus.checks)
            kept = [hit for hit in found if passed.get(hit[0])]
            if len(kept) >= limit or len(found) < depth:
                return kept
            if corpus.is_late or depth >= MAX_CHUNKS:
                corpus.notes.append(checks_are_cut(len(passed)))
                return kept
            depth *= CHECK_ROOM

    # ------------------------------------------------------------ lines

    def grep(self, asked: LineQuery) -> Iterator[FileLines | Tally]:
        from plait.stores.cluster.lines import grep

        return grep(self._view, asked)

    # ------------------------------------------------------------ words

    def frequency(self, term: str, field: Field = Field.WORDS) -> int:
        return self._counting.frequency(term, field)

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        counted = self._counting.frequencies((Field.WORDS, term) for term in terms)
        return {term: count for (_, term), count in counted.items()}

    def spellings(self, term: str, limit: int) -> Sequence[str]:
        return self._counting.spellings(term, limit)

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        if not ids:
            return {}
        explained = Explained.over(self._view, ids, wanted, self._counting)
        earned = score_parts_of_hits(wanted, explained)
        return {key: Reason.total("bm25", earned.get(key, ()), "sum of") for key in explained.texts}


def _files(condition: Body) -> Body:
    return {"bool": {"filter": [{"term": {"tags": FILE}}, condition]}}


def _ranking(name: str, measure: str, hits: Found, limit: int, notes: list[str]) -> Ranking:
    keyed = [Hit(key, Reason(measure, score)) for key, score in hits]
    ranked = Ranking.best_first(name, keyed).hits[:limit]
    return Ranking(name, ranked, tuple(notes), is_partial=bool(notes))
