"""A tree and its index: what reads it, what writes it, and what of it a path is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Self

from plait.engine.reader import Reader
from plait.engine.writer import Writer
from plait.index.refresh import Progress, Report
from plait.settings import Settings
from plait.sources import DirectorySource, Root
from plait.types import Scope, Snapshot


@dataclass(frozen=True, slots=True)
class IndexedTree:
    """What reads and what writes the index of a tree.

    Worktrees of one repository share a store; each is a repository of its own in it.
    """

    reader: Reader
    writer: Writer
    source: DirectorySource
    root: Root
    place: str  # where the index is, to be shown

    @classmethod
    def of(
        cls, reader: Reader, writer: Writer, source: DirectorySource, root: Root, place: str
    ) -> Self:
        """An index whose reader sees what the path is about and no more."""
        index = cls(reader, writer, source, root, place)
        return replace(index, reader=replace(reader, visible=index.scope().repos))

    @property
    def settings(self) -> Settings:
        return self.reader.settings

    @property
    def repo(self) -> str:
        return self.source.name

    @property
    def is_shared(self) -> bool:
        """Whether the index holds repositories that others write."""
        return self.writer.is_shared

    @property
    def refreshes(self) -> bool:
        """Whether a search brings the index up to date first, unless told otherwise.

        One that is shared is written by those whose task it is, not by whoever searches.
        """
        return self.settings.refresh and not self.is_shared

    def scope(self) -> Scope:
        """Everything below the path the index was opened for; without one, all there is."""
        if not self.repo:
            return Scope()
        several = self.root.is_git or self.is_shared  # worktrees share a store, too
        repos = frozenset({self.repo}) if several else None
        under = "" if self.root.file else self.root.under
        return Scope(repos=repos, under=under, file=self.root.file)

    def refresh(
        self, *, anew: bool = False, watch: Callable[[Progress], None] = lambda _: None
    ) -> Report:
        """Bring the index up to date; build it if there is none or it cannot be read."""
        return self.writer.refresh(anew=anew, watch=watch)

    def embed(
        self, watch: Callable[[int, int], None] = lambda _done, _of: None, within_s: float = inf
    ) -> int:
        """Give every chunk its vector, or as many as the time allows; the generation."""
        return self.writer.embed(watch, within_s)

    def snapshot(self) -> Snapshot:
        """The newest generation, as far as this path may see it."""
        return self.reader.snapshot()

    def with_settings(self, settings: Settings) -> Self:
        """The same index, read and written by other settings."""
        reader = replace(self.reader, settings=settings)
        return replace(self, reader=reader, writer=replace(self.writer, settings=settings))

    def waiting(self, wait_s: float) -> Self:
        """The same, with another patience for other writers."""
        return replace(self, writer=self.writer.waiting(wait_s))

    def close(self) -> None:
        """Let go of what the store holds between two calls."""
        self.reader.store.close()
