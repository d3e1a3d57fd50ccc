"""Whole files: things that belong to files, in portions that cut no file in two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def whole_files(files: Iterable[Iterable[T]], size: int) -> Iterator[list[T]]:
    """What the files hold, so many things or a few more at a time; no file is read ahead."""
    portion: list[T] = []
    for things in files:
        portion += things
        if len(portion) >= size:
            yield portion
            portion = []
    if portion:
        yield portion
