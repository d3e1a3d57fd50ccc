"""Paths meant to lead out of a tree, or to be taken for others: made from a seed."""

from __future__ import annotations

import os
import random
import unicodedata
from collections import Counter
from pathlib import Path

from tools.attack.names import every

CODE = b"def planted_%d():\n    return %d\n"
SUFFIXES = (b".py", b".go", b".md", b".txt", b".json", b"", b".PY", b".py ")
PASSWORDS = "/etc/passwd"
OUTSIDE = (
    *(
        "{victim}",
        "{victim}/secret",
        "{victim}/src/private.py",
        "/",
        "/etc",
        PASSWORDS,
        "/proc",
    ),
    *(f"/proc/self/{name}" for name in ("environ", f"root{PASSWORDS}", "cwd/..")),
    *("/dev/zero", ".."),
    *("../..", "../../victim/secret", "../../../../../../../../etc/passwd", "/dev/stdin"),
)
INSIDE = ("", ".", "./.", "nowhere", "x" * 200, "good_neighbour.py", "../{tree}/good_neighbour.py")
KINDS = (
    *(("file", 46), ("folder", 8), ("link out", 18), ("link in", 8), ("link to a link", 5)),
    *(("hard link", 5), ("other case", 4), ("other form", 4), ("fifo", 1), ("hidden", 1)),
)
MAX_NAME_BYTES, MAX_DEPTH = 240, 12


class Grower:
    """Makes hostile paths beneath a tree; counts them by kind."""

    def __init__(self, tree: Path, victim: Path, seed: int) -> None:
        self._rng = random.Random(seed)
        self._names = list(every().values())
        self._places = {"tree": tree.name, "victim": str(victim)}
        self._folders = [os.fsencode(tree)]
        self._files: list[bytes] = []
        self._links: list[bytes] = []
        self.made: Counter[str] = Counter()

    def grow(self, count: int) -> None:
        """Make so many."""
        kinds, weights = zip(*KINDS, strict=True)
        total = 0
        while total < count:
            kind = self._rng.choices(kinds, weights)[0]
            try:
                self._make(kind)
            except (OSError, ValueError):
                continue  # the file system has no such name, or has it already
            self.made[kind] += 1
            total += 1

    def _make(self, kind: str) -> None:
        folder = self._rng.choice(self._folders)
        path = folder + b"/" + self._name()
        if kind == "folder":
            os.mkdir(path)  # noqa: PTH102 - a name of bytes
            if path.count(b"/") - self._folders[0].count(b"/") < MAX_DEPTH:
                self._folders.append(path)
        elif kind in ("link out", "link in", "link to a link"):
            self._link(kind, path)
        elif kind == "hard link":
            os.link(self._rng.choice(self._files or [b""]), path)
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind in ("other case", "other form"):
            self._write(_twin(kind, self._rng.choice(self._files or [b""])))
        else:
            hidden = b"." if kind == "hidden" else b""
            self._write(folder + b"/" + hidden + self._name() + self._rng.choice(SUFFIXES))

    def _link(self, kind: str, path: bytes) -> None:
        if kind == "link to a link":
            target = self._rng.choice(self._links or [b""])
        else:
            text = self._rng.choice(OUTSIDE if kind == "link out" else INSIDE)
            target = os.fsencode(text.format(**self._places))
        os.symlink(target, path)  # noqa: PTH211 - a name of bytes
        self._links.append(path)

    def _write(self, path: bytes) -> None:
        number = len(self._files)
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        os.write(handle, CODE % (number, number))
        os.close(handle)
        self._files.append(path)

    def _name(self) -> bytes:
        """A known hostile name, or random bytes or characters, with a number to tell it apart."""
        rng = self._rng
        choice = rng.random()
        if choice < 0.5:
            name = rng.choice(self._names)
        elif choice < 0.75:
            name = bytes(rng.randrange(1, 256) for _ in range(rng.randrange(1, 24)))
        else:
            codes = (rng.choice((0x7F, 0x2FF, 0x20FF, 0x1FFFF)) for _ in range(rng.randrange(1, 9)))
            text = "".join(chr(rng.randrange(1, most)) for most in codes)
            name = text.encode("utf-8", "surrogatepass")
        name = name.replace(b"/", b"_") + b"%x" % rng.randrange(1 << 20)
        return name[-MAX_NAME_BYTES:]


def _twin(kind: str, path: bytes) -> bytes:
    """A name that a file system without case, or with one form of characters, takes for a path."""
    folder, _, name = path.rpartition(b"/")
    text = os.fsdecode(name)
    if kind == "other case":
        return folder + b"/" + os.fsencode(text.swapcase())
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        other = unicodedata.normalize(form, text)
        if other != text:
            return folder + b"/" + os.fsencode(other.replace("/", "_"))
    raise ValueError("it has one form only")
