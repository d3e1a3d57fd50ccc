"""Verified: phrases, patterns and patterns of paths as what the index can filter by.

The index knows neither word order nor punctuation. A phrase is looked up by its words, a
pattern by the grams of files, and what is found is read and checked here. A pattern that very
many files may match is not looked for at all if something else ranks: the best are found first
and then checked. Work is bounded in time and count, and a search that was cut short says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from plait.errors import QueryError
from plait.patterns.compiled import Matcher, compiled
from plait.patterns.globs import check_length
from plait.patterns.needs import Need
from plait.patterns.plain import phrase_pattern
from plait.patterns.required import required
from plait.stores.cluster.documents import FILE
from plait.stores.cluster.grams import need_query
from plait.stores.cluster.queries import CHUNKS, Body, TermQuery, chunk_query, scope_filters
from plait.stores.cluster.view import View
from plait.types import (
    All,
    Any,
    Expression,
    Named,
    Not,
    PathPattern,
    Paths,
    Pattern,
    Phrase,
    Scope,
    Term,
)

SCAN_SECONDS = 5.0  # for all phrases and patterns of a query
MAX_CHUNKS = 10_000  # candidates read for a phrase, matches kept of a pattern
MANY_FILES = 500  # candidates of a pattern that is rather checked in what was found
MAX_PATHS = 100_000  # looked at for a pattern of paths
MAX_VERIFIED = 16  # different phrases and patterns of one query
PAGE = 1_000  # documents read at a time
BY_KEY = [{"key": "asc"}]
BY_SCORE = [{"_score": "desc"}, {"key": "asc"}]


@lru_cache(maxsize=256)
def matcher_of(pattern: Pattern) -> Matcher:
    """A pattern as it is matched in the text of a chunk, from one line to the next.

    Raises:
        PatternError: RE2 refuses it.
    """
    return compiled((pattern,), is_multiline=True)


def holds(pattern: Pattern, text: str) -> bool:
    """Whether a pattern matches somewhere in a text."""
    content = text.encode()
    return matcher_of(pattern).find(content, 0, len(content))[0] >= 0


@dataclass(frozen=True, slots=True)
class Check:
    """A pattern that a chunk has to match, or must not."""

    pattern: Pattern
    is_wanted: bool

    def passes(self, text: str) -> bool:
        """Whether a text is as it has to be."""
        return holds(self.pattern, text) == self.is_wanted


@dataclass(slots=True)
class Corpus:
    """What phrases and patterns of one query are looked for in, all within one time limit."""

    view: View
    scope: Scope
    scored: TermQuery
    notes: list[str] = field(default_factory=list)  # for every search that was cut short
    checks: list[Check] = field(default_factory=list)  # for what is found by the rest
    deadline: float = field(default_factory=lambda: time.monotonic() + SCAN_SECONDS)
    known: dict[Expression, Expression] = field(default_factory=dict)

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def files_with(self, need: Need, grams: str = "grams") -> Body:
        """A query for files that may hold what is needed and may be seen."""
        filters = [
            {"term": {"tags": FILE}},
            need_query(need, grams),
            *scope_filters(_of_files(self.scope)),
        ]
        return {"bool": {"filter": filters}}


def _of_files(scope: Scope) -> Scope:
    """A scope without kinds, which chunks have and files do not."""
    return Scope(scope.repos, scope.languages, frozenset(), scope.paths, scope.under, scope.file)


def resolve_ranked(wanted: Expression, corpus: Corpus) -> Expression:
    """The same as ``resolve``, for a query that ranks what it finds: patterns that very many
    files may match become checks."""
    if not isinstance(wanted, All):
        return resolve(wanted, corpus)
    kept: list[Expression] = []
    for part in wanted.parts:
        pattern = part.part if isinstance(part, Not) else part
        if isinstance(pattern, Pattern) and _is_frequent(pattern, corpus):
            corpus.checks.append(Check(pattern, is_wanted=pattern is part))
        else:
            kept.append(part)
    return resolve(All(tuple(kept)), corpus)


def _is_frequent(pattern: Pattern, corpus: Corpus) -> bool:
    matcher_of(pattern)  # what is no pattern is refused first
    return corpus.view.count(corpus.files_with(_need(pattern))) >= MANY_FILES


def _need(pattern: Pattern) -> Need:
    return required(pattern.regex, ignore_case=pattern.ignore_case, is_multiline=True)


def resolve(wanted: Expression, corpus: Corpus) -> Expression:
    """The expression with every phrase and pattern replaced by what holds it.

    Raises:
        QueryError: It has more of them than a search can bear.
    """
    match wanted:
        case Phrase() | Pattern() | PathPattern():
            if wanted not in corpus.known:
                if len(corpus.known) >= MAX_VERIFIED:
                    raise QueryError(
                        f"a query has at most {MAX_VERIFIED} phrases, patterns and path patterns"
                    )
                corpus.known[wanted] = _resolved(wanted, corpus)
            return corpus.known[wanted]
        case All(parts):
            return All(tuple(resolve(part, corpus) for part in parts))
        case Any(parts):
            return Any(tuple(resolve(part, corpus) for part in parts))
        case Not(part):
            return Not(resolve(part, corpus))
        case _:
            return wanted


def _resolved(wanted: Phrase | Pattern | PathPattern, corpus: Corpus) -> Expression:
    match wanted:
        case PathPattern(regex):
            return _paths(regex, corpus)
        case Phrase(terms=terms) if terms:
            return _holding(wanted, tuple(Term(term) for term in terms), corpus)
        case Phrase():
            return _matching(phrase_pattern(wanted), corpus)
        case Pattern():
            return _matching(wanted, corpus)


def _holding(phrase: Phrase, words: tuple[Term, ...], corpus: Corpus) -> Expression:
    """The chunks that hold a phrase, ranked by its words."""
    pattern = phrase_pattern(phrase)
    matcher_of(pattern)
    names = []
    query = chunk_query(All(words), corpus.scope, corpus.scored)
    for read, (name, text) in enumerate(_texts(corpus.view, query, is_ranked=True)):
        if read >= MAX_CHUNKS or (read % PAGE == 0 and corpus.is_late):
            corpus.notes.append(
                f'the phrase "{phrase.text}" was looked for in the best {read:,} chunks that hold '
                "its words; results are partial"
            )
            break
        if holds(pattern, text):
            names.append(name)
    return All((Named(tuple(names)), Any(words)))


def _matching(pattern: Pattern, corpus: Corpus) -> Named:
    """The chunks in which a pattern matches."""
    matcher_of(pattern)
    names: list[str] = []
    files = corpus.view.pages(
        {
            "query": corpus.files_with(_need(pattern)),
            "sort": BY_KEY,
            "docvalue_fields": ["version"],
        },
        MAX_PATHS,
        page=PAGE,
    )
    for page in files:
        versions = [hit["fields"]["version"][0] for hit in page]
        query: Body = {"bool": {"filter": [CHUNKS, {"terms": {"version": versions}}]}}
        for name, text in _texts(corpus.view, query):
            if corpus.is_late or len(names) >= MAX_CHUNKS:
                limit = "time" if len(names) < MAX_CHUNKS else f"first {MAX_CHUNKS:,} chunks"
                corpus.notes.append(
                    f"the pattern /{pattern.regex}/ was not looked for everywhere "
                    f"(limit: {limit}); results are partial"
                )
                return Named(tuple(names))
            if holds(pattern, text):
                names.append(name)
    return Named(tuple(names))


def _texts(view: View, query: Body, *, is_ranked: bool = False) -> Iterator[tuple[str, str]]:
    """Chunks with their texts, as long as they are asked for."""
    body: Body = {
        "query": query,
        "sort": BY_SCORE if is_ranked else BY_KEY,
        "_source": ["chunk.body"],
    }
    for page in view.pages(body, MAX_CHUNKS * 100, page=PAGE, is_scored=is_ranked):
        for hit in page:
            yield hit["_id"], hit["_source"]["chunk"]["body"][2]


def _paths(regex: str, corpus: Corpus) -> Paths:
    """The paths in which a pattern matches."""
    check_length(regex)
    pattern = Pattern(regex)
    matcher_of(pattern)
    body: Body = {
        "query": corpus.files_with(_need(pattern), "path_grams"),
        "sort": BY_KEY,
        "docvalue_fields": [],
    }
    found: dict[str, None] = {}
    looked = 0
    for page in corpus.view.pages(body, MAX_PATHS):
        for hit in page:
            path = hit["sort"][0].partition("\0")[2]
            if holds(pattern, path):
                found[path] = None
        looked += len(page)
        if looked >= MAX_PATHS or corpus.is_late:
            corpus.notes.append(
                f"the paths /{regex}/ were looked for among the first {looked:,}; "
                "results are partial"
            )
            break
    return Paths(tuple(found))
