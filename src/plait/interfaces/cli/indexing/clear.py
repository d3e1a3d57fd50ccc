"""``plait clear``: remove an index."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli.arguments import parameters as params
from plait.interfaces.escaping import visible

if TYPE_CHECKING:
    from pathlib import Path

    from plait.answering.index import Index


def clear(
    path: params.ScopeArgument = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Every index in the cache folder.")
    ] = False,
    yes: Annotated[bool, typer.Option("-y", "--yes", help="Do not ask.")] = False,
    store: params.StoreOption = "",
) -> None:
    """Remove the index of PATH. The next search rebuilds it. Exit 1 if there is none.

    With --store: the repository of PATH from the collection; without PATH the collection.
    """
    from plait.interfaces.cli.opened import open_path
    from plait.interfaces.cli.output import emit, say, sized

    if everything:
        if store:
            raise SettingError("--all is about this machine", hint="leave PATH out instead")
        folders = _all_folders()
    else:
        index = open_path(path, store=store).index
        if index.is_shared:
            _clear_shared(index, yes=yes)
            return
        folders = [index.writer.folder] if (index.writer.folder / "CURRENT").is_file() else []
    if not folders:
        say("there is no index to remove")
        raise typer.Exit(1)
    size = sum(map(_size, folders))
    what = f"{len(folders)} indexes" if len(folders) > 1 else f"the index in {folders[0]}"
    if not yes and not _is_confirmed(f"remove {what} ({sized(size)})? [y/N] "):
        say("nothing was removed")
        raise typer.Exit(1)
    for folder in folders:
        _remove(folder)
    emit([f"removed {what} ({sized(size)})"])


def _is_confirmed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise SettingError("clear asks before it removes", hint="give -y to remove without asking")
    sys.stderr.write(visible(question))
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _clear_shared(index: Index, *, yes: bool) -> None:
    """Remove a repository from an index that is shared, or all of it."""
    from plait.interfaces.cli.output import counted, emit, say
    from plait.private.files import remove
    from plait.types import Change

    what, paths = f"the whole collection {index.place}", None
    if index.repo:
        paths = sorted(index.snapshot().digests(index.repo))
        what = f"{index.repo} from {index.place} ({counted(len(paths), 'file')})"
        if not paths:
            say(f"there is no repository {index.repo!r} in {index.place}")
            raise typer.Exit(1)
    if not yes and not _is_confirmed(f"remove {what} for everybody? [y/N] "):
        say("nothing was removed")
        raise typer.Exit(1)
    if paths is None:
        index.reader.store.clear()
    else:
        index.reader.store.commit(Change(index.repo, path) for path in paths)
    remove(index.writer.folder)
    emit([f"removed {what}"])


def _all_folders() -> list[Path]:
    import os

    from plait.assembly import cache_folder, user_settings_file
    from plait.private.files import entries
    from plait.settings import load_settings

    cache = cache_folder(load_settings(None, os.environ, user_settings_file()))
    found = entries(cache)
    return [one for one in found if not one.is_symlink() and (one / "CURRENT").is_file()]


def _remove(folder: Path) -> None:
    """Empty a store; its lock stays, because another process may be waiting for it."""
    from plait.private.files import remove
    from plait.stores.embedded.store import EmbeddedStore

    EmbeddedStore(folder, "").clear()  # refuses a folder that leads elsewhere
    for name in ("stamps", "clusters"):
        remove(folder / name)


def _size(folder: Path) -> int:
    """What a folder takes; what a link leads to is none of it."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # a writer may be at work
            total += path.lstat().st_size
    return total
