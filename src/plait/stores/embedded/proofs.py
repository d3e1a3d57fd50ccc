"""Proofs: which files were read and found to be what was written, and not touched since.

A manifest has the SHA-256 of every file of its generation, but an index of a gigabyte cannot be
read before each search. So a file is read once and remembered: by its inode, with the size and the
times it had then. Whoever writes to it afterwards moves a time, and it is read again before
anything is answered from it; so is every file of an index that was copied, and every file a week
after it was last read. Decay that moves no time is seen then, or by a check, which reads all.

Two times matter differently. A write moves both, so a file is believed only if ``mtime`` was
older than the clock's grain when the reading began: a second write within the grain would leave no
trace. Links move ``ctime`` alone; a writer that links files it has just proved says so (``carry``),
or each commit would cost a reading of the word index.

The record is a cache with a digest of its own: losing it costs a reading, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from plait.errors import IndexCorrupt
from plait.private.folders import is_ours
from plait.private.records import read_record, write_record
from plait.stores.embedded.manifest import REBUILD

RECORD = "proofs"
GRAIN_NS = 50_000_000  # of clocks that count parts of a second
COARSE_GRAIN_NS = 2_000_000_000  # of file systems that do not
LIFETIME_NS = 7 * 24 * 3_600 * 1_000_000_000
PIECE_BYTES = 1 << 20

Files = Mapping[str, tuple[int, str]]  # path below the store to (size, SHA-256)


class Proof(NamedTuple):
    """What an inode was when its bytes were read, and what they were."""

    size: int
    mtime_ns: int
    ctime_ns: int
    digest: str
    read_ns: int  # when

    def holds(self, status: os.stat_result, digest: str) -> bool:
        """Whether a file that has this status now has these bytes."""
        return self.ctime_ns == status.st_ctime_ns and self.is_of(status, digest)

    def is_of(self, status: os.stat_result, digest: str) -> bool:
        """The same, for who knows that a change of its links alone has moved ``ctime``."""
        return (self.mtime_ns, self.size, self.digest) == (
            status.st_mtime_ns,
            status.st_size,
            digest,
        )


class Proofs:
    """The proofs of one store.

    Args:
        root: The store.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._is_ours = is_ours(root)  # elsewhere a record may be somebody's forgery
        self._saved = load(root / RECORD) if self._is_ours else {}
        self._proofs = _recent(self._saved) if os.access(root, os.W_OK) else dict(self._saved)

    def prove(self, files: Files) -> dict[str, os.stat_result]:
        """Make sure that files are what was written, reading those that were not proved before.

        Returns:
            The status each has had since before it was proved.

        Raises:
            IndexCorrupt: One is not.
            FileNotFoundError: One is gone; a writer may have collected it.
        """
        suspects, seen = [], {}
        for name, (size, digest) in files.items():
            status = os.stat(f"{self._root}/{name}")  # noqa: PTH116 - a quarter of the method's time
            if status.st_size != size:  # a shorter file would kill us when it is mapped
                raise IndexCorrupt(
                    f"{name} has {status.st_size} bytes, its manifest says {size}", hint=REBUILD
                )
            seen[name] = status
            proof = self._proofs.get(status.st_ino)
            if proof is None or not proof.holds(status, digest):
                suspects.append(name)
        for name in suspects:
            if self.read(name) != files[name]:
                raise IndexCorrupt(f"{name} is not what was written", hint=REBUILD)
        if suspects:
            self.save(keep=[status.st_ino for status in seen.values()])
        return seen

    def confirm(self, name: str, expected: tuple[int, str]) -> None:
        """Make sure that one file in use is what was written, reading it if need be.

        Raises:
            IndexCorrupt: It is not.
            FileNotFoundError: It is gone.
        """
        status = (self._root / name).stat()
        proof = self._proofs.get(status.st_ino)
        is_proved = proof is not None and proof.holds(status, expected[1])
        if not is_proved and self.read(name) != expected:
            raise IndexCorrupt(f"{name} was changed while it was in use", hint=REBUILD)

    def read(self, name: str) -> tuple[int, str]:
        """Size and SHA-256 of a file, remembered if it did not change meanwhile."""
        began_ns = time.time_ns()
        with (self._root / name).open("rb") as file:
            before = os.fstat(file.fileno())
            seen = hashlib.sha256()
            while piece := _piece(file.fileno(), name):
                seen.update(piece)
            after = os.fstat(file.fileno())
        made = Proof(
            after.st_size, after.st_mtime_ns, after.st_ctime_ns, seen.hexdigest(), began_ns
        )
        self._proofs.pop(after.st_ino, None)
        if _times(before) == _times(after) and not is_young(after.st_mtime_ns, began_ns):
            self._proofs[after.st_ino] = made
        return made.size, made.digest

    def carry(self, files: Files) -> None:
        """Take over what a link or its removal did to files proved in this process."""
        kept: set[int] = set()
        for name, (_, digest) in files.items():
            with suppress(FileNotFoundError):
                status = (self._root / name).stat()
                proof = self._proofs.get(status.st_ino)
                if proof is not None and proof.is_of(status, digest):
                    kept.add(status.st_ino)
                    if name.startswith("generations/"):  # what is linked; layers never are
                        self._proofs[status.st_ino] = proof._replace(ctime_ns=status.st_ctime_ns)
        self.save(keep=kept)

    def save(self, keep: Iterable[int]) -> None:
        """Replace the record. Who may not write here reads again next time."""
        kept = {inode: self._proofs[inode] for inode in keep if inode in self._proofs}
        if kept == self._saved or not self._is_ours:
            return
        body = json.dumps(kept, separators=(",", ":")).encode()
        with suppress(OSError):
            write_record(self._root / RECORD, body)
            self._saved = kept


def load(path: Path) -> dict[int, Proof]:
    """The record by inode; empty if there is none that can be believed."""
    try:
        proofs = json.loads(read_record(path))
        return {int(inode): Proof(*values) for inode, values in proofs.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _recent(proofs: Mapping[int, Proof]) -> dict[int, Proof]:
    """Those that need not be made again; only who can remember a new one looks at their age."""
    now_ns = time.time_ns()
    return {n: proof for n, proof in proofs.items() if 0 <= now_ns - proof.read_ns < LIFETIME_NS}


def _piece(descriptor: int, name: str) -> bytes:
    try:
        return os.read(descriptor, PIECE_BYTES)
    except OSError as error:  # a disk that cannot give back what it was given
        raise IndexCorrupt(f"{name} cannot be read: {error.strerror}", hint=REBUILD) from error


def _times(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_young(mtime_ns: int, now_ns: int) -> bool:
    """Whether a file may be written again without its time moving."""
    is_coarse = mtime_ns % 1_000_000_000 == 0
    return mtime_ns + (COARSE_GRAIN_NS if is_coarse else GRAIN_NS) > now_ns
