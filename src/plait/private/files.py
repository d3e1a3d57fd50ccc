"""Private files: made for us alone, and never read, written or removed through a link.

Each function takes a path inside a folder that ``PrivateFolder`` has looked at. Whatever else
may lie there, a link, a pipe, a second name of another file: it is not followed, not waited
for, not emptied.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO

FILE_MODE = 0o600
# What a system does not have, it does not need: only POSIX systems have links to plant.
NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
NO_WAITING: int = getattr(os, "O_NONBLOCK", 0)
PLAIN: int = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


MAX_CREATED = 20  # times a name is taken by somebody else before we give up


class NotPlain(OSError):
    """What has a file's name is a link, a pipe or a folder, or has a second name elsewhere."""


def create(path: Path) -> IO[bytes]:
    """A new file to write to, in the place of whatever has its name.

    Raises:
        FileExistsError: Somebody makes another by this name again and again.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | PLAIN
    for left in reversed(range(MAX_CREATED)):
        with suppress(FileNotFoundError):
            path.unlink()
        try:
            return os.fdopen(_closed_to_others(os.open(path, flags, FILE_MODE)), "wb")
        except FileExistsError:  # a thread of the word index makes its lock in this moment
            if not left:
                raise
    raise AssertionError("unreachable")


def is_writable(path: Path) -> bool:
    """Whether a file is there, is ours and can be written to; nothing is made or changed."""
    try:
        handle = _opened(path, os.O_RDWR)
        try:
            return _is_ours(os.fstat(handle))
        finally:
            os.close(handle)
    except OSError:
        return False


def reopen(path: Path) -> IO[bytes]:
    """A file of ours to read and to write, made if there is none; its content stays.

    Raises:
        NotPlain: What has its name is not a file of ours alone.
        OSError: It cannot be opened.
    """
    handle = _opened(path, os.O_RDWR | os.O_CREAT)
    try:
        if not _is_ours(os.fstat(handle)):
            raise NotPlain(errno.EPERM, "it is not a file of plait's own", str(path))
        return os.fdopen(_closed_to_others(handle), "r+b")
    except BaseException:
        os.close(handle)
        raise


def replace_with(path: Path, content: bytes) -> None:
    """Replace a file as a whole: a reader sees the old content or the new."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with create(scratch) as file:
            file.write(content)
        scratch.replace(path)
    except BaseException:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        raise


def read(path: Path) -> bytes:
    """What a file holds.

    Raises:
        NotPlain: What has its name is a link or no plain file.
        OSError: There is none, or it cannot be read.
    """
    handle = _opened(path, os.O_RDONLY)
    with open(handle, "rb") as file:  # noqa: PTH123 - a handle
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotPlain(errno.EINVAL, "it is not a plain file", str(path))
        return file.read()


def close_to_others(path: Path) -> None:
    """Make a file that some library wrote ours alone."""
    found = os.lstat(path)
    if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) != FILE_MODE:
        path.chmod(FILE_MODE)


def entries(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing if there is none, or a link in its place."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(folder.iterdir())


def remove(path: Path) -> None:
    """Remove a file, a folder with all it holds, or a link, but never what a link leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    path.unlink(missing_ok=True)


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file is plain, has one name and belongs to us."""
    is_owned = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return stat.S_ISREG(found.st_mode) and found.st_nlink <= 1 and is_owned


def _opened(path: Path, flags: int) -> int:
    try:
        return os.open(path, flags | NO_LINK | NO_WAITING | PLAIN, FILE_MODE)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.EISDIR, errno.ENXIO):
            raise NotPlain(error.errno, "it is not a plain file", str(path)) from error
        raise


def _closed_to_others(handle: int) -> int:
    """The same file, with the rights it is to have, whatever the umask says."""
    if hasattr(os, "fchmod") and stat.S_IMODE(os.fstat(handle).st_mode) != FILE_MODE:
        os.fchmod(handle, FILE_MODE)
    return handle
