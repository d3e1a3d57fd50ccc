"""Counting: what the index knows in numbers, each counted once per generation."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cached_property

from plait.stores.cluster.documents import FILE
from plait.stores.cluster.queries import CHUNKS, Body, count_query, of_repos
from plait.stores.cluster.schema import length_field
from plait.stores.cluster.vectors import missing_vectors
from plait.stores.cluster.view import View
from plait.stores.properties import common_folder
from plait.stores.spelling import one_edit_away
from plait.types import Expression, Field, Repos, Statistics, Term

FILES: Body = {"term": {"tags": FILE}}
MAX_LANGUAGES = 1_000
REPOS_PER_PAGE = 10_000
MAX_KNOWN = 100_000  # counts that are kept


class Counting:
    """Counts of one view. They never change, so what was counted is kept."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._known: dict[tuple[Expression, Repos], int] = {}
        self._missing: dict[tuple[str, Repos], int] = {}
        self._statistics: dict[Repos, Statistics] = {}
        self._roots: dict[str, str] = {}
        self._lock = threading.Lock()

    # ------------------------------------------------------------ words

    def count(self, wanted: Sequence[Expression], repos: Repos = None) -> list[int]:
        """How many chunks satisfy each of these expressions, counted in one request."""
        asked = dict.fromkeys(wanted)
        with self._lock:
            if len(self._known) > MAX_KNOWN:
                self._known.clear()
            found = {one: self._known[one, repos] for one in asked if (one, repos) in self._known}
        missing = [one for one in asked if one not in found]
        if missing:
            counted = self.view.counts([count_query(one, repos) for one in missing])
            found |= zip(missing, counted, strict=True)
            with self._lock:
                self._known |= {(one, repos): found[one] for one in missing}
        return [found[one] for one in wanted]

    def frequencies(self, terms: Iterable[tuple[Field, str]]) -> dict[tuple[Field, str], int]:
        """In how many chunks of the whole index terms occur."""
        asked = list(dict.fromkeys(terms))
        counted = self.count([Term(text, field) for field, text in asked])
        return dict(zip(asked, counted, strict=True))

    def spellings(self, term: str, limit: int, repos: Repos = None) -> Sequence[str]:
        """Indexed terms one edit away, most frequent first."""
        candidates = sorted(one_edit_away(term))
        if not candidates or limit < 1:
            return []
        filters = {other: {"term": {"words": other}} for other in candidates}
        body: Body = {
            "query": {"bool": {"filter": [{"terms": {"words": candidates}}, *of_repos(repos)]}},
            "size": 0,
            "aggs": {"by_word": {"filters": {"filters": filters}}},
        }
        buckets = self.view.search(body)["aggregations"]["by_word"]["buckets"]
        counts = {other: bucket["doc_count"] for other, bucket in buckets.items()}
        known = [other for other, count in counts.items() if count]
        return sorted(known, key=lambda other: (-counts[other], other))[:limit]

    def mean_length(self, field: Field) -> tuple[int, float]:
        """How many chunks have terms of a field, and how many they have on average."""
        return self._lengths[field]

    @cached_property
    def _lengths(self) -> dict[Field, tuple[int, float]]:
        stats = {field.value: {"stats": {"field": length_field(field)}} for field in Field}
        found = self.view.search({"query": CHUNKS, "size": 0, "aggs": stats})["aggregations"]
        return {
            field: (found[field.value]["count"], found[field.value]["avg"] or 1.0)
            for field in Field
        }

    # ------------------------------------------------------------ chunks and files

    def statistics(self, repos: Repos = None) -> Statistics:
        """Counts and sizes; of the index itself only for the whole."""
        if repos not in self._statistics:
            if len(self._statistics) > MAX_KNOWN:
                self._statistics.clear()
            self._statistics[repos] = self._summed(repos)
        return self._statistics[repos]

    def _summed(self, repos: Repos) -> Statistics:
        sums = {name: {"sum": {"field": name}} for name in ("chunks", "symbols", "bytes")}
        languages = {"terms": {"field": "language", "size": MAX_LANGUAGES}}
        body: Body = {
            "query": {"bool": {"filter": [FILES, *of_repos(repos)]}},
            "size": 0,
            "track_total_hits": True,
            "aggs": {**sums, "languages": languages},
        }
        answer = self.view.search(body)
        found = answer["aggregations"]
        counted = {row["key"]: row["doc_count"] for row in found["languages"]["buckets"]}
        return Statistics(
            files=answer["hits"]["total"]["value"],
            chunks=int(found["chunks"]["value"]),
            symbols=int(found["symbols"]["value"]),
            source_bytes=int(found["bytes"]["value"]),
            index_bytes=self.view.manifest.index_bytes if repos is None else 0,
            languages=dict(sorted(counted.items())),
        )

    def roots(self, repos: Sequence[str], until: float) -> dict[str, str]:
        """The folders in which all files of repositories are, looked up in one request."""
        missing = [repo for repo in dict.fromkeys(repos) if repo not in self._roots]
        if missing:
            if len(self._roots) > MAX_KNOWN:
                self._roots.clear()
                missing = list(dict.fromkeys(repos))
            bodies = [_end(repo, order) for repo in missing for order in ("asc", "desc")]
            paths = [_path(answer) for answer in self.view.searches(bodies, until)]
            # What the first and the last share, all between them share too.
            ends = zip(missing, paths[::2], paths[1::2], strict=True)
            self._roots |= {repo: common_folder(first, last) for repo, first, last in ends}
        return {repo: self._roots[repo] for repo in repos}

    def repos(self) -> Sequence[str]:
        """All repositories, sorted."""
        return self._repos

    @cached_property
    def _repos(self) -> list[str]:
        found: list[str] = []
        after: Body = {}
        while True:
            pages: Body = {
                "size": REPOS_PER_PAGE,
                "sources": [{"repo": {"terms": {"field": "repo"}}}],
                **after,
            }
            body: Body = {"query": FILES, "size": 0, "aggs": {"repos": {"composite": pages}}}
            page = self.view.search(body)["aggregations"]["repos"]
            found += [row["key"]["repo"] for row in page["buckets"]]
            if len(page["buckets"]) < REPOS_PER_PAGE:
                return sorted(found)
            after = {"after": page["after_key"]}

    # ------------------------------------------------------------ vectors

    def missing_vectors(self, model: str, repos: Repos = None) -> int:
        """How many chunks have no vector of a model yet."""
        if (model, repos) not in self._missing:
            self._missing[model, repos] = missing_vectors(self.view, model, repos)
        return self._missing[model, repos]


def _end(repo: str, order: str) -> Body:
    """A search for the first or the last file of a repository."""
    filters = [FILES, *of_repos(frozenset({repo}))]
    return {"query": {"bool": {"filter": filters}}, "sort": [{"key": order}], "size": 1}


def _path(answer: Body) -> str:
    """The path of the file that was found; "" if there is none."""
    hits = answer["hits"]["hits"]
    return str(hits[0]["sort"][0]).partition("\0")[2] if hits else ""
