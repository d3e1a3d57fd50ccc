"""Kept: what a clustering was, so that the next one begins where it ended.

Centres, names, and the files they were made of. Assigning a chunk to its nearest centre needs
nothing else, so as long as the centres are kept, a chunk whose text is the same stays in its
group. The record is a cache: losing it costs a clustering.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plait.private.folders import PrivateFolder
from plait.private.records import read_record, write_record

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERSION = 1
MAX_RECORDS = 16  # of one index; a record is made for each folder, model and choice asked for

Files = Mapping[bytes, int]  # a file as it was, to how many of its chunks were grouped
STATE_BYTES = 16


def state_of(repo: str, path: str, digest: str) -> bytes:
    """A file at one state of its content."""
    said = f"{repo}\0{path}\0{digest}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=STATE_BYTES).digest()


@dataclass(frozen=True, slots=True)
class Record:
    """Groups as they were made."""

    centres: NDArray[Any]
    names: tuple[tuple[str, ...], ...]  # one for each centre
    files: Files

    def changed(self, files: Files) -> float:
        """The share of chunks that are in files which came, went or changed since."""
        stayed = sum(min(count, files[key]) for key, count in self.files.items() if key in files)
        most = max(sum(self.files.values()), sum(files.values()))
        return 1 - stayed / most if most else 0.0


def record_path(folder: Path, *key: object) -> Path:
    """Where the record of a clustering is kept: one file for all that it depends on."""
    said = "\0".join(str(part) for part in (VERSION, *key)).encode("utf-8", "surrogatepass")
    return folder / f"{hashlib.sha256(said).hexdigest()[:24]}.npz"


def load_record(path: Path) -> Record | None:
    """A record; none if there is none that can be used."""
    import numpy

    try:
        with numpy.load(BytesIO(read_record(path)), allow_pickle=False) as found:
            centres = found["centres"]
            names = tuple(tuple(row) for row in json.loads(bytes(found["names"])))
            states, counts = bytes(found["states"]), found["counts"].tolist()
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None
    if centres.ndim != 2 or len(names) != len(centres):
        return None
    cut = range(0, len(states), STATE_BYTES)
    keys = [states[begin : begin + STATE_BYTES] for begin in cut]
    return Record(centres, names, dict(zip(keys, counts, strict=False)))


def save_record(path: Path, record: Record) -> None:
    """Replace a record; a reader sees the old one or the new one.

    Raises:
        StoreUnsafe: Others could change what is kept there.
        OSError: It cannot be written.
    """
    import numpy

    PrivateFolder(path.parent, path.parents[1]).make()  # of an index that is no link
    content = BytesIO()
    numpy.savez(
        content,
        centres=record.centres.astype("<f4"),
        names=_bytes(json.dumps(record.names).encode()),
        states=_bytes(b"".join(record.files)),
        counts=numpy.array(list(record.files.values()), dtype="<u4"),
    )
    write_record(path, content.getvalue())
    _forget_oldest(path.parent.glob("*.npz"))


def _bytes(text: bytes) -> NDArray[Any]:
    import numpy

    return numpy.frombuffer(text, dtype="u1")


def _forget_oldest(paths: Iterable[Path]) -> None:
    dated = []
    for path in paths:
        try:
            dated.append((path.stat().st_mtime, path))
        except FileNotFoundError:  # another process was faster
            continue
    for _, path in sorted(dated)[:-MAX_RECORDS]:
        path.unlink(missing_ok=True)
