"""Paths: how well a path that was typed meets the path of a file."""

from __future__ import annotations

from collections.abc import Sequence

FOLDER = 0.5  # for a file of the folder that was typed


def path_met(typed: Sequence[str], path: str) -> float:
    """1 for the file that was typed, whole or by the end of its path or of what was typed;
    less for a file below a folder of that name; 0 otherwise.

    Args:
        typed: Folders and file, lower-cased, perhaps with another machine's folders before them.
        path: The path of a file, with forward slashes.
    """
    wanted, parts = list(typed), [part for part in path.lower().split("/") if part]
    if not wanted or not parts:
        return 0.0
    shared = min(len(wanted), len(parts))
    if wanted[-shared:] == parts[-shared:]:
        return 1.0
    places = range(len(parts) - len(wanted))
    return FOLDER if any(parts[at : at + len(wanted)] == wanted for at in places) else 0.0
