"""Paths: how well a path that was typed meets the path of a file."""

from __future__ import annotations

import re

from plait.search.shape.written import URL, without_place

SLASHES = re.compile(r"[\\/]+")
ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://[^/]*/(?:.*/(?:blob|tree|raw|src)/[^/]+/)?", re.IGNORECASE
)
FOLDER = 0.5  # for a file of the folder that was typed


def path_met(typed: str, path: str) -> float:
    """1 for the file that was typed, whole or by the end of its path or of what was typed;
    less for a file below a folder of that name; 0 otherwise.

    Args:
        typed: A path, perhaps with a line, an address or another machine's folders before it.
        path: The path of a file, with forward slashes.
    """
    wanted = _parts(typed)
    parts = [part for part in path.lower().split("/") if part]
    if not wanted or not parts:
        return 0.0
    shared = min(len(wanted), len(parts))
    if wanted[-shared:] == parts[-shared:]:
        return 1.0
    places = range(len(parts) - len(wanted))
    return FOLDER if any(parts[at : at + len(wanted)] == wanted for at in places) else 0.0


def _parts(typed: str) -> list[str]:
    text = typed.strip()
    if URL.fullmatch(text):
        text = ADDRESS.sub("", text)
    pieces = SLASHES.split(without_place(text).lower())
    return [piece for piece in pieces if piece not in ("", ".", "..", "~")]
