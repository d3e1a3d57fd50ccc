"""Scoped: what a search may see, as a filter of the word index and as a test of a file.

The scope goes into every query before the top is cut, and a scan never opens a file outside
it: what may not be seen can neither crowd out what may, nor use up its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tantivy import Occur, Query

from plait.stores.embedded.layer import Layer
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.words import SCHEMA, silent, translate
from plait.stores.resolved import Paths
from plait.types import Expression, Or, Scope, Tag

REGEX_SPECIAL = frozenset(r".+*?()|[]{}^$\&~#/-")


def scoped(query: Query, scope: Scope, paths: PathList) -> Query:
    """A query that sees only what the scope allows."""
    conditions: list[Query] = []

    def one_of(parts: Iterable[Expression]) -> None:
        conditions.append(translate(Or(tuple(parts))))

    if scope.repos is not None:
        one_of(Tag("repo", repo) for repo in sorted(scope.repos))
    if scope.languages:
        one_of(Tag("lang", language) for language in sorted(scope.languages))
    if scope.kinds:
        one_of(Tag("kind", kind) for kind in sorted(scope.kinds))
    if scope.paths:
        one_of(Paths(paths.matching(glob)) for glob in scope.paths)
    if scope.under:
        letters = (f"\\{c}" if c in REGEX_SPECIAL else c for c in _folder(scope))
        conditions.append(silent(Query.regex_query(SCHEMA, "file", f"{''.join(letters)}.*")))
    if scope.file:
        conditions.append(silent(Query.term_query(SCHEMA, "file", scope.file)))
    if not conditions:
        return query
    return Query.boolean_query([(Occur.Must, part) for part in (query, *conditions)])


def file_test(scope: Scope, paths: PathList) -> Callable[[Layer, int], bool]:
    """Whether a file of a layer may be seen; kinds, which chunks have, are not asked here."""
    named = {path for glob in scope.paths for path in paths.matching(glob)}
    folder = _folder(scope)

    def is_seen(layer: Layer, row: int) -> bool:
        repo, path = layer.file_key(row)
        if scope.repos is not None and repo not in scope.repos:
            return False
        if scope.languages and layer.strings[layer.file_row(row).language] not in scope.languages:
            return False
        if (scope.file and path != scope.file) or (folder and not path.startswith(folder)):
            return False
        return not scope.paths or path in named

    return is_seen


def _folder(scope: Scope) -> str:
    return f"{scope.under.rstrip('/')}/" if scope.under else ""
