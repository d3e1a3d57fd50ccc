"""Refs: which commits do a repository's branches and tags name?

They are read as the text files they are, beneath the git directory and through no link, so
that git need not look for them where a repository tells it to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from plait.beneath import RELATIVE_OPEN, open_folder
from plait.sources.git_config import text_beneath

REF_BYTES = 1 << 10
PACKED_BYTES = 1 << 26
LOOSE_REFS = 20_000  # a repository that has more has packed them
DEPTH = 32  # folders below refs, and names that name names
ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
NAME = re.compile(r"refs/(?!.*(?:\.\.|@\{|//|/\.|\.lock(?:/|$)|[/.]$))[^\0-\x20~^:?*\[\\\x7f]+")
PACKED = re.compile(r"^([0-9a-f]{40,64}) (refs/.+)$", re.MULTILINE)
SYMBOLIC = "ref:"


def read_head(own: Path) -> str:
    """What HEAD says, an id or ``ref: name``; "" if it says nothing that could be meant."""
    words = text_beneath(own, "HEAD", REF_BYTES).strip()
    name = words.removeprefix(SYMBOLIC).strip()
    if words.startswith(SYMBOLIC):
        return f"ref: {name}" if NAME.fullmatch(name) else ""
    return words if ID.fullmatch(words) else ""


def read_refs(common: Path) -> dict[str, str]:
    """Every name with the id it stands for; a name that leads nowhere is left out."""
    found = {
        name: id_ for id_, name in PACKED.findall(text_beneath(common, "packed-refs", PACKED_BYTES))
    }
    found |= dict(_loose(common))
    return {name: id_ for name in found if NAME.fullmatch(name) and (id_ := _followed(name, found))}


def _followed(name: str, found: dict[str, str]) -> str:
    value = found[name]
    for _ in range(DEPTH):
        if not value.startswith(SYMBOLIC):
            break
        value = found.get(value.removeprefix(SYMBOLIC).strip(), "")
    return value if ID.fullmatch(value) else ""


def _loose(common: Path) -> Iterator[tuple[str, str]]:
    pending = ["refs"]
    left = LOOSE_REFS
    while pending and left > 0:
        folder = pending.pop()
        folders, files = listed(common, folder)
        if folder.count("/") + 1 < DEPTH:
            pending += folders
        for name in files:
            left -= 1
            yield name, text_beneath(common, name, REF_BYTES).strip()


def listed(common: Path, folder: str) -> tuple[list[str], list[str]]:
    """Folders and files of a folder of refs, by their names below the git directory; links and
    what is reached through one are left out."""
    folders: list[str] = []
    files: list[str] = []
    try:
        place: int | Path = common / folder
        if RELATIVE_OPEN:
            place = open_folder(common, folder.split("/"))
        elif (common / folder).is_symlink():
            return [], []
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    kinds = ((entry.is_dir, folders), (entry.is_file, files))
                    for is_kind, found in kinds:
                        if is_kind(follow_symlinks=False):
                            found.append(f"{folder}/{entry.name}")
        finally:
            if isinstance(place, int):
                os.close(place)
    except OSError:
        pass  # gone, or not ours to read
    return folders, files
