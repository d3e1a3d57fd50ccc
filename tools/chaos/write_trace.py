"""What a program did to the files below a folder, told by strace: every write with its bytes.

The engine of the word index is native code, so nothing inside Python would see all of it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

CALLS = (
    "openat,open,creat,write,pwrite64,writev,pwritev,lseek,ftruncate,truncate,rename,renameat,"
    "renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,sync,syncfs,"
    "sync_file_range,msync,mmap,copy_file_range,sendfile,fallocate,symlink,symlinkat"
)
MOST_BYTES = 1 << 28  # of one write
LINE = re.compile(r"^(\d+) +(.*)$", re.DOTALL)
UNFINISHED = " <unfinished ...>"
RESUMED = re.compile(r"^<\.\.\. \w+ resumed>(.*)$", re.DOTALL)
CALL = re.compile(r"^(\w+)\((.*)\) += (-?\d+|\?|0x[0-9a-f]+)(?:<(.*)>)?(?: .*)?$", re.DOTALL)
ARGUMENT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?|([^,"]+)')
DESCRIPTOR = re.compile(r"^(-?\d+|AT_FDCWD)(?:<(.*)>)?$")


class Operation(NamedTuple):
    """One change of files, or a wait for the disk."""

    name: str  # make, write, cut, link, rename, unlink, folder, no folder, sync
    path: str
    offset: int = 0
    data: bytes = b""
    to: str = ""


def record(command: Sequence[str], trace: Path, folder: Path) -> None:
    """Run a command and write down what it does to files.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    options = ["-f", "-y", "-xx", "-s", str(MOST_BYTES), "--seccomp-bpf", "-e", f"trace={CALLS}"]
    subprocess.run(["strace", *options, "-o", str(trace), *command], cwd=folder, check=True)


def operations(trace: Path, below: Sequence[Path]) -> Iterator[Operation]:
    """The operations on files below some folders, in order.

    Raises:
        ValueError: Something was done to them that this file does not know.
    """
    reader = _Reader(tuple(str(path) for path in below))
    for _, call in calls(trace):
        yield from reader.read(call)


def calls(trace: Path) -> Iterator[tuple[str, re.Match[str]]]:
    """Every call of a trace with its thread, those that strace tells in two lines put together."""
    begun: dict[str, str] = {}
    with trace.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = LINE.match(line.rstrip("\n"))
            if found is None:
                continue
            thread, text = found.groups()
            if text.endswith(UNFINISHED):
                begun[thread] = text.removesuffix(UNFINISHED)
                continue
            if resumed := RESUMED.match(text):
                text = begun.pop(thread, "") + resumed.group(1)
            if call := CALL.match(text):
                yield thread, call


def _text(escaped: str) -> str:
    return _raw(escaped).decode("utf-8", "surrogateescape")


def _raw(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))


