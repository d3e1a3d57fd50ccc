"""Globs as ripgrep reads them, as conditions on paths.

Among several the last that matches decides; a leading ``!`` excludes; with no glob that
includes, everything is in. A glob without a slash is about the name of a file or, when it
excludes, of a folder at any depth; one with a slash begins at the path that is searched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plait.expressions import conjunction, disjunction
from plait.search.syntax import expand_braces
from plait.types import And, Expression, Not, Or, PathLike

WILD = re.compile(r"[*?\[]")


def conditions(globs: Sequence[str], under: str) -> list[Expression]:
    """What a path must satisfy to pass the globs; nothing if there are none."""
    if not globs:
        return []
    includes = any(not glob.startswith("!") for glob in globs)
    kept: Expression = Or(()) if includes else And(())
    for glob in globs:
        if glob.startswith("!"):
            kept = conjunction((kept, Not(disjunction(_excluded(glob[1:], under)))))
        else:
            kept = disjunction((kept, *(_like(one, under) for one in expand_braces(glob))))
    return [kept]


def _excluded(glob: str, under: str) -> list[Expression]:
    """A file, or everything in a folder, of that name."""
    found: list[Expression] = []
    for one in expand_braces(glob):
        folder = one.rstrip("/")
        found.append(_like(f"{folder}/**" if "/" in folder else f"**/{folder}/**", under))
        if not one.endswith("/"):
            found.append(_like(one, under))
    return found


def _like(glob: str, under: str) -> Expression:
    """A glob as a condition on paths of the index."""
    if "/" not in glob:
        return PathLike(f"**/{glob}")
    anchored = glob.removeprefix("/")
    return _from_top(f"{escape(under)}/{anchored}" if under else anchored)


def _from_top(glob: str) -> Expression:
    if "/" not in glob:  # for the index a glob without a slash is about names at any depth
        return And((PathLike(f"**/{glob}"), Not(PathLike(f"**/*/{glob}"))))
    # Without a wildcard a path would only have to contain it; a class of one letter is itself.
    return PathLike(glob if WILD.search(glob) else f"[{glob[0]}]{glob[1:]}")


def escape(path: str) -> str:
    """A path in which no character is a wildcard."""
    return WILD.sub(lambda found: f"[{found[0]}]", path)
