"""A process that writes: ``python -m tests.stores.writing ROOT hold|commits COUNT``.

``hold`` begins a commit, says so, and finishes it when its standard input closes;
``commits`` makes so many commits, each of which changes every file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from plait.types import Change
from tests.stores.folder import opened, uniform


def held() -> Iterator[Change]:
    """Changes that wait in the middle."""
    first, *rest = uniform("held")
    yield first
    print("holding", flush=True)  # noqa: T201  # the parent waits for it
    sys.stdin.read()
    yield from rest


def main() -> None:
    """Write as asked."""
    root, verb, *count = sys.argv[1:]
    store = opened(Path(root))
    if verb == "hold":
        store.commit(held())
        return
    for n in range(int(count[0])):
        store.commit(uniform(f"tag{n}"))


if __name__ == "__main__":
    main()
