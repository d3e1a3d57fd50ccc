"""Verified: phrases, patterns and patterns of paths as what the index can filter by.

A phrase is looked up by its words, a pattern by the grams of files, and what is found is read and
checked here. Work is bounded in time and count, and a search that was cut short says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf

from plait.patterns.globs import check_length
from plait.patterns.needs import Need
from plait.patterns.plain import phrase_pattern
from plait.stores.cluster.documents import FILE
from plait.stores.cluster.grams import need_query
from plait.stores.cluster.queries import CHUNKS, Body, TermQuery, chunk_query, scope_filters
from plait.stores.cluster.view import View
from plait.stores.resolved import Named, Paths
from plait.stores.verifying import (
    MAX_CHUNKS,
    Check,
    matcher_of,
    need_of,
    pattern_is_cut,
    phrase_is_cut,
    scan_deadline,
)
from plait.types import And, Expression, Or, PathPattern, Pattern, Phrase, Scope, Term
from plait.types.notes import CUT, Note

SCAN_SECONDS = 5.0  # for all phrases and patterns of a query
MANY_FILES = 500  # candidates of a pattern that is rather checked in what was found
MAX_PATHS = 100_000  # looked at for a pattern of paths
PAGE = 1_000  # documents read at a time
BY_KEY = [{"key": "asc"}]
BY_SCORE = [{"_score": "desc"}, {"key": "asc"}]


@dataclass(slots=True)
class Corpus:
    """What phrases and patterns of one query are looked for in, all within one time limit."""

    view: View
    scope: Scope
    scored: TermQuery
    notes: list[Note] = field(default_factory=list)  # for every search that was cut short
    checks: list[Check] = field(default_factory=list)  # for what is found by the rest
    until: float = inf  # that the search may take
    deadline: float = field(init=False)
    known: dict[Expression, Expression] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.deadline = scan_deadline(SCAN_SECONDS, self.until)

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def files_with(self, need: Need, grams: str = "grams") -> Body:
        """A query for files that may hold what is needed and may be seen."""
        scope = replace(self.scope, kinds=frozenset())  # chunks have a kind, files do not
        filters = [{"term": {"tags": FILE}}, need_query(need, grams), *scope_filters(scope)]
        return {"bool": {"filter": filters}}

    def is_verified(self, leaf: Expression) -> bool:
        return isinstance(leaf, Phrase | Pattern | PathPattern)

    def is_frequent(self, pattern: Pattern) -> bool:
        return self.view.count(self.files_with(need_of(pattern)), self.until) >= MANY_FILES

    def holding(self, phrase: Phrase, words: tuple[Term, ...]) -> Expression:
        matcher = matcher_of(phrase_pattern(phrase))
        names = []
        query = chunk_query(And(words), self.scope, self.scored)
        for read, (name, text) in enumerate(self._texts(query, is_ranked=True)):
            if read >= MAX_CHUNKS or (read % PAGE == 0 and self.is_late):
                self.notes.append(phrase_is_cut(phrase, read))
                break
            if matcher.holds(text.encode()):
                names.append(name)
        return And((Named(tuple(names)), Or(words)))

    def matching(self, pattern: Pattern) -> Named:
        matcher = matcher_of(pattern)
        names: list[str] = []
        files = self.view.pages(
            {
                "query": self.files_with(need_of(pattern)),
                "sort": BY_KEY,
                "docvalue_fields": ["version"],
            },
            MAX_PATHS,
            page=PAGE,
            until=self.until,
        )
        for page in files:
            versions = [hit["fields"]["version"][0] for hit in page]
            query: Body = {"bool": {"filter": [CHUNKS, {"terms": {"version": versions}}]}}
            for name, text in self._texts(query):
                if self.is_late or len(names) >= MAX_CHUNKS:
                    self.notes.append(pattern_is_cut(pattern, len(names)))
                    return Named(tuple(names))
                if matcher.holds(text.encode()):
                    names.append(name)
        return Named(tuple(names))

    def located(self, leaf: Expression) -> Paths:
        assert isinstance(leaf, PathPattern)
        check_length(leaf.regex)
        pattern = Pattern(leaf.regex)
        matcher = matcher_of(pattern)
        body: Body = {
            "query": self.files_with(need_of(pattern), "path_grams"),
            "sort": BY_KEY,
            "docvalue_fields": [],
        }
        found: dict[str, None] = {}
        looked = 0
        for page in self.view.pages(body, MAX_PATHS, until=self.until):
            for hit in page:
                path = hit["sort"][0].partition("\0")[2]
                if matcher.holds(path.encode()):
                    found[path] = None
            looked += len(page)
            if looked >= MAX_PATHS or self.is_late:
                self.notes.append(
                    Note(
                        CUT,
                        f"the paths /{leaf.regex}/ were looked for among the first {looked:,}; "
                        "results are partial",
                    )
                )
                break
        return Paths(tuple(found))

    def _texts(self, query: Body, *, is_ranked: bool = False) -> Iterator[tuple[str, str]]:
        """Chunks with their texts, as long as they are asked for."""
        body: Body = {
            "query": query,
            "sort": BY_SCORE if is_ranked else BY_KEY,
            "_source": ["chunk.body"],
        }
        pages = self.view.pages(
            body, MAX_CHUNKS * 100, page=PAGE, is_scored=is_ranked, until=self.until
        )
        for page in pages:
            for hit in page:
                yield hit["_id"], hit["_source"]["chunk"]["body"][2]
