"""The files every engine searches: a folder that holds what plait indexes and nothing else.

plait leaves out binary, minified and huge files, and transcodes what is not UTF-8. For the
others to search the same bytes they get a folder of hard links to the files plait takes, and
of copies where the bytes differ from those on disk.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from plait.types import Listed, Source, SourceFile


class Linked(NamedTuple):
    """What a tree holds."""

    files: int
    size_bytes: int
    transcoded: int


def files_of(source: Source) -> Iterator[SourceFile]:
    """The files plait takes from a source."""
    for item in source.listing():
        file = source.read(item.path) if isinstance(item, Listed) else item
        if isinstance(file, SourceFile):
            yield file


def link_tree(files: Iterable[SourceFile], root: Path, tree: Path) -> Linked:
    """Put the files, found under a root, into a new tree."""
    count = size = transcoded = 0
    for file in files:
        target, original = tree / file.path, root / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if original.read_bytes() == file.content:
            os.link(original, target)
        else:
            target.write_bytes(file.content)
            transcoded += 1
        count += 1
        size += len(file.content)
    return Linked(count, size, transcoded)
