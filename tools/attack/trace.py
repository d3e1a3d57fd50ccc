"""What a process did, read from the files ``strace -ff -y`` writes: one call, one value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EXECUTES = ("execve", "execveat")
CONNECTS = ("connect", "sendto", "sendmsg", "bind")
OPENS = ("open", "openat", "openat2", "creat")
CHANGES = (
    *("unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat", "symlink"),
    *("symlinkat", "mkdir", "mkdirat", "rmdir", "chmod", "fchmod", "fchmodat", "truncate"),
    *("mknod", "mknodat", "chown", "fchown", "lchown", "fchownat"),
)
TRACED = ",".join((*EXECUTES, *CONNECTS, *OPENS, *CHANGES))
WRITING = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND")

_CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)(?:<(.*)>)?(.*)$", re.DOTALL)
_STRING = r'"((?:[^"\\]|\\.)*)"'
_FOLDER_AND_NAME = re.compile(rf"(?:(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>, )?{_STRING}")
_HANDLE = re.compile(r"^\d+<((?:[^>\\]|\\.)*)>")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-f]{2}|.)")
_PLAIN = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a"}


@dataclass(frozen=True, slots=True)
class Call:
    """One call that succeeded, or was tried if trying is what counts."""

    name: str
    paths: tuple[str, ...]  # absolute where the call or strace says so
    text: str  # all of its arguments
    result: int  # below zero if it failed
    opened: str = ""  # what an open really gave, links followed

    @property
    def writes(self) -> bool:
        """Whether an open may change what it opens."""
        return self.name == "creat" or any(flag in self.text for flag in WRITING)

    @property
    def strings(self) -> tuple[str, ...]:
        """Every string among the arguments."""
        return tuple(unescaped(found) for found in re.findall(_STRING, self.text))


def unescaped(text: str) -> str:
    """A name as it is, of what strace printed."""

    def plain(found: re.Match[bytes]) -> bytes:
        code = found[1]
        if code[:1] == b"x":
            return bytes([int(code[1:], 16)])
        if code[:1].isdigit():
            return bytes([int(code, 8)])
        return _PLAIN.get(code, code)

    raw = text.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(plain, raw).decode("utf-8", "surrogateescape")


def read_calls(files: list[Path]) -> Iterator[Call]:
    """Every call of some processes."""
    for file in files:
        for line in file.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            call = parsed(line)
            if call is not None:
                yield call


def parsed(line: str) -> Call | None:
    """One line of a trace; None if it is not a whole call."""
    found = _CALL.match(line)
    if found is None or not found[3].lstrip("-").isdigit():
        return None
    name, arguments, result, opened, _ = found.groups()
    paths = []
    if name in EXECUTES or name in OPENS or name in CHANGES:
        for folder, inner in _FOLDER_AND_NAME.findall(arguments):
            path = unescaped(inner)
            paths.append(
                path if path.startswith("/") or not folder else f"{unescaped(folder)}/{path}"
            )
            if name in EXECUTES or name in OPENS:
                break
        handle = _HANDLE.match(arguments)
        if handle and not paths:
            paths.append(unescaped(handle[1]))
    return Call(name, tuple(paths), arguments, int(result), unescaped(opened or ""))
