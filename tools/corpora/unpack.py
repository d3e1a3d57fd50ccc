"""Unpacking archives nobody here has vetted.

Only regular files come out, with plain permissions, and only below the folder asked for.
A path that would leave it condemns the whole archive. Links and devices are common in
honest archives, so they are passed over: with none ever made, none can be followed.
"""

from __future__ import annotations

import lzma
import stat
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from tools.corpora.catalog import CorpusError

# An archive beyond this is a mistake or an attack, not source code.
MOST_BYTES = 4_000_000_000

UNREADABLE = (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError)
ZIPS = (".whl", ".jar", ".zip")


def read_archive(
    archive: Path, wrapped: int = 0, under: str = "", largest: int = MOST_BYTES
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Path and bytes of each regular file, in the archive's order.

    Args:
        archive: A tar (however compressed), a zip by any of its names, or a .deb.
        wrapped: How many leading folders to drop. A file outside them is passed over.
        under: The folder to read, after dropping; the paths keep it.
        largest: Files above this many bytes are passed over unread.
    """
    total = 0
    for name, size, file in _members(archive):
        path = _inside(name, archive, wrapped)
        if path is None or size > largest or not path.is_relative_to(under):
            continue
        total += size
        if total > MOST_BYTES:
            raise CorpusError(f"{archive.name} unpacks to more than {MOST_BYTES:,} bytes")
        with file:
            # A header may lie about the size; no more than it admits to is read.
            yield path, file.read(size)


def unpack(
    archive: Path, into: Path, wrapped: int = 0, under: str = "", without: Collection[str] = ()
) -> tuple[int, int]:
    """Write the files of an archive below a folder; how many, and their bytes.

    What lies in a folder that is called one of ``without`` is left out.
    """
    count = size_bytes = 0
    into.mkdir(parents=True)
    for path, content in read_archive(archive, wrapped, under):
        if not set(path.parts[:-1]).isdisjoint(without):
            continue
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        count += 1
        size_bytes += len(content)
    if not count:
        raise CorpusError(f"{archive.name} has no file under {under or '/'!r}")
    return count, size_bytes


def _inside(name: str, archive: Path, wrapped: int) -> PurePosixPath | None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in path.parts[0]:
        raise CorpusError(f"{archive.name} has a path that leads out of it: {name!r}")
    parts = path.parts[wrapped:]
    return PurePosixPath(*parts) if parts else None


def _members(archive: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    try:
        if archive.suffix in ZIPS:
            yield from _zip_members(archive)
        elif archive.suffix == ".deb":
            yield from _deb_members(archive)
        else:
            with archive.open("rb") as compressed:
                yield from _tar_members(compressed, "r|*")
    except UNREADABLE as error:
        raise CorpusError(f"{archive.name} cannot be read: {error}") from error


def _zip_members(archive: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            mode = member.external_attr >> 16
            regular = not stat.S_IFMT(mode) or stat.S_ISREG(mode)
            if not member.is_dir() and regular:
                yield member.filename, member.file_size, opened.open(member)


def _tar_members(stream: IO[bytes], mode: str) -> Iterator[tuple[str, int, IO[bytes]]]:
    # The mode is one of the streaming ones, of which the type stubs know only literals.
    with tarfile.open(fileobj=stream, mode=mode) as opened:  # type: ignore[call-overload]
        for member in opened:
            file = opened.extractfile(member) if member.isreg() else None
            if file is not None:
                yield member.name, member.size, file


def _deb_members(archive: Path) -> Iterator[tuple[str, int, IO[bytes]]]:
    # dpkg-deb only decompresses here; it runs none of the package's scripts.
    command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield from _tar_members(process.stdout, "r|")
