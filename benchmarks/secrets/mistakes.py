"""Mistakes: what is masked in published code, where nothing should be.

Code that was published holds no secret that still is one. So every mask counts as a mistake,
except what has a shape nothing else has: keys with a mark of their own, and private key blocks,
which tests and documentation do hold. These are counted apart.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from plait.beneath import Refused
from plait.sources.classify import as_utf8
from plait.sources.names import refused_name
from plait.sources.secrets.finding import secrets_in
from plait.sources.selection import Selection

KNOWN = frozenset({"shape", "key block"})


class Mistakes(NamedTuple):
    """What was masked."""

    files: int
    bytes: int
    lines: int
    kinds: Counter[str]
    places: list[str]  # path:line kind
    cpu_s: float

    @property
    def false(self) -> int:
        return sum(count for kind, count in self.kinds.items() if kind not in KNOWN)

    @property
    def per_10_000_lines(self) -> float:
        return 10_000 * self.false / self.lines


def mistakes(roots: Sequence[Path]) -> Mistakes:
    """Look through every file below some folders that plait would index."""
    selection = Selection()
    files = size = lines = 0
    kinds: Counter[str] = Counter()
    places: list[str] = []
    cpu_s = 0.0
    for root in roots:
        for file in sorted(root.rglob("*")):
            path = file.relative_to(root).as_posix()
            text = _text(file, path, selection)
            if text is None:
                continue
            began = time.process_time()
            found = secrets_in(text)
            cpu_s += time.process_time() - began
            files, size, lines = files + 1, size + len(text), lines + text.count(b"\n") + 1
            kinds.update(secret.kind for secret in found)
            for secret in found:
                row = text.count(b"\n", 0, secret.begin) + 1
                places.append(f"{root.name}/{path}:{row} {secret.kind}")
    return Mistakes(files, size, lines, kinds, places, cpu_s)


def _text(file: Path, path: str, selection: Selection) -> bytes | None:
    if file.is_symlink() or not file.is_file() or refused_name(path, selection):
        return None
    try:
        if file.stat().st_size > selection.max_bytes:
            return None
        return as_utf8(file.read_bytes())
    except (OSError, Refused):
        return None
