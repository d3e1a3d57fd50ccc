"""The store on a cluster at one generation: a point in time that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf

from plait.stores.cluster.counting import Counting
from plait.stores.cluster.documents import (
    FILE,
    Document,
    chunk_key,
    chunk_of,
    facts_of,
    file_key,
    id_of,
    name_of,
)
from plait.stores.cluster.explain import Explained
from plait.stores.cluster.queries import Body, chunk_query, filter_query, scope_filters
from plait.stores.cluster.scoring import plain, scoring
from plait.stores.cluster.verified import BY_KEY, BY_SCORE, Corpus
from plait.stores.cluster.view import View
from plait.stores.score_parts import score_parts_of_hits, scores
from plait.stores.verifying import (
    MAX_CHUNKS,
    checks_are_cut,
    expect_time,
    resolve,
    resolve_ranked,
    vectors_are_missing,
)
from plait.types import (
    Chunk,
    ChunkId,
    Expression,
    FileFacts,
    FileKey,
    FileLines,
    Hit,
    LineQuery,
    Links,
    Ranking,
    Reason,
    Repos,
    Scope,
    Statistics,
    SymbolName,
    Tally,
    Vectors,
)
from plait.types.notes import Note

FETCHED = 1_000  # chunks loaded by one request
CHECK_ROOM = 4  # chunks looked at for each one wanted, where a pattern is checked
MIN_CHECKED = 200
EVERYTHING = 1 << 40

Found = list[tuple[ChunkId, float]]


class ClusterSnapshot:
    """One generation of a collection. Threads may share it."""

    def __init__(self, view: View) -> None:
        self.view = view  # for the store that made it
        self._counting = Counting(view)

    is_remote = True

    @property
    def generation(self) -> int:
        return self.view.manifest.generation

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
            for page in self.view.pages(body, EVERYTHING)
            for hit in page
        }

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        body: Body = {
            "query": _files({"term": {"key": file_key(repo, path)}}),
            "docvalue_fields": ["chunks"],
            "size": 1,
        }
        hits = self.view.search(body)["hits"]["hits"]
        count = hits[0]["fields"]["chunks"][0] if hits else 0
        return [ChunkId(repo, path, ordinal) for ordinal in range(count)]

    def roots(self, repos: Iterable[str], until: float = inf) -> Mapping[str, str]:
        return self._counting.roots(list(repos), until)

    def files(self, keys: Iterable[FileKey], until: float = inf) -> Mapping[FileKey, FileFacts]:
        wanted = list(dict.fromkeys(keys))
        found: dict[FileKey, FileFacts] = {}
        for begin in range(0, len(wanted), FETCHED):
            some = [file_key(*key) for key in wanted[begin : begin + FETCHED]]
            body: Body = {
                "query": _files({"terms": {"key": some}}),
                "sort": BY_KEY,
                "docvalue_fields": ["bytes", "chunks", "language", "marks"],
                "size": len(some),
            }
            for hit in self.view.search(body, until=until)["hits"]["hits"]:
                repo, _, path = hit["sort"][0].partition("\0")
                found[repo, path] = facts_of(hit)
        return {key: found[key] for key in wanted if key in found}

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        kept = self._kept(ids, ["chunk"])
        return {key: chunk_of(key, one["chunk"]) for key, one in kept.items()}

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        kept = self._kept(ids, ["links"])
        return {key: Links(one.get("links", "")) for key, one in kept.items()}

    def _kept(self, ids: Iterable[ChunkId], fields: Sequence[str]) -> dict[ChunkId, Document]:
        """Some of what is kept of chunks, in the order asked for."""
        wanted = list(dict.fromkeys(ids))
        found: dict[ChunkId, Document] = {}
        for begin in range(0, len(wanted), FETCHED):
            keys = [chunk_key(key) for key in wanted[begin : begin + FETCHED]]
            body: Body = {
                "query": {"terms": {"key": keys}},
                "sort": BY_KEY,
                "_source": list(fields),
                "size": len(keys),
            }
            for hit in self.view.search(body)["hits"]["hits"]:
                found[id_of(hit["sort"][0])] = hit["_source"]
        return {key: found[key] for key in wanted if key in found}

    # ------------------------------------------------------------ finding

    def match(self, wanted: Expression, scope: Scope, limit: int, until: float = inf) -> Ranking:
        if limit < 1:
            return Ranking("match", ())
        expect_time(until)
        scored, by_engine = scoring(self.view, self._counting, wanted)
        corpus = Corpus(self.view, scope, scored, until=until)
        is_ranked = scores(wanted)
        resolved = (resolve_ranked if is_ranked else resolve)(wanted, corpus)
        body: Body = {
            "query": chunk_query(resolved, scope, scored),
            "sort": BY_SCORE if is_ranked else BY_KEY,
        }
        hits = self._passing(lambda depth: self._top(body, depth, by_engine, until), limit, corpus)
        return _ranking("match", "bm25", hits, limit, corpus.notes)

    def definitions(
        self, names: Sequence[str], scope: Scope, limit: int, until: float = inf
    ) -> Mapping[ChunkId, SymbolName]:
        defined: Body = {"terms": {"defines": sorted({name.lower() for name in names})}}
        body: Body = {
            "query": {"bool": {"filter": [defined, *scope_filters(scope)]}},
            "sort": BY_KEY,
            "_source": ["chunk.symbol", "chunk.part"],
        }
        return {
            id_of(hit["sort"][0]): name_of(hit["_source"]["chunk"])
            for page in (self.view.pages(body, limit, until=until) if names else ())
            for hit in page
        }

    def _top(self, body: Body, limit: int, by_engine: bool, until: float) -> Found:
        """The best; without a score, the first."""
        return [
            (id_of(hit["sort"][-1]), hit["_score"] or 0.0)
            for page in self.view.pages(body, limit, is_scored=by_engine, until=until)
            for hit in page
        ]

    def nearest(
        self,
        model: str,
        question: Vectors,
        where: Expression,
        scope: Scope,
        limit: int,
        until: float = inf,
    ) -> Ranking:
        from plait.stores.cluster.nearest import nearest

        if limit < 1:
            return Ranking("nearest", ())
        expect_time(until)
        corpus = Corpus(self.view, scope, plain, until=until)
        filters = self._filters(resolve_ranked(where, corpus), scope)
        hits = self._passing(
            lambda depth: nearest(self.view, model, question, filters, depth, until),
            limit,
            corpus,
        )
        missing = self.missing_vectors(model, scope.repos)
        if missing:
            chunks = self.statistics(scope.repos).chunks
            corpus.notes.append(vectors_are_missing(missing, chunks))
        return _ranking("nearest", "cosine", hits, limit, corpus.notes)

    def vectors(self, model: str, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Vectors]:
        from plait.stores.cluster.vectors import vectors_of

        return vectors_of(self.view, model, ids)

    def missing_vectors(self, model: str, repos: Repos = None) -> int:
        return self._counting.missing_vectors(model, repos)

    def embedded(
        self, model: str, where: Expression, scope: Scope
    ) -> Iterator[tuple[Sequence[ChunkId], Vectors]]:
        from plait.stores.cluster.vectors import embedded

        wanted = resolve(where, Corpus(self.view, scope, plain))
        return embedded(self.view, model, self._filters(wanted, scope))

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

        return grep(self.view, asked)

    # ------------------------------------------------------------ counting

    def count(self, wanted: Sequence[Expression], repos: Repos = None) -> Sequence[int]:
        return self._counting.count(wanted, repos)

    def spellings(self, term: str, limit: int, repos: Repos = None) -> Sequence[str]:
        return self._counting.spellings(term, limit, repos)

    def statistics(self, repos: Repos = None) -> Statistics:
        return self._counting.statistics(repos)

    def explain(self, wanted: Expression, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        if not ids:
            return {}
        explained = Explained.over(self.view, ids, wanted, self._counting)
        gained = score_parts_of_hits(wanted, explained)
        return {key: Reason.total("bm25", gained.get(key, ()), "sum of") for key in explained.texts}


def _files(condition: Body) -> Body:
    return {"bool": {"filter": [{"term": {"tags": FILE}}, condition]}}


def _ranking(name: str, measure: str, hits: Found, limit: int, notes: list[Note]) -> Ranking:
    keyed = [Hit(key, Reason(measure, score)) for key, score in hits]
    ranked = Ranking.best_first(name, keyed).hits[:limit]
    return Ranking(name, ranked, tuple(notes), is_partial=bool(notes))
