"""Filters: what the options of a search ask for, as conditions on what is found."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plait.errors import SettingError
from plait.interfaces.cli.arguments import globs
from plait.interfaces.cli.arguments.glob_base import from_here
from plait.interfaces.cli.arguments.values import chosen
from plait.search.syntax import conjunction, expand_braces
from plait.sources import LANGUAGES, Root, canonical
from plait.types import Expression, Not, Or, PathLike, Query, Tag


@dataclass(frozen=True, slots=True)
class Filters:
    """Where and what to look at, as the options said it."""

    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    without_languages: tuple[str, ...] = ()
    globs_from_here: bool = False  # their slashes begin where the command runs, not at the path


def restricted(query: Query, root: Root, filters: Filters, repos: Sequence[str]) -> Query:
    """The query with what the options ask for."""
    scope = replace(query.scope, languages=_languages(filters.languages))
    scope = replace(scope, kinds=frozenset(kind.lower() for kind in filters.kinds))
    if filters.repos:
        for name in filters.repos:
            chosen("--repo", name, repos)
        scope = replace(scope, repos=frozenset(filters.repos))
    extra: list[Expression] = []
    if filters.paths:
        likes = [PathLike(one) for glob in filters.paths for one in expand_braces(glob)]
        extra.append(Or(tuple(likes)))
    if filters.globs_from_here:
        extra += globs.conditions(from_here(filters.globs, root.directory), "")
    else:
        extra += globs.conditions(filters.globs, "" if root.file else root.under)
    extra += [Not(Tag("lang", name)) for name in sorted(_languages(filters.without_languages))]
    if not extra:
        return replace(query, scope=scope)
    return replace(query, scope=scope, wanted=conjunction([query.wanted, *extra]))


def _languages(names: tuple[str, ...]) -> frozenset[str]:
    found = set()
    for name in names:
        known = canonical(name)
        if known is None:
            near = difflib.get_close_matches(name.lower(), LANGUAGES, 3)
            hint = f"did you mean {' or '.join(near)}?" if near else ""
            raise SettingError(f"no language is called {name!r} here", hint=hint)
        found.add(known)
    return frozenset(found)