class _Reader:
    def __init__(self, below: tuple[str, ...]) -> None:
        self._below = below
        self._places: dict[tuple[str, str], int] = {}  # descriptor and path to offset
        self._sizes: dict[str, int] = {}
        self._appends: set[tuple[str, str]] = set()

    def read(self, call: re.Match[str]) -> Iterator[Operation]:
        name, told, result, opened = call.groups()
        if result.startswith("-") or result == "?":
            return
        arguments = [
            _raw(quoted) if quoted or not other else other.strip()
            for quoted, _, other in ARGUMENT.findall(told)
            if quoted or other.strip() or not other
        ]
        yield from self._one(name, arguments, result, _text(opened) if opened else "")

    def _one(
        self, name: str, given: list[bytes | str], result: str, opened: str
    ) -> Iterator[Operation]:
        if name in ("openat", "open", "creat"):
            yield from self._open(given, result, opened, is_new=name == "creat")
        elif name in ("rename", "renameat", "renameat2", "link", "linkat"):
            paths = self._paths(given)
            if any(self._is_ours(path) for path in paths):
                kind = "rename" if name.startswith("rename") else "link"
                yield Operation(kind, paths[0], to=paths[1])
        elif name in ("unlink", "unlinkat", "mkdir", "mkdirat", "rmdir"):
            (path, *_) = self._paths(given)
            if self._is_ours(path):
                is_folder = name == "rmdir" or "AT_REMOVEDIR" in given
                kind = "no folder" if is_folder else "unlink"
                yield Operation("folder" if name.startswith("mkdir") else kind, path)
        elif name in ("symlink", "symlinkat", "truncate"):
            if any(self._is_ours(path) for path in self._paths(given)):
                raise ValueError(f"{name} of {given}")
        elif name == "mmap":
            if "MAP_SHARED" in str(given[3]) and "PROT_WRITE" in str(given[2]):
                self._refuse(name, given[4])
        elif name not in ("sync", "syncfs", "msync"):
            yield from self._descriptor(name, given, int(result))

    def _descriptor(self, name: str, given: list[bytes | str], result: int) -> Iterator[Operation]:
        number, path = self._file(given[0])
        if name in ("sendfile", "copy_file_range"):
            out = given[0] if name == "sendfile" else given[2]
            if self._is_ours(self._file(out)[1]):
                yield from self._copied(name, given, result)
            return
        if not self._is_ours(path):
            return
        key = (number, path)
        if name in ("fsync", "fdatasync"):
            yield Operation("sync", path)
        elif name == "lseek":
            self._places[key] = result
        elif name in ("write", "pwrite64"):
            data = given[1]
            assert isinstance(data, bytes)
            assert len(data) >= result, f"{len(data)} of {result} bytes of {path} were told"
            at = self._places.get(key, 0) if name == "write" else int(str(given[3]))
            if key in self._appends:
                at = self._sizes.get(path, 0)
            yield self._write(key, at, data[:result], moves=name == "write")
        elif name == "ftruncate":
            self._sizes[path] = int(str(given[1]))
            yield Operation("cut", path, int(str(given[1])))
        else:
            self._refuse(name, given[0])

    def _copied(self, name: str, given: list[bytes | str], result: int) -> Iterator[Operation]:
        """Bytes that one file gave another, inside the kernel."""
        source = given[1] if name == "sendfile" else given[0]
        target = given[0] if name == "sendfile" else given[2]
        number, path = self._file(target)
        at = self._places.get((number, path), 0)
        if result:
            self._places[number, path] = at + result
            self._sizes[path] = max(self._sizes.get(path, 0), at + result)
            yield Operation("copy", path, at, str(result).encode(), to=self._file(source)[1])

    def _open(
        self, given: list[bytes | str], result: str, opened: str, *, is_new: bool
    ) -> Iterator[Operation]:
        flags = next((str(one) for one in given if str(one).startswith("O_")), "")
        path = opened.removesuffix("(deleted)").rstrip()
        key = (result, path)
        self._places[key] = 0
        self._appends.discard(key)
        if not self._is_ours(path) or not (is_new or re.search("O_WRONLY|O_RDWR", flags)):
            return
        if "O_APPEND" in flags:
            self._appends.add(key)
        if is_new or "O_CREAT" in flags:
            yield Operation("make", path)
        if is_new or "O_TRUNC" in flags:
            self._sizes[path] = 0
            yield Operation("cut", path, 0)

    def _write(self, key: tuple[str, str], at: int, data: bytes, *, moves: bool) -> Operation:
        if moves:
            self._places[key] = at + len(data)
        self._sizes[key[1]] = max(self._sizes.get(key[1], 0), at + len(data))
        return Operation("write", key[1], at, data)

    def _paths(self, given: list[bytes | str]) -> list[str]:
        """The full paths a call names."""
        found, folder = [], ""
        for one in given:
            if isinstance(one, bytes):
                found.append(str(Path(folder, one.decode("utf-8", "surrogateescape"))))
                folder = ""
            elif match := DESCRIPTOR.match(one):
                folder = _text(match.group(2) or "")
        return found

    def _file(self, given: bytes | str) -> tuple[str, str]:
        match = DESCRIPTOR.match(str(given))
        if match is None:
            return "", ""
        return match.group(1), _text(match.group(2) or "") if "\\x" in (
            match.group(2) or ""
        ) else ""

    def _is_ours(self, path: str) -> bool:
        return any(path == one or path.startswith(f"{one}/") for one in self._below)

    def _refuse(self, name: str, given: bytes | str) -> None:
        path = self._file(given)[1]
        if self._is_ours(path):
            raise ValueError(f"{name} of {path}: this cannot be replayed")
