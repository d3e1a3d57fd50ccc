"""Archives: the files inside a package, read in memory and never unpacked to disk.

An archive is somebody else's: a member's name is a label, links are not followed, and what
is larger than source ever is stays unread.
"""

from __future__ import annotations

import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

MAX_FILE_BYTES = 400_000
MAX_TOTAL_BYTES = 400_000_000
AR_MAGIC = b"!<arch>\n"
AR_HEAD = 60
BROKEN = (
    OSError,
    EOFError,
    ValueError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
)

Wanted = Callable[[str], bool]


def members(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """The wanted files of an archive, by path; a broken archive ends early."""
    opened = {".whl": _zip, ".jar": _zip, ".zip": _zip, ".deb": _deb}.get(archive.suffix, _tar)
    total = 0
    try:
        for path, content in opened(archive, wanted):
            total += len(content)
            if total > MAX_TOTAL_BYTES:
                return
            yield path.removeprefix("./"), content
    except BROKEN:
        return


def _zip(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            if 0 < info.file_size <= MAX_FILE_BYTES and wanted(info.filename):
                yield info.filename, opened.read(info)


def _tar(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with archive.open("rb") as stream:
        yield from _members(stream, wanted)


def _members(stream: io.BufferedIOBase | io.BytesIO, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=stream, mode="r|*") as opened:
        for member in opened:
            path = member.name.removeprefix("./")
            if member.isreg() and 0 < member.size <= MAX_FILE_BYTES and wanted(path):
                found = opened.extractfile(member)
                if found is not None:
                    yield path, found.read()


def _deb(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """A Debian package is an ``ar`` archive whose member ``data.tar.*`` holds the files."""
    raw = archive.read_bytes()
    if not raw.startswith(AR_MAGIC):
        return
    at = len(AR_MAGIC)
    while at + AR_HEAD <= len(raw):
        head = raw[at : at + AR_HEAD]
        name, size = head[:16].decode("ascii").strip().rstrip("/"), int(head[48:58])
        at += AR_HEAD
        if name.startswith("data.tar"):
            yield from _members(io.BytesIO(raw[at : at + size]), wanted)
        at += size + size % 2
