"""The way down: open folders from a root to where a walk is.

A walk that opened every folder from the root anew would take quadratic time in a tree that is
deep. This keeps a descriptor of each folder on the way, and opens a folder relative to the one
it lies in: one call, no path is ever opened whole, and no link is followed.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from plait.beneath import FOLDER, RELATIVE_OPEN, Refused


class Descent:
    """Descriptors along one path. Folders must be entered depth first, parents before children.

    Where folders cannot be opened relative to one another (Windows) there are none; a folder
    is then scanned by its path, if that leads through no link.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: list[tuple[str, int]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while self._open:
            os.close(self._open.pop()[1])

    def enter(self, path: str) -> int | str:
        """What ``os.scandir`` takes for a folder: "" is the root.

        Raises:
            OSError: The folder cannot be opened.
            Refused: It is reached through a link, or its parent was not entered before it.
        """
        if not RELATIVE_OPEN:
            where = str(self._root / path)
            if os.path.realpath(where) != where:
                raise Refused("symlink", "links are not followed")
            return where
        depth = path.count("/") + 1 if path else 0
        while len(self._open) > depth:
            os.close(self._open.pop()[1])
        if not path:
            folder = os.open(self._root, FOLDER)
        else:
            parent, _, name = path.rpartition("/")
            if not self._open or self._open[-1][0] != parent:
                raise Refused("missing", "the folder around it is gone")
            folder = os.open(name, FOLDER, dir_fd=self._open[-1][1])
        self._open.append((path, folder))
        return folder
