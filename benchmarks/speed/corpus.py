"""The corpus a benchmark runs on: real files, thinned to the size wanted."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from plait.sources import DirectorySource
from plait.types import Listed, Skipped, SourceFile

COMMENT = re.compile(rb"(?m)^\s*(?:#|//|--|;+)\s+([A-Za-z][A-Za-z ,'-]{30,100})$")
MIN_WORDS = 6


class Sampled:
    """Every n-th file of a folder, so that a smaller corpus has the same mixture."""

    def __init__(self, root: Path, every: int = 1, at_most: int = 0) -> None:
        self._source = DirectorySource(root, name=root.name)
        self._every = every
        self._at_most = at_most

    @property
    def name(self) -> str:
        return self._source.name

    def listing(self) -> Iterator[Listed | Skipped]:
        """The files chosen, in path order."""
        files = [item for item in self._source.listing() if isinstance(item, Listed)]
        chosen = files[:: self._every]
        return iter(chosen[: self._at_most] if self._at_most else chosen)

    def read(self, path: str) -> SourceFile | Skipped:
        """Read one of them."""
        return self._source.read(path)

    def files(self) -> Iterator[SourceFile]:
        """Read them all."""
        for item in self.listing():
            file = self.read(item.path)
            if isinstance(file, SourceFile):
                yield file


def comment_queries(files: Sequence[SourceFile], count: int, seed: int = 1) -> list[str]:
    """Real comment lines of at least six words: what people write about code."""
    found = {
        match[1].decode("ascii").strip()
        for file in files
        for match in COMMENT.finditer(file.content)
        if len(match[1].split()) >= MIN_WORDS
    }
    return random.Random(seed).sample(sorted(found), min(count, len(found)))
