"""Paths: the folders and the file of a path as people type or paste it."""

from __future__ import annotations

import re

from plait.search.shape.written import URL, without_place

SLASHES = re.compile(r"[\\/]+")
ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://[^/]*/(?:.*/(?:blob|tree|raw|src)/[^/]+/)?", re.IGNORECASE
)


def typed_parts(typed: str) -> tuple[str, ...]:
    """The folders and the file of a path, lower-cased, without line, host or drive before it.

    Args:
        typed: A path, perhaps with a line, an address or another machine's folders before it.
    """
    text = typed.strip()
    if URL.fullmatch(text):
        text = ADDRESS.sub("", text)
    pieces = SLASHES.split(without_place(text).lower())
    return tuple(piece for piece in pieces if piece not in ("", ".", "..", "~"))
