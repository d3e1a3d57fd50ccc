"""Damage to files: what disks, copies, crashes and stray writers do to them."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

BLOCK = 4096
OLD_S = 3_600


def _bit(content: bytearray, rng: random.Random) -> str:
    at = rng.randrange(len(content))
    content[at] ^= 1 << rng.randrange(8)
    return f"a bit of byte {at}"


def _bytes(content: bytearray, rng: random.Random) -> str:
    places = [rng.randrange(len(content)) for _ in range(rng.randint(1, 8))]
    for at in places:
        content[at] = (content[at] + rng.randrange(1, 256)) % 256
    return f"{len(places)} bytes, the first at {places[0]}"


def _zeros(content: bytearray, rng: random.Random) -> str:
    at = rng.randrange(len(content))
    size = min(rng.randint(1, BLOCK), len(content) - at)
    content[at : at + size] = bytes(size)
    return f"{size} zeros at {at}"


def _moved(content: bytearray, rng: random.Random) -> str:
    """A block of the file, written to the wrong place of it."""
    size = min(rng.randint(1, BLOCK), len(content))
    start, end = (rng.randrange(len(content) - size + 1) for _ in range(2))
    content[end : end + size] = content[start : start + size]
    return f"{size} bytes of {start} at {end}"


def _cut(content: bytearray, rng: random.Random) -> str:
    at = rng.randrange(len(content))
    del content[at:]
    return f"cut to {at} bytes"


def _appended(content: bytearray, rng: random.Random) -> str:
    added = rng.randbytes(rng.randint(1, 64)) if rng.random() < 0.5 else bytes(rng.randint(1, 64))
    content += added
    return f"{len(added)} bytes more"


CONTENTS: dict[str, Callable[[bytearray, random.Random], str]] = {
    "bit": _bit,
    "bytes": _bytes,
    "zeros": _zeros,
    "block moved": _moved,
    "cut": _cut,
    "appended": _appended,
}
DAMAGES = (*CONTENTS, "removed", "swapped", "of another file")


def damage(path: Path, kind: str, others: Sequence[Path], rng: random.Random) -> str:
    """Damage a file; what was done, in words. ``others`` are files it may be mistaken for."""
    before = path.stat()
    if kind == "removed":
        path.unlink()
        return "removed"
    if kind in ("swapped", "of another file"):
        other = rng.choice([one for one in others if one != path])
        if kind == "swapped":
            aside = path.with_name("aside")
            path.rename(aside)
            other.rename(path)
            aside.rename(other)
        else:
            shutil.copyfile(other, path)
        return f"{kind}: {other.name}"
    content = bytearray(path.read_bytes())
    if not content:
        content += rng.randbytes(1)
        done = "one byte where there was none"
    else:
        done = CONTENTS[kind](content, rng)
    if rng.random() < 0.5:
        with path.open("r+b") as file:  # as a stray writer does
            file.write(content)
            file.truncate()
        done += ", in place"
    else:
        aside = path.with_name("aside")  # as a copy does
        aside.write_bytes(content)
        aside.replace(path)
        done += ", as a new file"
    if rng.random() < 0.25:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        done += ", time put back"
    return f"{done} of {before.st_size}"


class Sound:
    """A folder as it was, to be put right after each damage.

    Args:
        folder: What will be damaged.
        copy: Where its files are kept meanwhile.
        loose: Names of files that may change.
    """

    def __init__(self, folder: Path, copy: Path, loose: Sequence[str] = ()) -> None:
        self.folder = folder
        self._copy = copy
        self._loose = loose
        shutil.copytree(folder, copy, symlinks=True)
        self._names = [path.relative_to(folder) for path in self.files()]
        self._seen = {name: self._identity(name) for name in self._names}

    def files(self) -> list[Path]:
        """Every file that is there now, links aside."""
        found = (Path(at, name) for at, _, names in os.walk(self.folder) for name in names)
        return sorted(path for path in found if not path.is_symlink())

    def restore(self) -> None:
        """Undo whatever was done. What is written is old enough to be believed once it is read."""
        for path in self.files():
            if path.relative_to(self.folder) not in self._seen and path.name not in self._loose:
                path.unlink()
        for name in self._names:
            if self._identity(name) == self._seen[name] or name.name in self._loose:
                continue
            path = self.folder / name
            path.unlink(missing_ok=True)
            shutil.copyfile(self._copy / name, path)
            path.chmod(0o600)
            now = path.stat().st_mtime
            os.utime(path, (now - OLD_S, now - OLD_S))
            self._seen[name] = self._identity(name)

    def _identity(self, name: Path) -> tuple[int, ...]:
        try:
            status = (self.folder / name).stat()
        except FileNotFoundError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
