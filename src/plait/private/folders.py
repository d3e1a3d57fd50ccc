"""Private folders: where plait keeps what it knows of your code, and who else could reach it.

An index holds the source it was made of. So a folder of ours is 0700, and before anything is
written, everything that leads to it is looked at, as ssh looks at what leads to a key: whoever
may write to a folder may put another one in the place of what lies in it. Above our own
folders that is forgiven to root, to ourselves, and to folders like /tmp whose sticky bit keeps
one user from replacing what belongs to another.

On Windows, folders inherit who may enter them, so nothing is looked at there.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plait.errors import StoreUnsafe

FOLDER_MODE = 0o700
OTHERS = 0o077
WRITABLE = stat.S_IWGRP | stat.S_IWOTH
# What a cache folder holds, and what an index does.
OURS = re.compile(
    r".+-[0-9a-f]{16}|shared|evaluation"
    r"|CURRENT(\.new)?|lock|generations|layers|stamps|clusters|(proofs|owner)(\..*)?"
)
IS_POSIX = os.name == "posix"
ELSEWHERE = "name a folder that only you can write to: PLAIT_CACHE_DIR, or cache_dir in your file"


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """A folder of ours.

    Args:
        path: The folder; it need not be there.
        top: The outermost folder that is ours too, the cache folder; by default ``path``.
        is_named: The user named it, so it is read even where it would not be written to.
    """

    path: Path
    top: Path | None = None
    is_named: bool = True

    def check_reading(self) -> None:
        """Refuse to read what somebody else may have put there, unless the user named it.

        Raises:
            StoreUnsafe: Others can write to it, or it leads elsewhere.
        """
        if not self.is_named:
            self._check("it is not read")

    def make(self) -> None:
        """Have the folder, for us alone. What an older plait left open is closed to others.

        Raises:
            StoreUnsafe: Others can write to it, or it leads elsewhere.
            OSError: It cannot be made.
        """
        if not IS_POSIX:
            self.path.mkdir(parents=True, exist_ok=True)
            return
        self._check("nothing is written there")
        path, top = _absolute(self.path), _absolute(self.top or self.path)
        if _make_missing(path):
            self._check("nothing is written there")  # somebody may have been faster
        for place in (path, *path.parents):
            if place != top and place.is_relative_to(top):
                _close_to_others(place)
        _close_to_others(top, is_ours=not self.is_named)

    def _check(self, so: str) -> None:
        if not IS_POSIX:
            return
        path, top = _absolute(self.path), _absolute(self.top or self.path)
        found = _problem(path, top)
        real = Path(os.path.realpath(path))
        if not found and real != path:  # through a link above our own folders
            found = _problem(real, Path(os.path.realpath(top)))
        if found:
            place, reason = found
            about = f"{place} {reason}" if place == path else f"{path}: {place} {reason}"
            raise StoreUnsafe(f"{about}, so {so}", hint=ELSEWHERE)


def is_ours(path: Path) -> bool:
    """Whether a folder is ours alone: what lies in it is our own doing."""
    try:
        return not IS_POSIX or not _own_problem(os.lstat(path))
    except OSError:
        return False


def make_folder(path: Path) -> None:
    """Have a folder inside one of ours.

    Raises:
        StoreUnsafe: Something else is there: a link, or a folder of somebody else.
    """
    if not IS_POSIX:
        path.mkdir(exist_ok=True)
        return
    _make_one(path)
    found = os.lstat(path)
    reason = _own_problem(found)
    if reason:
        raise StoreUnsafe(f"{path} {reason}, so nothing is written there", hint=ELSEWHERE)
    if found.st_mode & OTHERS:
        _close_to_others(path)


def sync_folder(path: Path) -> None:
    """Wait until the disk has a folder's names; a no-op where folders cannot be opened."""
    if not IS_POSIX:
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _problem(path: Path, top: Path) -> tuple[Path, str] | None:
    """The first place on the way to a path that others can change, and how."""
    for place in (*reversed(path.parents), path):
        try:
            found = os.lstat(place)
        except FileNotFoundError:
            return None  # the rest is made by us
        is_ours = place.is_relative_to(top)
        reason = _own_problem(found) if is_ours else _outer_problem(found)
        if reason:
            return place, reason
    return None


