"""Trees: what a part's source holds, written out for ripgrep to search.

Not a checkout: only the files the source lists and reads, so that both ways of finding see
the same tree. Where a dataset leaves out tests and documentation, ripgrep need not wade
through them either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from plait.types import Skipped, Source


@contextmanager
def checked_out(source: Source) -> Iterator[Path]:
    """A folder with the files of a source, gone at the end."""
    with TemporaryDirectory(prefix="plait-tree-") as folder:
        tree = Path(folder).resolve()
        for item in source.listing():
            file = item if isinstance(item, Skipped) else source.read(item.path)
            if isinstance(file, Skipped) or not _is_inside(file.path):
                continue
            place = tree / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
        yield tree


def _is_inside(path: str) -> bool:
    """Whether a path stays in its tree; a stranger's repository may name others."""
    given = PurePosixPath(path)
    return not given.is_absolute() and ".." not in given.parts
