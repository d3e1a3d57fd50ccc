"""Counting: what the index knows in numbers, each counted once per generation."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import cached_property

from plait.stores.cluster.documents import FILE
from plait.stores.cluster.queries import CHUNKS, Body
from plait.stores.cluster.schema import length_field
from plait.stores.cluster.vectors import missing_vectors
from plait.stores.cluster.view import View
from plait.stores.spelling import one_edit_away
from plait.types import Field, Statistics

FILES: Body = {"term": {"tags": FILE}}
MAX_LANGUAGES = 1_000
REPOS_PER_PAGE = 10_000


class Counting:
    """Counts of one view. They never change, so what was counted is kept."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._known: dict[tuple[Field, str], int] = {}
        self._missing: dict[str, int] = {}
        self._lock = threading.Lock()

    # ------------------------------------------------------------ words

    def frequency(self, term: str, field: Field = Field.WORDS) -> int:
        """In how many chunks a term occurs."""
        return self.frequencies([(field, term)])[field, term]

    def frequencies(self, terms: Iterable[tuple[Field, str]]) -> dict[tuple[Field, str], int]:
        """The same for many, in one request."""
        asked = list(dict.fromkeys(terms))
        with self._lock:
            missing = [key for key in asked if key not in self._known]
        if missing:
            counted = self.view.counts([{"term": {f.value: t}} for f, t in missing])
            with self._lock:
                self._known.update(zip(missing, counted, strict=True))
        with self._lock:
            return {key: self._known[key] for key in asked}

    def spellings(self, term: str, limit: int) -> Sequence[str]:
        """Indexed terms one edit away, most frequent first."""
        candidates = sorted(one_edit_away(term))
        if not candidates or limit < 1:
            return []
        filters = {other: {"term": {"words": other}} for other in candidates}
        body: Body = {
            "query": {"terms": {"words": candidates}},
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

    def statistics(self) -> Statistics:
        """Counts and sizes of everything."""
        return self._statistics

    @cached_property
    def _statistics(self) -> Statistics:
        sums = {name: {"sum": {"field": name}} for name in ("chunks", "symbols", "bytes")}
        languages = {"terms": {"field": "language", "size": MAX_LANGUAGES}}
        body: Body = {
            "query": FILES,
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
            index_bytes=self.view.manifest.index_bytes,
            languages=dict(sorted(counted.items())),
        )

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

    def missing_vectors(self, model: str) -> int:
        """How many chunks have no vector of a model yet."""
        if model not in self._missing:
            self._missing[model] = missing_vectors(self.view, model)
        return self._missing[model]
