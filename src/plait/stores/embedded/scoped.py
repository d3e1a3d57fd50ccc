"""Scoped: what a search may see, as a filter of the word index and as a test of a file.

The scope goes into every query before the top is cut, and a scan never opens a file outside
it: what may not be seen can neither crowd out what may, nor use up its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import re2
from tantivy import Occur, Query

from plait.stores.embedded.layer import Layer
from plait.stores.embedded.words import SCHEMA, literal_regex, path_regex, silent, translate
from plait.types import Any, Expression, PathLike, Scope, Tag


def scoped(query: Query, scope: Scope) -> Query:
    """A query that sees only what the scope allows."""
    conditions: list[Query] = []

    def one_of(parts: Iterable[Expression]) -> None:
        conditions.append(translate(Any(tuple(parts))))

    if scope.repos is not None:
        one_of(Tag("repo", repo) for repo in sorted(scope.repos))
    if scope.languages:
        one_of(Tag("lang", language) for language in sorted(scope.languages))
    if scope.kinds:
        one_of(Tag("kind", kind) for kind in sorted(scope.kinds))
    if scope.paths:
        one_of(PathLike(glob) for glob in scope.paths)
    if scope.under:
        folder = Query.regex_query(SCHEMA, "file", f"{literal_regex(_folder(scope))}.*")
        conditions.append(silent(folder))
    if scope.file:
        conditions.append(silent(Query.term_query(SCHEMA, "file", scope.file)))
    if not conditions:
        return query
    return Query.boolean_query([(Occur.Must, part) for part in (query, *conditions)])


def file_test(scope: Scope) -> Callable[[Layer, int], bool]:
    """Whether a file of a layer may be seen; kinds, which chunks have, are not asked here."""
    globs = [re2.compile(path_regex(glob)) for glob in scope.paths]
    folder = _folder(scope)

    def is_seen(layer: Layer, row: int) -> bool:
        repo, path = layer.file_key(row)
        if scope.repos is not None and repo not in scope.repos:
            return False
        if scope.languages and layer.strings[layer.file_row(row).language] not in scope.languages:
            return False
        if (scope.file and path != scope.file) or (folder and not path.startswith(folder)):
            return False
        return not globs or any(glob.fullmatch(path) for glob in globs)

    return is_seen


def _folder(scope: Scope) -> str:
    return f"{scope.under.rstrip('/')}/" if scope.under else ""
