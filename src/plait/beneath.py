"""Opening files that somebody else supplies: beneath a root, bounded, and never waiting.

A path that was harmless when it was listed may lead anywhere by the time it is opened:
someone may have put a link in the place of a folder. So no path is ever handed to the
system whole. Each component is opened relative to the folder before it, and a component
that is a link is refused, which leaves no moment in which a swap could help.

What is found at the end may be no file at all. A pipe or a device is refused before it is
opened, and again afterwards; opening never waits for a writer. A file larger than the
caller allows is refused before a byte of it is read.

Where the system cannot open relative to a folder (Windows), every component is checked
first and the real path afterwards; a swap between the two remains possible there. A hard
link cannot be told from any other name of its file: whoever can make one beneath the root
can also copy the file there.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

RELATIVE_OPEN = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
FOLDER = FLAGS | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
FILE = FLAGS | getattr(os, "O_NOFOLLOW", 0) | NONBLOCK

# Folders in folders. The deepest of the trees this was tried on has 26 levels; a walk holds a
# descriptor for each, and some systems give a process no more than 256.
DEEPEST = 128
MOST_BYTES = 64 << 20  # of a file that is read whole, whatever a caller would allow
PIECE = 1 << 16  # read at a time of a file that turns out longer than it was

# Names that Windows keeps for devices, whatever their extension.
PORTS = (f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³")
DEVICES = frozenset({"con", "prn", "aux", "nul", "conin$", "conout$", *PORTS})


class Refused(Exception):
    """A file that is not taken: a one-word reason and a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def components(path: str) -> list[str]:
    """The names along a relative path.

    Raises:
        Refused: The path is empty, absolute, too deep, holds ``.``, ``..``, an empty name or
            NUL, or what is no plain name on this system.
    """
    names = path.split("/")
    if not all(map(is_plain, names)):
        raise Refused("path", "not a plain path relative to the root")
    if len(names) > DEEPEST + 1:
        raise Refused("deep", f"more than {DEEPEST} folders deep")
    return names


def is_plain(name: str, *, on_windows: bool = os.name == "nt") -> bool:
    """Whether a name is one entry of a folder, and nothing the system reads otherwise."""
    if name in ("", ".", "..") or "\0" in name or "/" in name:
        return False
    if not on_windows:
        return True
    stem = name.partition(".")[0].rstrip(" ").lower()
    return not (stem in DEVICES or name[-1] in " ." or any(c in name for c in '\\:*?"<>|'))


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
            return open_in(folder, names[-1])
        finally:
            os.close(folder)
    except (OSError, ValueError) as error:
        raise refusal_of(error) from None


def open_in(folder: int, name: str) -> int:
    """A descriptor of a regular file in an open folder; a failed call raises as it does."""
    expect_regular(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    file = os.open(name, FILE, dir_fd=folder)
    try:
        expect_regular(os.fstat(file).st_mode)
    except BaseException:
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


LASTING = (errno.ENAMETOOLONG, errno.EINVAL)  # failures that the same path will meet again


def refusal_of(error: OSError | ValueError) -> Refused:
    """What a failed call comes to, in words."""
    if isinstance(error, FileNotFoundError):
        return Refused("missing", "there is no such file")
    if isinstance(error, NotADirectoryError):
        return Refused("symlink", "a folder on the way is a link or no folder")
    if getattr(error, "errno", None) in (errno.ELOOP, errno.EMLINK):
        return Refused("symlink", "links are not followed")
    reason = getattr(error, "strerror", None) or str(error)
    is_lasting = isinstance(error, PermissionError | ValueError) or error.errno in LASTING
    return Refused("unreadable" if is_lasting else "read error", f"cannot be read: {reason}")


def read_beneath(root: Path, path: str, limit: int) -> bytes:
    """The bytes of a regular file beneath ``root`` that has at most ``limit`` of them.

    A file that grows while it is read gives one byte more than ``limit``, never more.

    Raises:
        Refused: As :func:`open_file`, or the file is larger.
    """
    return read_whole(open_file(root, path), limit)


def read_head_beneath(root: Path, path: str, limit: int) -> bytes:
    """The first bytes of a regular file beneath ``root``, at most ``limit``.

    Raises:
        Refused: As :func:`open_file`.
    """
    return read_up_to(open_file(root, path), limit)


def read_head_in(folder: int, name: str, limit: int) -> bytes:
    """The first bytes of a regular file in an open folder, at most ``limit``.

    Raises:
        Refused: As :func:`open_file`.
    """
    try:
        return read_up_to(open_in(folder, name), limit)
    except (OSError, ValueError) as error:
        raise refusal_of(error) from None


def read_users(path: Path, limit: int) -> bytes:
    """The bytes of a file the user named or keeps in a known place, which may be a link.

    Raises:
        Refused: There is no such file, it is no regular file, or it is larger than ``limit``.
    """
    try:
        file = os.open(path, FLAGS | NONBLOCK)
    except (OSError, ValueError) as error:
        raise refusal_of(error) from None
    try:
        expect_regular(os.fstat(file).st_mode)
    except BaseException:
        os.close(file)
        raise
    return read_whole(file, limit)


def read_whole(file: int, limit: int) -> bytes:
    """The bytes of an open file that has at most ``limit``; closes it."""
    size = os.fstat(file).st_size
    if size > limit:
        os.close(file)
        raise Refused("oversized", f"{size} bytes, more than {limit}")
    return read_up_to(file, limit + 1)


def read_up_to(file: int, limit: int) -> bytes:
    """The first bytes of an open file, at most ``limit``; closes it."""
    try:
        parts: list[bytes] = []
        want, piece = limit, os.fstat(file).st_size or PIECE
        while want > 0 and (part := os.read(file, min(want, piece))):
            parts.append(part)
            want -= len(part)
            piece = PIECE
        return b"".join(parts)
    except OSError as error:
        raise refusal_of(error) from None
    finally:
        os.close(file)
