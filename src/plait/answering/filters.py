"""Filters: what a search is restricted to besides its query, as conditions on what is found."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from plait.errors import SettingError
from plait.expressions import conjunction
from plait.search import globs
from plait.search.syntax import expand_braces
from plait.sources import LANGUAGES, canonical
from plait.types import Expression, Not, Or, PathLike, Query, Tag

SUGGESTED = 3  # names that may have been meant


@dataclass(frozen=True, slots=True)
class Filters:
    """Where and what to look at."""

    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    without_languages: tuple[str, ...] = ()


def restricted(query: Query, filters: Filters, repos: Sequence[str], under: str = "") -> Query:
    """The query with what the filters ask for.

    Args:
        query: What is asked.
        filters: What it is restricted to.
        repos: The repositories there are.
        under: The folder at which globs with a slash begin; "" for the top of a tree.

    Raises:
        SettingError: There is no such language or repository.
    """
    scope = replace(query.scope, languages=_languages(filters.languages))
    scope = replace(scope, kinds=frozenset(kind.lower() for kind in filters.kinds))
    if filters.repos:
        for name in filters.repos:
            if name not in repos:
                raise SettingError(f"no repository is called {name!r}", hint=_meant(name, repos))
        scope = replace(scope, repos=frozenset(filters.repos))
    extra: list[Expression] = []
    if filters.paths:
        likes = [PathLike(one) for glob in filters.paths for one in expand_braces(glob)]
        extra.append(Or(tuple(likes)))
    extra += globs.conditions(filters.globs, under)
    extra += [Not(Tag("lang", name)) for name in sorted(_languages(filters.without_languages))]
    if not extra:
        return replace(query, scope=scope)
    return replace(query, scope=scope, wanted=conjunction([query.wanted, *extra]))


def _languages(names: tuple[str, ...]) -> frozenset[str]:
    found = set()
    for name in names:
        known = canonical(name)
        if known is None:
            hint = _meant(name.lower(), LANGUAGES)
            raise SettingError(f"no language is called {name!r} here", hint=hint)
        found.add(known)
    return frozenset(found)


def _meant(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, SUGGESTED)
    return f"did you mean {' or '.join(near)}?" if near else ""
