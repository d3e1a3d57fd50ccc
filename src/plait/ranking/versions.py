"""Versions: which files a newer version stands beside.

Libraries keep an old interface in a folder of its own: ``src/v3`` beside ``v4``, ``v1`` within
what is version 2. Who asks how something works means the newest, unless a version is named.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

VERSION = re.compile(r"(?:^|/)v(\d+)(?=/)")


def superseded(paths: Sequence[str], words: Iterable[str]) -> list[bool]:
    """Whether each of these files is of an older version than another of them.

    Args:
        paths: Files that were found.
        words: Of the question; a version that is among them is not old.
    """
    found = [VERSION.search(path) for path in paths]
    if not any(found):
        return [False] * len(paths)
    newest: dict[str, int] = defaultdict(int)
    for path, version in zip(paths, found, strict=True):
        if version:
            parent = path[: version.start()]
            newest[parent] = max(newest[parent], int(version[1]))
    known, named = set(paths), {word.lower() for word in words}

    def is_old(path: str, version: re.Match[str] | None) -> bool:
        if version is None or f"v{version[1]}" in named:
            return False
        is_older = int(version[1]) < newest[path[: version.start()]]
        return is_older or _without(path, version) in known

    return list(map(is_old, paths, found))


def _without(path: str, version: re.Match[str]) -> str:
    """The path that a file would have without its version."""
    return (path[: version.start()] + path[version.end() :]).lstrip("/")
