"""Owner: which tree is an index of?

The name of its folder says so, and a folder can be renamed, copied or exchanged with another. So
a record in it says so, too. One that is missing or damaged says nothing: the next commit writes it.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from plait.errors import IndexCorrupt
from plait.private.records import read_record, write_record

OWNER = "owner"


def check_owner(root: Path, owner: str) -> None:
    """Refuse an index that says it is of another tree.

    Args:
        root: The folder of the store.
        owner: What names the tree; "" for any.

    Raises:
        IndexCorrupt: It is another's.
    """
    said = _said(root)
    if owner and said and said != _digest(owner):
        raise IndexCorrupt(
            f"the index in {root} is that of another tree", hint="plait index PATH rebuilds it"
        )


def keep_owner(root: Path, owner: str) -> None:
    """Write down whose a published generation is; the one before it may have been another's.

    Who cannot write it leaves an index that says nothing.
    """
    if owner and _said(root) != _digest(owner):
        with suppress(OSError):
            write_record(root / OWNER, _digest(owner))


def _said(root: Path) -> bytes:
    with suppress(OSError, ValueError):
        return read_record(root / OWNER)
    return b""


def _digest(owner: str) -> bytes:
    return hashlib.sha256(owner.encode("utf-8", "surrogateescape")).hexdigest().encode("ascii")
