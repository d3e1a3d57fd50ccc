"""Globs that begin where a command runs, as globs that begin at the top of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

NOTHING = "/\0"  # no path has it in it


def from_here(globs: Sequence[str], top: Path) -> list[str]:
    """The globs of a command run in the current folder, for paths below ``top``.

    A glob without a slash is about names and stays as it is.
    """
    here = Path.cwd().resolve()
    return [_rebased(glob, here, top) for glob in globs]


def _rebased(glob: str, here: Path, top: Path) -> str:
    mark, plain = ("!", glob[1:]) if glob.startswith("!") else ("", glob)
    if "/" not in plain.rstrip("/"):
        return glob
    pattern = plain.removeprefix("/")
    if here.is_relative_to(top):
        under = here.relative_to(top).as_posix()
        return f"{mark}/{pattern}" if under == "." else f"{mark}/{_escaped(under)}/{pattern}"
    if not top.is_relative_to(here):
        return f"{mark}{NOTHING}"
    return mark + _below(pattern.split("/"), top.relative_to(here).parts)


def _below(pattern: Sequence[str], folders: Sequence[str]) -> str:
    """What is left of a pattern once it has matched some folders."""
    for at, folder in enumerate(folders):
        if at < len(pattern) and pattern[at] == "**":
            return "/" + "/".join(pattern[at:])
        if at >= len(pattern) - 1 or not fnmatchcase(folder, pattern[at]):
            return NOTHING
    return "/" + "/".join(pattern[len(folders) :])


def _escaped(path: str) -> str:
    from plait.search.globs import escape

    return escape(path)
