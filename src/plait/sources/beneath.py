"""Opening files beneath a root, and nowhere else.

A path that was harmless when it was listed may lead anywhere by the time it is opened:
someone may have put a link in the place of a folder. So no path is ever handed to the
system whole. Each component is opened relative to the folder before it, and a component
that is a link is refused, which leaves no moment in which a swap could help.

Where the system cannot open relative to a folder (Windows), every component is checked
first and the real path afterwards; a swap between the two remains possible there.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

RELATIVE_OPEN = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
FOLDER = FLAGS | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
FILE = FLAGS | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Refused(Exception):
    """A file that is not taken: a one-word reason and a sentence. Never leaves the package."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def components(path: str) -> list[str]:
    """The names along a relative path.

    Raises:
        Refused: The path is empty, absolute, holds ``.``, ``..``, an empty name or NUL, or
            on Windows a backslash or colon.
    """
    names = path.split("/")
    strange = "\0" if os.name == "posix" else "\0\\:"
    if any(name in ("", ".", "..") for name in names) or any(c in path for c in strange):
        raise Refused("path", "not a plain path relative to the root")
    return names


def open_folder(root: Path, names: list[str]) -> int:
    """A descriptor of a folder beneath ``root``, reached through no link."""
    folder = os.open(root, FOLDER)
    try:
        for name in names:
            inner = os.open(name, FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
    except BaseException:
        os.close(folder)
        raise
    return folder


def open_file(root: Path, path: str) -> int:
    """A descriptor of a regular file beneath ``root``.

    Raises:
        Refused: There is no such file, it is no regular file, or the way leads through a link.
    """
    names = components(path)
    try:
        if not RELATIVE_OPEN:
            return open_checked(root, names)
        folder = open_folder(root, names[:-1])
        try:
            expect_regular(os.stat(names[-1], dir_fd=folder, follow_symlinks=False).st_mode)
            file = os.open(names[-1], FILE, dir_fd=folder)
        finally:
            os.close(folder)
    except FileNotFoundError:
        raise Refused("missing", "there is no such file") from None
    except NotADirectoryError:
        raise Refused("symlink", "a folder on the way is a link or no folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused("unreadable", f"cannot be opened: {reason}") from None
    try:
        expect_regular(os.fstat(file).st_mode)
    except Refused:
        os.close(file)
        raise
    return file


def open_checked(root: Path, names: list[str]) -> int:
    """The portable way: look at every component, open, and look where it led."""
    at = root
    for name in names:
        at = at / name
        if at.is_symlink() or os.path.realpath(at.parent) != str(at.parent):
            raise Refused("symlink", "links are not followed")
    expect_regular(at.lstat().st_mode)
    file = os.open(at, FLAGS)
    if not Path(os.path.realpath(at)).is_relative_to(root):
        os.close(file)
        raise Refused("symlink", "links are not followed")
    return file


def expect_regular(mode: int) -> None:
    """Refuse what is not a regular file, and say what it is."""
    if stat.S_ISREG(mode):
        return
    if stat.S_ISLNK(mode):
        raise Refused("symlink", "links are not followed")
    if stat.S_ISDIR(mode):
        raise Refused("folder", "this is a folder")
    raise Refused("special", "not a regular file")


def read_beneath(root: Path, path: str, limit: int) -> bytes:
    """The bytes of a regular file beneath ``root``, at most ``limit`` and one more.

    Raises:
        Refused: As :func:`open_file`.
    """
    file = open_file(root, path)
    try:
        want = min(os.fstat(file).st_size, limit) + 1
        parts: list[bytes] = []
        while want > 0 and (part := os.read(file, want)):
            parts.append(part)
            want = limit + 1 - sum(map(len, parts))
        return b"".join(parts)
    except OSError as error:
        raise Refused("unreadable", f"cannot be read: {error.strerror}") from None
    finally:
        os.close(file)
