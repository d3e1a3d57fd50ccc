"""Opened: the index a verb works on, and how its paths are shown to who asked."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from plait.errors import PlaitError, QueryError, SourceError
from plait.interfaces.cli.ending import at_end
from plait.interfaces.cli.output import say

if TYPE_CHECKING:
    from plait.answering.index import Index
    from plait.search.places import Place

FOLDER_HINT = "name the folder it is in after FILE:LINE"


@dataclass(frozen=True, slots=True)
class Opened:
    """An index and the path it was opened for."""

    given: str
    index: Index

    @property
    def under(self) -> str:
        """The folder that was given, in the tree; "" for its top or a file."""
        root = self.index.root
        return "" if root.file else root.under

    def inner(self, repo: str, path: str) -> str:
        """A path of the index, relative to the path given."""
        root = self.index.root
        if repo != self.index.repo or not root.under:
            return path
        return path.removeprefix(f"{root.under}/")

    def shown(self, repo: str, path: str) -> str:
        """A path of the index, as it can be opened from here."""
        if repo != self.index.repo:
            return f"{repo}:{path}"
        if self.index.root.file:
            return os.path.normpath(self.given)
        return os.path.normpath(os.path.join(self.given, self.inner(repo, path)))  # noqa: PTH118 - as typed

    def locate(self, file: str) -> str:
        """The indexed path of a file named from here or from the path given; "" if outside."""
        for base in (Path(), Path(self.given)):
            try:
                real = (base / file).expanduser().resolve(strict=True)
            except (OSError, ValueError, RuntimeError):
                continue
            if real.is_file() and real.is_relative_to(self.index.root.directory):
                return real.relative_to(self.index.root.directory).as_posix()
        return ""

    def place(self, text: str) -> Place:
        """The place in the index that ``FILE:LINE`` names, with FILE as in ``locate``.

        Raises:
            QueryError: It is not written so.
            SourceError: There is no such file.
        """
        from plait.search.places import parse_place

        place = parse_place(text)
        if place is None:
            raise QueryError(
                f"not a place in a file: {text!r}", hint="write FILE:LINE, as in a.py:12"
            )
        path = self.locate(place.file)
        if not path:
            raise SourceError(
                f"no such file below {self.index.root.directory}: {place.file}", hint=FOLDER_HINT
            )
        return place._replace(file=path)


def open_path(
    path: str,
    *,
    hidden: bool = False,
    no_ignore: bool = False,
    include_secrets: bool = False,
    mode: str = "",
    store: str = "",
    name: str = "",
) -> Opened:
    """Open the index of a path, with the flags that change what is indexed and how it is asked.

    Args:
        path: A folder or a file; "" for the current one, or for all that a shared store holds.
        hidden: Include files whose names begin with a dot.
        no_ignore: Do not respect ignore files.
        include_secrets: Leave out no file, and mask nothing, because it is secret.
        mode: How to rank; "" for the setting.
        store: Where the index is; "" for the setting.
        name: What the repository is called; "" for the name of its folder.

    Raises:
        SourceError: There is no such path.
    """
    if "://" in path or path.startswith("git@"):
        raise SourceError(
            f"git URLs are not available yet: {path}", hint="clone it and name the folder"
        )
    from plait.assembly import index_of, settings_for
    from plait.sources import root_of

    root = root_of(Path(path or "."))
    settings, notes = settings_for(root, store)
    settings = replace(
        settings,
        hidden=hidden or settings.hidden,
        no_ignore=no_ignore or settings.no_ignore,
        include_secrets=include_secrets or settings.include_secrets,
        mode=mode or settings.mode,
    )
    index = index_of(root, settings, name, is_whole=not path)
    at_end(partial(_close, index))
    for note in (*root.notes, *notes):
        say(f"note: {note}")
    return Opened(path, index)


def _close(index: Index) -> None:
    with suppress(PlaitError):  # what a store holds for us ends by itself, only later
        index.close()
