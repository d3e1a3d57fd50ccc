"""Changes: what a commit may be given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plait.types import Change


def sound(changes: Iterable[Change]) -> Iterator[Change]:
    """The same changes, as long as they make sense.

    Raises:
        ValueError: A file changes twice, or has no chunks.
    """
    seen: set[tuple[str, str]] = set()
    for change in changes:
        key = (change.repo, change.path)
        if key in seen:
            raise ValueError(f"{change.path} of {change.repo} changes twice in one commit")
        seen.add(key)
        if change.file is not None and not change.entries:
            raise ValueError(f"{change.path} of {change.repo} has no chunks")
        yield change
