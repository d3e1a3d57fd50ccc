"""Names a dataset gives that become names of files and folders.

A dataset may come from anyone. What it calls a repository must not decide where an index is
written or which file is opened, so only a plain name is taken: one entry of a folder.
"""

from __future__ import annotations

from pathlib import Path

from plait.beneath import is_plain
from plait.errors import EvaluationError

NAME_BYTES = 200  # most file systems take 255, and a suffix may follow


def plain_name(name: object, said_by: Path) -> str:
    """A name as it was given, if it can be the name of a file or folder.

    Raises:
        EvaluationError: It leads elsewhere, is no text, is too long, or cannot be printed.
    """
    if not (isinstance(name, str) and is_usable(name)):
        raise EvaluationError(
            f"{said_by} gives a name that is none: {ascii(name)[:60]}",
            hint="a name becomes a folder's: no '/', no '..', no signs that cannot be printed",
        )
    return name


def is_usable(name: str) -> bool:
    """Whether a text is a plain name that can be printed and is not too long."""
    return is_plain(name) and name.isprintable() and len(name.encode()) <= NAME_BYTES
