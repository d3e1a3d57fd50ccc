"""Generations: their numbers, and what is left of those that nobody needs."""

from __future__ import annotations

import re
from pathlib import Path

from plait.errors import IndexMissing, PlaitError
from plait.private.files import entries, remove
from plait.private.folders import sync_folder
from plait.stores.embedded.manifest import (
    MAX_COUNT,
    generation_folder,
    read_current,
    read_pointer,
)


def read_generation(root: Path) -> int:
    """The number of the current generation, 0 if there is none or it cannot be read."""
    try:
        claimed = int(read_pointer(root).split()[0])
        return claimed if 0 <= claimed < MAX_COUNT else 0
    except (OSError, ValueError, IndexError):
        return 0


def next_generation(root: Path) -> int:
    """A number no generation has, whatever ``CURRENT`` claims."""
    taken = [path.name for name in ("generations", "layers") for path in entries(root / name)]
    numbers = [int(digits[0]) for name in taken if (digits := re.match(r"\d+", name))]
    return max([read_generation(root), *numbers]) + 1


def collect(root: Path) -> None:
    """Delete whatever the current manifest does not name. Only the lock's holder may."""
    try:
        manifest = read_current(root)
    except IndexMissing:
        keep, folder = set[str](), None
    except (PlaitError, OSError):
        return  # damaged: leave every file for whoever looks into it
    else:
        keep, folder = set(manifest.files), generation_folder(root, manifest.generation)
    generations = [path for path in entries(root / "generations") if path != folder]
    layers = [p for p in entries(root / "layers") if f"layers/{p.name}" not in keep]
    if generations or layers:
        # A writer may have died after it replaced the pointer and before that was on disk. What
        # the pointer before it names must not be gone sooner.
        sync_folder(root)
    for path in (*generations, *layers, root / "CURRENT.new", *root.glob("*.*.new")):
        remove(path)
