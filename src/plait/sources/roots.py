"""Roots: which tree does a path the user named belong to?

A query in a sub-folder should find the index of the whole repository and be scoped to the
folder, and two worktrees of one repository should share an index. So a path is taken apart
into the root that is indexed, the part of it that is meant, and the key of its storage.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plait.errors import SourceError
from plait.sources.place import place_of
from plait.sources.tracked import is_ignored
from plait.types.notes import SOURCE, Note


@dataclass(frozen=True, slots=True)
class Root:
    """The tree a path belongs to."""

    directory: Path  # absolute, without links
    key: Path  # names the storage: the git common dir, or the directory itself
    under: str = ""  # the folder that was meant, relative to the directory; "" for all of it
    file: str = ""  # the file that was meant, if it was one
    is_git: bool = False
    notes: tuple[Note, ...] = ()


def root_of(path: Path) -> Root:
    """Find the root of a file or folder.

    Raises:
        SourceError: The path does not exist, cannot be entered, or is a git directory,
            which has no files of its own.
    """
    try:
        real = path.expanduser().resolve(strict=True)
        is_folder = real.is_dir()
        folder = real if is_folder else real.parent
    except FileNotFoundError:
        raise SourceError(
            f"no such file or folder: {path}", hint="name an existing folder or file"
        ) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceError(f"cannot read {str(path)!r}: {error}") from None
    if not is_folder and not real.is_file():
        raise SourceError(f"neither a file nor a folder: {path}")

    place = place_of(folder)
    if place.is_bare:
        raise SourceError(
            f"{path} is a bare repository or lies inside a git directory: no files are checked out",
            hint="name a work tree, or the repository by its URL",
        )
    notes = (Note(SOURCE, place.note),) if place.note else ()
    tree = place.tree
    if tree is None or is_ignored(tree, real):
        file = "" if is_folder else real.name
        return Root(folder, folder, file=file, notes=notes)
    under = folder.relative_to(tree.top).as_posix()
    file = "" if is_folder else real.relative_to(tree.top).as_posix()
    return Root(tree.top, tree.common, "" if under == "." else under, file, True, notes)
