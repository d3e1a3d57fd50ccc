"""Trouble with a disk, in words."""

from __future__ import annotations

from pathlib import Path


def in_words(error: Exception, place: Path) -> str:
    """Why something could not be written, without the number a system gives it.

    Args:
        error: What was raised.
        place: What was to be written, if the error names nothing.
    """
    if not isinstance(error, OSError):
        return str(error) or "memory is exhausted"
    where = error.filename2 or error.filename or place
    if isinstance(error, PermissionError):
        return f"no permission for {where}"
    reason = error.strerror or str(error) or "it failed"
    return f"{reason[:1].lower()}{reason[1:]}: {where}"
