"""Place: a path, taken apart once for all rules."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Where a file is, and what it is called."""

    path: str
    folders: tuple[str, ...]  # as they are written
    lowered: tuple[str, ...]  # in lower case
    name: str
    stem: str  # the name without its last suffix
    suffix: str  # in lower case, without the dot; "" if there is none

    @classmethod
    def of(cls, path: str) -> Place:
        """Take a path with forward slashes apart."""
        *folders, name = path.split("/")
        stem, dot, suffix = name.rpartition(".")
        if not dot or not stem:
            stem, suffix = name, ""
        lowered = tuple(path.lower().split("/")[:-1])
        return cls(path, tuple(folders), lowered, name, stem, suffix.lower())
