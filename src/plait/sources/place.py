"""Places: where does a folder stand with git?

Git is not asked: its answer depends on what the repository's own configuration says, and a
repository may come from anyone. A work tree is where a ``.git`` lies. A ``.git`` that only
points somewhere else, be it a file or a link, is believed if the other side agrees: the
worktree's entry of the repository names it, or the submodule's configuration does. Anyone can
write a pointer to your repository; only you can make it point back. To hear that, one file outside
the tree is opened: the user's own, through no link, where git would have put it.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from plait.sources.git_config import config_value, text_beneath
from plait.sources.refs import read_head

POINTER_BYTES = 1 << 13  # a path and a word before it
CONFIG_BYTES = 1 << 20
POINTER = "gitdir:"
NAMES = ("HEAD", "objects", "refs")  # without which there is no git directory
# What else git keeps in one. A folder that holds more than that is somebody's tree.
GITS_OWN = re.compile(
    r"HEAD|[A-Z_]+_HEAD|COMMIT_EDITMSG|objects|refs|packed-refs|reftable|config(\.worktree)?|index"
    r"|description|branches|hooks|info|logs|shallow|worktrees|modules|lfs|gc\.(log|pid)|.*\.lock"
)


class WorkTree(NamedTuple):
    """A checked-out repository."""

    top: Path
    own: Path  # the git directory of this tree, which holds its index
    common: Path  # the git directory its worktrees share; usually the same


class Place(NamedTuple):
    """Where a folder stands with git: in a work tree, in a git directory, or neither."""

    tree: WorkTree | None = None
    bare: Path | None = None  # the git directory that it is or lies in
    note: str = ""  # why git was not used although there is a repository

    @property
    def is_bare(self) -> bool:
        """Whether there are no files but git's own."""
        return self.bare is not None and not self.note


def place_of(folder: Path) -> Place:
    """Find the work tree an existing, resolved folder lies in.

    The nearest ``.git`` decides. As git does, it is looked for on the folder's own file system
    only, and above the folder only where it belongs to the user: whoever can write to ``/tmp``
    must not be able to make a repository of all that lies in it.
    """
    try:
        device = folder.stat().st_dev
        for at in (folder, *folder.parents):
            if os.path.lexists(at / ".git"):
                if at != folder and not _are_users(at, at / ".git"):
                    return Place(note=f"{at} belongs to another user; its .git is not believed")
                return _marked(at)
            if at.name == ".git" and _has_names(at):
                return Place(bare=at)
            if at == folder and is_git_directory(at):
                return _bare(at)
            if at.parent != at and at.parent.stat().st_dev != device:
                break
    except OSError as error:
        return Place(note=f"cannot look for a repository: {error}")
    return Place()


def is_git_directory(folder: Path) -> bool:
    """Whether a folder is a git directory, by what git asks: HEAD must name a ref or a commit."""
    kinds = ((folder / name).is_dir() for name in NAMES[1:])
    return all(kinds) and bool(read_head(folder))


def _has_names(folder: Path) -> bool:
    """Whether a folder that git would have made has what git puts there; nothing is opened."""
    return all(os.path.lexists(folder / name) for name in NAMES)


def _bare(folder: Path) -> Place:
    """The place of a git directory: with other files in it, it is a tree that can be searched."""
    with os.scandir(folder) as entries:
        others = [entry.name for entry in entries if not GITS_OWN.fullmatch(entry.name)]
    if not others:
        return Place(bare=folder)
    return Place(bare=folder, note=_plain(f"{folder} is a git directory that holds other files"))


def _are_users(*paths: Path) -> bool:
    """Whether all of these belong to whoever runs plait; False if one is not there."""
    if not hasattr(os, "geteuid"):
        return True  # Windows keeps owners elsewhere
    users = {os.geteuid()}
    if 0 in users and os.environ.get("SUDO_UID", "").isdecimal():  # as git has it
        users.add(int(os.environ["SUDO_UID"]))
    try:
        return {path.lstat().st_uid for path in paths} <= users
    except FileNotFoundError:
        return False


def _marked(top: Path) -> Place:
    """The place of a folder that holds a ``.git`` of some kind."""
    mark = top / ".git"
    mode = mark.lstat().st_mode
    if stat.S_ISDIR(mode):
        if _has_names(mark):
            return Place(WorkTree(top, mark, mark))
        return Place(note=_plain(f"{mark} is not a git directory"))
    if stat.S_ISLNK(mode):
        there: Path | None = Path(os.path.realpath(mark))
    elif stat.S_ISREG(mode):
        there = _pointed_at(top)
    else:
        return Place(note=_plain(f"{mark} is neither a folder nor a file"))
    if there is None:
        return Place(note=_plain(f"{mark} names no git directory"))
    common = _agreed(top, there)
    if common is None:
        is_worktree = there.parent.name == "worktrees"
        mend = " (if you moved it: git worktree repair)" if is_worktree else ""
        return Place(note=_plain(f"{mark} points at {there}, which does not point back{mend}"))
    return Place(WorkTree(top, there, common))


def _plain(why: str) -> str:
    return f"{why}; plait's own ignore rules apply"


def _pointed_at(top: Path) -> Path | None:
    """Where a ``.git`` file points, None if nowhere."""
    words = text_beneath(top, ".git", POINTER_BYTES).strip("\r\n")
    if not words.startswith(POINTER) or "\0" in words:
        return None
    return Path(os.path.realpath(top / words.removeprefix(POINTER).lstrip(" ")))


def _agreed(top: Path, there: Path) -> Path | None:
    """The git directory shared with others, if the one pointed at says that it is this tree's.

    Nothing is opened there but the one file that would say so, if it is the user's, and only
    where git would have put it: in ``worktrees`` of a git directory, or in the ``modules`` of the
    repository that the tree lies in.
    """
    if there.parent.name == "worktrees":
        return there.parent.parent if _is_worktree(top, there) else None
    if _is_module_above(top, there) and _has_names(there) and _are_users(there, there / "config"):
        config = text_beneath(there, "config", CONFIG_BYTES)
        back = config_value(config, "core", "worktree")
        return there if back and os.path.realpath(there / back) == str(top) else None
    return None


def _is_worktree(top: Path, there: Path) -> bool:
    """Whether an entry in the ``worktrees`` of a git directory is that of a tree."""
    if not _has_names(there.parent.parent) or not _are_users(there, there / "gitdir"):
        return False
    back = text_beneath(there, "gitdir", POINTER_BYTES).strip("\r\n")
    return bool(back) and os.path.realpath(there / back) == str(top / ".git")


def _is_module_above(top: Path, there: Path) -> bool:
    """Whether a git directory lies in the ``modules`` of a repository of the user's around a tree,
    or of a worktree of one; a submodule's submodules lie in those of the outermost."""
    for above in top.parents:
        own: Path | None = above / ".git"
        if not _are_users(above, above / ".git"):
            continue
        if (above / ".git").is_file() and not (above / ".git").is_symlink():
            own = _pointed_at(above)
            if own is None or own.parent.name != "worktrees" or not _is_worktree(above, own):
                continue
        if own is not None and there.is_relative_to(own / "modules"):
            return True
    return False
