"""Reasons: why some files are in the index as plain text, kept for whoever asks later.

Kept beside the stamps of a source, and a cache like them: losing it costs the words, and
nothing in the index depends on it. There is a record only where there is something to say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from plait.errors import StoreUnwritable
from plait.private import files
from plait.private.folders import PrivateFolder, make_folder


def load_reasons(stamps_path: Path) -> dict[str, str]:
    """Path to reason; empty if there is no usable record."""
    try:
        record = json.loads(files.read(_beside(stamps_path)))
        return {str(path): str(why) for path, why in record.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def keep_reasons(
    stamps_path: Path, reasons: Mapping[str, str], private: PrivateFolder | None
) -> None:
    """Replace the record; where that cannot be done, the run itself has said it."""
    path = _beside(stamps_path)
    if not reasons and not path.exists():
        return
    with suppress(OSError, StoreUnwritable):
        (private or PrivateFolder(path.parent)).make()
        make_folder(path.parent)
        if reasons:
            files.replace_with(path, json.dumps(reasons).encode())
        else:
            files.remove(path)


def _beside(stamps_path: Path) -> Path:
    return stamps_path.with_name(f"{stamps_path.stem}-text.json")