def _own_problem(found: os.stat_result) -> str:
    """Why a folder is not ours alone; "" if it is."""
    if stat.S_ISLNK(found.st_mode):
        return "is a link"
    if not stat.S_ISDIR(found.st_mode):
        return "is not a folder"
    if found.st_uid != os.geteuid():
        return f"belongs to {_user(found.st_uid)}"
    return _writers(found)  # sticky or not: others could put things there


def _outer_problem(found: os.stat_result) -> str:
    """Why what lies in a folder that is not ours may be replaced by others; "" if not."""
    if found.st_uid not in _trusted():
        what = "is a link that" if stat.S_ISLNK(found.st_mode) else ""
        return f"{what} belongs to {_user(found.st_uid)}".strip()
    if stat.S_ISLNK(found.st_mode):
        return ""  # the mode of a link says nothing; where it leads is looked at, too
    return "" if found.st_mode & stat.S_ISVTX else _writers(found)


def _writers(found: os.stat_result) -> str:
    mode = found.st_mode
    if not mode & WRITABLE:
        return ""
    if not mode & stat.S_IWOTH and _is_own_group(found.st_gid):
        return ""
    return f"can be written to by others (mode {stat.S_IMODE(mode):04o})"


@cache
def _is_own_group(group: int) -> bool:
    """Whether nobody is in a group but us: many systems give every user a group."""
    import grp
    import pwd

    try:
        name, members = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return members.gr_name == name and set(members.gr_mem) <= {name}


@cache
def _trusted() -> frozenset[int]:
    """Whose folders may lead to ours: root's and our own.

    In a sandbox with users of its own, root's files outside seem to belong to nobody.
    """
    trusted = {0, os.geteuid()}
    try:
        inside = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
        if inside != ["0", "0", str(2**32 - 1)]:
            nobody = Path("/proc/sys/kernel/overflowuid").read_text(encoding="ascii")
            trusted.add(int(nobody))
    except (OSError, ValueError):
        pass  # no such system
    return frozenset(trusted)


def _user(number: int) -> str:
    import pwd

    try:
        return f"{pwd.getpwuid(number).pw_name} (user {number})"
    except KeyError:
        return f"user {number}"


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - links are looked at, not resolved


def _make_missing(path: Path) -> bool:
    """Make a folder and what leads to it, for us alone; whether anything was to be made."""
    missing = []
    for place in (path, *path.parents):
        if os.path.lexists(place):
            break
        missing.append(place)
    for place in reversed(missing):
        _make_one(place)
        with suppress(OSError):  # a folder of others that we may enter and not list
            sync_folder(place.parent)  # or a power loss takes the folder with all that was synced
    return bool(missing)


def _make_one(path: Path) -> None:
    try:
        path.mkdir(FOLDER_MODE)
    except FileExistsError:
        return
    if stat.S_IMODE(os.lstat(path).st_mode) & 0o777 != FOLDER_MODE:
        path.chmod(FOLDER_MODE)  # an odd umask took more than others' rights


def _close_to_others(folder: Path, *, is_ours: bool = True) -> None:
    """Take away what others may do with a folder, and with all that it holds.

    One that a user named may be older than plait: it is ours if it holds nothing else.
    """
    mode = os.lstat(folder).st_mode
    if not mode & OTHERS or mode & stat.S_ISVTX:
        return
    if not is_ours and not all(OURS.fullmatch(name) for name in os.listdir(folder)):  # noqa: PTH208
        return
    folder.chmod(stat.S_IMODE(mode) & ~OTHERS)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            inner = Path(place, name)
            with suppress(FileNotFoundError):  # a writer may be at work
                found = os.lstat(inner).st_mode
                if found & OTHERS and not stat.S_ISLNK(found):
                    inner.chmod(stat.S_IMODE(found) & ~OTHERS)
