"""Staged: which paths does a repository track?

The answer is in git's index file, and is read from there without git: no program starts, no
configuration has a say, and a search is quicker by two processes. Only names are taken. The
file is data of a stranger: it is read bounded, and what does not add up is refused as a whole.
Each name is made, looked at and kept or dropped, so that none is in memory twice.

The format is git's ``gitformat-index``, versions 2 to 4.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from plait.beneath import Refused, read_beneath
from plait.sources.git_config import config_value, text_beneath
from plait.sources.place import CONFIG_BYTES, WorkTree

INDEX_BYTES = 1 << 26  # half a million files have 50 MB
NAMES_BYTES = 1 << 27  # a name repeats what it shares with the last for next to nothing
KEPT_BYTES = 1 << 27  # of memory; a letter that is not Latin has a name take four times as much
FOLDERS_BYTES = 1 << 26  # of memory; a file 2,000 folders deep has 4 million letters
PATH_CHARS = 4096  # no system opens a longer path
STATUS_BYTES = 40  # of an entry: times, device, inode, mode, owner, size
LENGTH = 0xFFF  # of a name, in an entry's flags; a longer one ends at its NUL
EXTENDED = 0x40  # in the first byte of the flags: two more bytes of them follow
HASH_BYTES = {"": 20, "sha1": 20, "sha256": 32}
MAY_STAND = frozenset({b"sdir"})  # an extension in lower case changes what entries mean


class Unreadable(Exception):
    """The index cannot be made sense of; the message says why. Never leaves the package."""


@dataclass(frozen=True, slots=True)
class Staged:
    """The paths that are tracked below a folder, and every folder on the way to one of them."""

    paths: AbstractSet[str] = frozenset()
    folders: AbstractSet[str] = frozenset()

    def holds(self, path: str) -> bool:
        """Whether a file is tracked, or something in a folder."""
        return path in self.paths or path in self.folders


def staged_below(tree: WorkTree, folder: str = "") -> Staged:
    """What a work tree tracks below one of its folders.

    Raises:
        Unreadable: There is no index that can be read.
    """
    try:
        data = read_beneath(tree.own, "index", INDEX_BYTES)
    except Refused as refusal:
        if refusal.reason == "missing":
            return Staged()  # nothing was ever added
        raise Unreadable(refusal.detail) from None
    if len(data) > INDEX_BYTES:
        raise Unreadable(f"it is larger than {INDEX_BYTES} bytes")
    kept: set[str] = set()
    room = KEPT_BYTES
    inner = f"{folder}/" if folder else ""
    for name in index_names(data, _hash_bytes(tree)):
        path = os.fsdecode(name)
        if not path.startswith(inner):
            continue
        path = path.removeprefix(inner)
        # A name that ends in a slash is a folder that a sparse index did not spell out.
        if path and path[-1] != "/" and len(path) <= PATH_CHARS:
            kept.add(path)
            room -= sys.getsizeof(path)
            if room < 0:
                raise Unreadable(f"its names need more than {KEPT_BYTES} bytes of memory")
    return Staged(kept, _folders(kept))


def _folders(paths: Iterable[str]) -> set[str]:
    """Every folder that has a path somewhere inside."""
    found: set[str] = set()
    room = FOLDERS_BYTES
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            room -= sys.getsizeof(folder)
            folder = folder.rpartition("/")[0]
        if room < 0:
            raise Unreadable("its folders are too deep and too many")
    return found


def _hash_bytes(tree: WorkTree) -> int:
    config = text_beneath(tree.common, "config", CONFIG_BYTES)
    kind = config_value(config, "extensions", "objectformat").lower()
    if kind not in HASH_BYTES:
        raise Unreadable(f"the object format {kind!r} is not known")
    return HASH_BYTES[kind]


def index_names(data: bytes, hash_bytes: int = 20) -> Generator[bytes, None, None]:
    """The names in an index file, in its order; they are to be believed when the last has come.

    Raises:
        Unreadable: It is not an index file, or cut short.
    """
    version, count = int.from_bytes(data[4:8]), int.from_bytes(data[8:12])
    end = len(data) - hash_bytes
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise Unreadable("it is not an index of version 2, 3 or 4")
    read = _compressed if version == 4 else _plain
    at = yield from read(data, count, end, STATUS_BYTES + hash_bytes)
    while at < end:
        kind, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8])
        if kind[:1].islower() and kind not in MAY_STAND:
            raise Unreadable(f"the extension {kind.decode('latin-1')!r} is not supported")
        at += 8 + size
    if at != end:
        raise Unreadable("it is cut short")


def _plain(data: bytes, count: int, end: int, flags: int) -> Generator[bytes, None, int]:
    """Names of versions 2 and 3, and where they end: each entry is padded to eight bytes."""
    at = 12
    for _ in range(count):
        start = at + flags
        if start + 2 >= end:
            raise Unreadable("it is cut short")
        high = data[start]
        length = (high << 8 | data[start + 1]) & LENGTH
        start += 4 if high & EXTENDED else 2
        stop = start + length if length < LENGTH else data.find(b"\0", start)
        if not start < stop < end:
            raise Unreadable("it is cut short")
        yield data[start:stop]
        at += stop - at + 8 & ~7
    return at


def _compressed(data: bytes, count: int, end: int, flags: int) -> Generator[bytes, None, int]:
    """Names of version 4, and where they end: each says how much of the last it drops."""
    at, total = 12, 0
    name = b""
    for _ in range(count):
        if at + flags + 2 >= end:
            raise Unreadable("it is cut short")
        start = at + flags + (4 if data[at + flags] & EXTENDED else 2)
        dropped, start = _number(data, start, end)
        stop = data.find(b"\0", start, end)
        if stop < 0 or dropped > len(name):
            raise Unreadable("it is cut short")
        name = name[: len(name) - dropped] + data[start:stop]
        total += len(name)
        if total > NAMES_BYTES:
            raise Unreadable(f"its names are longer than {NAMES_BYTES} bytes together")
        yield name
        at = stop + 1
    return at


def _number(data: bytes, at: int, end: int) -> tuple[int, int]:
    """A number of variable length, as git packs offsets, and where it ends."""
    value = -1
    while at < end and value < 1 << 32:
        byte = data[at]
        at += 1
        value = (value + 1) << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    raise Unreadable("it is cut short")
