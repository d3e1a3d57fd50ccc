"""Opening: what a path needs to be searched, put together.

An index is kept on this machine, for one tree, or on a cluster, in a collection of many
repositories; nothing above this package can tell which engine answers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plait.answering.index import Index
from plait.assembly.parts import (
    WEIGHTS,
    analysis,
    dense_lane,
    embedded_store,
    lexical_lane,
    selection,
    store_of,
)
from plait.assembly.places import private_folder, repository_name, user_settings_file
from plait.engine.reader import Reader
from plait.engine.writer import Writer
from plait.errors import SettingError
from plait.index.rebuild import rebuild
from plait.index.refresh import Progress, Report
from plait.settings import Loaded, Settings, load_settings, read_settings
from plait.sources import DirectorySource, Root, root_of
from plait.types import Source

if TYPE_CHECKING:
    from plait.stores.cluster.operations.operations import Operations

# How words are made: what a collection was built with, not what one of its repositories says.
ANALYSIS = ("bigrams", "stemming", "identifiers", "comments")


def open_index(
    path: str | Path = ".",
    settings: Settings | None = None,
    *,
    store: str = "",
    name: str = "",
) -> Index:
    """Open the index of a path; nothing is read or written yet.

    Args:
        path: A folder or a file. "" is the current folder; if the index is on a cluster it is
            every repository there.
        settings: What holds here; by default what files and the environment say.
        store: The address of a collection on a cluster; "" for the setting.
        name: What the repository is called there; by default as its folder.

    Raises:
        SourceError: There is no such path.
        SettingError: A settings file holds what cannot be used.
    """
    root = root_of(Path(path or "."))
    if settings is None:
        settings, notes = settings_for(root, store)
        root = replace(root, notes=(*root.notes, *notes))
    return index_of(root, settings, name, is_whole=path == "")


def settings_for(root: Root, store: str = "") -> Loaded:
    """What files and the environment say of a tree, and what of them was not read.

    Args:
        root: The tree.
        store: The address of a collection on a cluster; "" for the setting.

    Raises:
        SettingError: A settings file holds what cannot be used.
    """
    chosen, notes = read_settings(root.directory, os.environ, user_settings_file())
    chosen = replace(chosen, store=store or chosen.store)
    if not chosen.store:
        return Loaded(chosen, notes)
    users = load_settings(None, os.environ, user_settings_file())
    names = (*ANALYSIS, *(f"weight_{name}" for name in WEIGHTS))
    return Loaded(replace(chosen, **{name: getattr(users, name) for name in names}), notes)


def index_of(root: Root, settings: Settings, name: str = "", *, is_whole: bool = False) -> Index:
    """The index of a tree.

    Args:
        root: The tree.
        settings: What holds here.
        name: What the repository is called; by default as its folder.
        is_whole: No path was given: if the store is shared, all it holds is meant.
    """
    is_whole = is_whole and bool(settings.store)
    if is_whole:
        here = Path.cwd()
        root = replace(root, directory=here, key=here, under="", is_git=False)
    repo = "" if is_whole else name or repository_name(root, settings)
    source = DirectorySource(root.directory, name=repo, selection=selection(settings))
    lexical = lexical_lane(settings)
    kept, dense = store_of(root, lexical, settings), dense_lane(settings, lexical)
    private = private_folder(kept.folder, settings)
    writer = Writer(settings, source, kept.store, lexical, dense, kept.folder, private)
    reader = Reader(settings, kept.store, lexical, dense)
    return Index.of(reader, writer, source, root, kept.place)


class Opened(NamedTuple):
    """What reads and what writes one index."""

    reader: Reader
    writer: Writer

    def close(self) -> None:
        """Let go of what the store holds between two calls."""
        self.reader.store.close()


def open_source(source: Source, folder: Path, settings: Settings) -> Opened:
    """Put together what indexes and searches any source, its index kept in a folder."""
    lexical = lexical_lane(settings)
    store, dense = embedded_store(folder, lexical, settings), dense_lane(settings, lexical)
    private = private_folder(folder, settings)
    return Opened(
        Reader(settings, store, lexical, dense),
        Writer(settings, source, store, lexical, dense, folder, private),
    )


def rebuild_together(
    indexes: Sequence[Index], watch: Callable[[Progress], None] = lambda _: None
) -> list[Report]:
    """Build the collection that some trees belong to from nothing but them, in one step.

    Args:
        indexes: The trees, all in one collection.
        watch: Called after every file.
    """
    first = indexes[0]
    return rebuild(
        [(one.source, one.writer.stamps_path, one.writer.private) for one in indexes],
        first.writer.store,
        first.writer.lexical,
        workers=first.settings.workers,
        comments=first.settings.comments,
        watch=watch,
    )


def open_operations(settings: Settings) -> Operations:
    """What an administrator does with a collection on a cluster.

    Raises:
        SettingError: No cluster is named.
    """
    if not settings.store:
        raise SettingError(
            "this is about an index on a cluster, and none is named",
            hint="--store opensearch://host:9200/collection, or PLAIT_STORE",
        )
    from plait.stores.cluster.address import Address
    from plait.stores.cluster.operations.operations import Operations

    address = Address.parse(settings.store, os.environ)
    return Operations(address, analysis(lexical_lane(settings), settings))
