"""A disk that loses its power: what was synced stays, of the rest anything may.

The rules are the weakest a file system may have. Bytes of a file are safe once that file was
synced, a name once its folder was; before, each change may have reached the disk or not, in any
order, and of a write any part. Only a rename within one folder is whole or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from tools.chaos.write_trace import Operation

SECTOR = 512
Tree = dict[str, bytes | None]  # path to content; None for a folder
Names = dict[str, int]


@dataclass(slots=True)
class Inode:
    """A file, or a folder: its bytes now, those that are safe, and the writes between."""

    is_folder: bool = False
    content: bytearray = field(default_factory=bytearray)
    safe: bytes = b""
    unsafe: list[tuple[int, bytes]] = field(default_factory=list)  # -1: cut to that length


class Renaming(NamedTuple):
    """Changes of names in one folder that happen together: path to inode, or to nothing."""

    folder: str
    names: tuple[tuple[str, int | None], ...]


class Disk:
    """Files as programs see them, and as they would be found after a power loss.

    Args:
        top: The folder that is there from the beginning.
    """

    def __init__(self, top: str) -> None:
        self._inodes: list[Inode] = [Inode(is_folder=True)]
        self._names: Names = {top: 0}
        self._safe: Names = {top: 0}
        self._unsafe: list[Renaming] = []

    @property
    def unsafe(self) -> int:
        """How many changes a power loss could undo."""
        return len(self._unsafe) + sum(len(inode.unsafe) for inode in self._inodes)

    def apply(self, done: Operation) -> None:
        """Follow one operation."""
        known = self._names.get(done.path)
        if done.name == "sync" and known is not None:
            self._sync(done.path, self._inodes[known])
        elif done.name in ("make", "folder") and known is None:
            self._inodes.append(Inode(is_folder=done.name == "folder"))
            self._rename((done.path, len(self._inodes) - 1))
        elif done.name == "write" and known is not None:
            self._write(self._inodes[known], done.offset, done.data)
        elif done.name == "copy" and known is not None:
            source = self._inodes[self._names[done.to]].content
            self._write(self._inodes[known], done.offset, bytes(source[: int(done.data)]))
        elif done.name == "cut" and known is not None:
            inode = self._inodes[known]
            del inode.content[done.offset :]
            inode.content.extend(bytes(done.offset - len(inode.content)))
            inode.unsafe.append((-1, str(done.offset).encode()))
        elif done.name in ("rename", "link") and known is not None:
            gone = ((done.path, None),) if done.name == "rename" else ()
            self._rename((done.to, known), *gone)
        elif done.name in ("unlink", "no folder"):
            self._rename((done.path, None))

    def _sync(self, path: str, inode: Inode) -> None:
        if not inode.is_folder:
            inode.safe, inode.unsafe = bytes(inode.content), []
            return
        for change in self._unsafe:
            if change.folder == path:
                _follow(self._safe, change)
        self._unsafe = [change for change in self._unsafe if change.folder != path]

    def _write(self, inode: Inode, at: int, data: bytes) -> None:
        _put(inode.content, at, data)
        inode.unsafe.append((at, data))

    def _rename(self, *names: tuple[str, int | None]) -> None:
        change = Renaming(str(PurePosixPath(names[0][0]).parent), names)
        _follow(self._names, change)
        self._unsafe.append(change)

    # ------------------------------------------------------------ after a power loss

    def states(self, rng: random.Random, draws: int) -> Iterator[tuple[str, Tree]]:
        """What may be found after a power loss now, each state with how it came to be."""
        every, none = self._unsafe, list[Renaming]()
        yield "all that is not synced is lost", self._found(none, _lost)
        yield "names and bytes are there", self._found(every, _whole)
        yield "names are there, their bytes are not", self._found(every, _lost)
        yield "names are there, of their bytes only the length", self._found(every, _zeros)
        yield "names are there, their bytes are torn", self._found(every, _torn)
        yield "bytes are there, names are not", self._found(none, _whole)
        made = [one for one in every if one.names[0][1] is not None]
        gone = [one for one in every if one.names[0][1] is None]
        yield "what was removed is gone, what was made is not there", self._found(gone, _whole)
        yield "what was made is there, what was removed too", self._found(made, _whole)
        if every:
            yield "only the last name is there", self._found(every[-1:], _lost)
            yield "only the last name is missing", self._found(every[:-1], _whole)
        for _ in range(draws):
            some = [one for one in every if rng.random() < 0.5]
            yield "some of it, in any order", self._found(some, lambda one: _some(one, rng))

    def _found(self, changes: list[Renaming], content: Callable[[Inode], bytes]) -> Tree:
        names = dict(self._safe)
        for change in changes:
            _follow(names, change)
        found: Tree = {}
        for path in sorted(names):
            inode = self._inodes[names[path]]
            above = str(PurePosixPath(path).parent)
            if path in self._tops() or found.get(above, b"") is None:
                found[path] = None if inode.is_folder else content(inode)
        return found

    def _tops(self) -> set[str]:
        return {path for path, inode in self._safe.items() if inode == 0}


def _follow(names: Names, change: Renaming) -> None:
    for path, inode in change.names:
        if inode is None:
            names.pop(path, None)
        else:
            names[path] = inode


def _put(content: bytearray, at: int, data: bytes) -> None:
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


def _lost(inode: Inode) -> bytes:
    return inode.safe


def _whole(inode: Inode) -> bytes:
    return bytes(inode.content)


def _zeros(inode: Inode) -> bytes:
    """The length reached the disk; what was to be there did not."""
    return inode.safe[: len(inode.content)].ljust(len(inode.content), b"\0")


def _torn(inode: Inode) -> bytes:
    """Half of what was written, the last write cut in its middle."""
    content = bytearray(inode.safe)
    half = (len(inode.unsafe) + 1) // 2
    for number, (at, data) in enumerate(inode.unsafe[:half], start=1):
        if at < 0:
            del content[int(data) :]
        else:
            _put(content, at, data[: len(data) // 2] if number == half else data)
    return bytes(content)


def _some(inode: Inode, rng: random.Random) -> bytes:
    """Some sectors of some writes, in any order."""
    content = bytearray(inode.safe)
    for at, data in rng.sample(inode.unsafe, len(inode.unsafe)):
        kept = rng.random()
        if at < 0:
            if kept < 0.5:
                del content[int(data) :]
            continue
        if kept < 0.3:
            continue
        for begin in range(0, len(data), SECTOR):
            if kept > 0.6 or rng.random() < 0.5:
                _put(content, at + begin, data[begin : begin + SECTOR])
    return bytes(content)
