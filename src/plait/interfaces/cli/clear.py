"""``plait clear``: remove an index."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from plait.errors import SettingError
from plait.interfaces.cli import parameters as params

if TYPE_CHECKING:
    from pathlib import Path


def clear(
    path: params.PathArgument = ".",
    everything: Annotated[
        bool, typer.Option("--all", help="Every index in the cache folder.")
    ] = False,
    yes: Annotated[bool, typer.Option("-y", "--yes", help="Do not ask.")] = False,
) -> None:
    """Remove the index of PATH. The next search makes it anew. Exit 1 if there is none."""
    from plait.interfaces.cli.output import emit, say, sized

    folders = _all_folders() if everything else _folder_of(path)
    if not folders:
        say("there is no index to remove")
        raise typer.Exit(1)
    size = sum(file.stat().st_size for folder in folders for file in folder.rglob("*"))
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
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _folder_of(path: str) -> list[Path]:
    from plait.interfaces.cli.opened import open_path

    folder = open_path(path).index.store.root
    return [folder] if (folder / "CURRENT").is_file() else []


def _all_folders() -> list[Path]:
    import os

    from plait.assembly import cache_folder, user_settings_file
    from plait.settings import load_settings

    cache = cache_folder(load_settings(None, os.environ, user_settings_file()))
    return sorted(file.parent for file in cache.glob("*/CURRENT"))


def _remove(folder: Path) -> None:
    """Empty a store; its lock stays, because another process may be waiting for it."""
    import shutil

    from plait.stores.embedded.store import EmbeddedStore

    EmbeddedStore(folder, "").clear()
    for name in ("stamps", "clusters"):
        shutil.rmtree(folder / name, ignore_errors=True)
