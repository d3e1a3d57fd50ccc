"""Records: small files of ours that are caches, believed only if they are what was written.

A record begins with the SHA-256 of its own name and of all that follows, so that one that was
damaged, cut or put in the place of another is told from a sound one. It is replaced as a whole.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from plait.private import files

DIGEST_BYTES = 32


class RecordDamaged(ValueError):
    """What has a record's name is not what was written under that name."""


def read_record(path: Path) -> bytes:
    """What was written.

    Raises:
        RecordDamaged: Something else is there.
        OSError: There is none, or it cannot be read.
    """
    raw = files.read(path)
    digest, content = raw[:DIGEST_BYTES], raw[DIGEST_BYTES:]
    if _digest(path, content) != digest:
        raise RecordDamaged(f"{path} is not what was written")
    return content


def write_record(path: Path, content: bytes) -> None:
    """Replace a record: a reader sees the old one or the new one.

    Raises:
        OSError: It cannot be written.
    """
    files.replace_with(path, _digest(path, content) + content)


def _digest(path: Path, content: bytes) -> bytes:
    name = path.name.encode("utf-8", "surrogatepass")
    return hashlib.sha256(name + b"\0" + content).digest()
