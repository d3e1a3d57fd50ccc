"""Queries: expressions and scopes as OpenSearch asks them.

Filters score nothing, so a score is always the sum of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from plait.expressions import fold
from plait.patterns.globs import GLOB_PIECE, check_length
from plait.stores.cluster.documents import CHUNK
from plait.stores.properties import reference
from plait.stores.resolved import Named, Paths
from plait.stores.score_parts import scores
from plait.types import (
    And,
    Defines,
    Expression,
    Not,
    Or,
    PathLike,
    Refers,
    Repos,
    Scope,
    Tag,
    Term,
)

Body = dict[str, Any]
TermQuery = Callable[[Term], Body]
MAX_TERMS = 50_000  # of one filter
NOTHING: Body = {"match_none": {}}
CHUNKS: Body = {"term": {"tags": CHUNK}}
RESERVED = frozenset('.?+*|{}[]()"\\#@&<>~^$-/')


def is_of_chunks(wanted: Expression) -> bool:
    """Whether only chunks can satisfy an expression, whatever else is in the index."""
    return fold(
        wanted,
        lambda leaf: isinstance(leaf, Term | Defines | Refers | Named),
        all_of=any,
        any_of=all,
        excluded=lambda _: False,
    )


def chunk_query(wanted: Expression, scope: Scope, scored: TermQuery) -> Body:
    """A query for the chunks in scope that satisfy an expression."""
    filters = scope_filters(scope)
    if not is_of_chunks(wanted):
        filters.append(CHUNKS)
    query = translated(wanted, scored)
    return {"bool": {"must": [query], "filter": filters}} if filters else query


def translated(wanted: Expression, scored: TermQuery) -> Body:
    """An expression that ranks. It holds neither free text, phrase nor pattern.

    Args:
        wanted: The expression.
        scored: A term as a query that scores.
    """
    match wanted:
        case Term():
            return scored(wanted)
        case Or(parts):
            if not parts:
                return NOTHING
            should = [translated(part, scored) for part in parts]
            return {"bool": {"should": should, "minimum_should_match": 1}}
        case And(parts):
            return {
                "bool": {
                    "must": [translated(part, scored) for part in parts if scores(part)],
                    "filter": [
                        filter_query(part)
                        for part in parts
                        if not scores(part) and not isinstance(part, Not)
                    ]
                    or [{"match_all": {}}],
                    "must_not": [
                        filter_query(part.part) for part in parts if isinstance(part, Not)
                    ],
                }
            }
        case _:
            return {"bool": {"filter": [filter_query(wanted)]}}


def filter_query(wanted: Expression) -> Body:
    """An expression that only lets through what satisfies it."""
    match wanted:
        case Term(text, field):
            return {"term": {field.value: text}}
        case Or(parts):
            should = [filter_query(part) for part in parts]
            return {"bool": {"should": should, "minimum_should_match": 1}} if parts else NOTHING
        case And(parts):
            kept = [filter_query(part) for part in parts]
            return {"bool": {"filter": kept}} if parts else {"match_all": {}}
        case Not(part):
            return {"bool": {"must_not": [filter_query(part)]}}
        case Tag(name, value):
            return {"term": {"tags": f"{name}:{value}"}}
        case Defines(name):
            return {"term": {"defines": name.lower()}}
        case Refers(relation, target):
            return {"term": {"refers": reference(relation, target)}}
        case PathLike(glob):
            return glob_query(glob)
        case Paths(paths):
            return _one_of("path", paths)
        case Named(names):
            return _one_of("_id", names)
        case _:
            raise AssertionError(f"not a filter: {wanted!r}")


def _one_of(field: str, values: Sequence[str]) -> Body:
    """A filter for any of many values."""
    lists = [values[at : at + MAX_TERMS] for at in range(0, len(values), MAX_TERMS)]
    filters: list[Body] = [{"terms": {field: list(part)}} for part in lists]
    if len(filters) == 1:
        return filters[0]
    return {"bool": {"should": filters, "minimum_should_match": 1}} if filters else NOTHING


def of_repos(repos: Repos) -> list[Body]:
    """A filter for what is of some repositories, if not all are meant."""
    if repos is None:
        return []
    return [_one_of("tags", [f"repo:{repo}" for repo in sorted(repos)])]


def count_query(wanted: Expression, repos: Repos) -> Body:
    """A query for the chunks of some repositories that satisfy an expression."""
    filters = of_repos(repos)
    if not is_of_chunks(wanted):
        filters.append(CHUNKS)
    query = filter_query(wanted)
    return {"bool": {"filter": [query, *filters]}} if filters else query


def scope_filters(scope: Scope) -> list[Body]:
    """What a search may see, as filters all of which hold."""
    filters = of_repos(scope.repos)

    def one_of(name: str, values: frozenset[str]) -> None:
        filters.append(_one_of("tags", [f"{name}:{value}" for value in sorted(values)]))

    if scope.languages:
        one_of("lang", scope.languages)
    if scope.kinds:
        one_of("kind", scope.kinds)
    if scope.paths:
        filters.append(filter_query(Or(tuple(PathLike(glob) for glob in scope.paths))))
    if scope.under:
        filters.append({"prefix": {"path": f"{scope.under.rstrip('/')}/"}})
    if scope.file:
        filters.append({"term": {"path": scope.file}})
    return filters


# ---------------------------------------------------------------- paths


def glob_query(glob: str) -> Body:
    """A filter for the paths a glob means.

    Raises:
        QueryError: It is too long to be one.
    """
    check_length(glob)
    if not any(mark in glob for mark in "*?["):
        return {"wildcard": {"path_low": {"value": f"*{_plain(glob.lower())}*"}}}
    return {"regexp": {"path": {"value": path_automaton(glob), "flags": "NONE"}}}


def _plain(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?" else letter for letter in text)


def path_automaton(glob: str) -> str:
    """A glob as a regular expression in Lucene's syntax, which always matches whole values."""
    parts = ["" if "/" in glob else "(.*/)?"]
    for piece in GLOB_PIECE.findall(glob):
        if piece.startswith("**"):
            parts.append("(.*/)?" if piece.endswith("/") else ".*")
        elif piece == "*":
            parts.append("[^/]*")
        elif piece == "?":
            parts.append("[^/]")
        elif piece.startswith("[") and len(piece) > 1:
            parts.append(_letters(piece[1:-1]))
        else:
            parts.append(_quoted(piece))
    return "".join(parts)


def _letters(inner: str) -> str:
    is_negated = inner[0] in "!^"
    body = "".join(
        f"\\{letter}" if letter in RESERVED and letter != "-" else letter
        for letter in (inner[1:] if is_negated else inner)
    )
    return f"[^/{body}]" if is_negated else f"[{body}]"


def _quoted(text: str) -> str:
    return "".join(f"\\{letter}" if letter in RESERVED else letter for letter in text)
