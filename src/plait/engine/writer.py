"""The writer: what brings an index up to date with its source."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

from plait.engine.reader import required
from plait.errors import FormatMismatch, IndexCorrupt, SettingError
from plait.index.embed import embed
from plait.index.refresh import Progress, Report, refresh
from plait.lanes.dense import Dense
from plait.lanes.lexical import Lexical
from plait.models.lazy import Hurried
from plait.private.folders import PrivateFolder
from plait.settings import Settings
from plait.sources.secrets import MASKING
from plait.types import Source, Store
from plait.types.notes import REBUILT, Note


@dataclass(frozen=True, slots=True)
class Writer:
    """A source, and the store that it is indexed in.

    Args:
        settings: What holds here.
        source: Where the code comes from.
        store: What keeps the index.
        lexical: The lane of words.
        dense: The lane of meaning; None if there is no model.
        folder: What is kept on this machine, be it the whole index or a record of it.
        private: The same folder, with what is known of those that lead to it.
    """

    settings: Settings
    source: Source
    store: Store
    lexical: Lexical
    dense: Dense | None
    folder: Path
    private: PrivateFolder

    @property
    def is_shared(self) -> bool:
        """Whether the index holds repositories that others write."""
        return bool(self.settings.store)

    @property
    def stamps_path(self) -> Path:
        """Where it is kept what the files looked like when they were last read."""
        key = f"{self.source.name}\0{secrecy(self.settings)}"  # another secrecy reads a file anew
        return self.folder / "stamps" / f"{short_digest(key)}.json"

    def refresh(
        self, *, anew: bool = False, watch: Callable[[Progress], None] = lambda _: None
    ) -> Report:
        """Bring the index up to date; build it if there is none or it cannot be read.

        An index that is shared is not built anew for what one repository finds wrong with it.

        Raises:
            IndexBusy: Another process is writing and did not finish in time.
            SettingError: It is not said which repository is meant.
        """
        if self.is_shared and not self.source.name:
            raise SettingError(
                "which repository is to be brought up to date?", hint="name its folder: . for this"
            )
        bring = partial(
            refresh,
            self.source,
            self.store,
            self.lexical,
            stamps_path=self.stamps_path,
            private=self.private,
            workers=self.settings.workers,
            comments=self.settings.comments,
            watch=watch,
        )
        try:
            return bring(anew=anew)
        except (FormatMismatch, IndexCorrupt) as error:
            if anew or self.is_shared:
                raise
            report = bring(anew=True)
            report.notes = (Note(REBUILT, f"{error}; the index was rebuilt"), *report.notes)
            return report

    def embed(
        self,
        watch: Callable[[int, int], None] = lambda _done, _of: None,
        within_s: float = math.inf,
    ) -> int:
        """Give every chunk its vector, or as many as the time allows; the generation.

        Raises:
            ModelError: There is no model.
            IndexBusy: Another process is writing and did not finish in time.
        """
        dense = required(self.dense)
        encoder = dense.encoder
        if math.isfinite(within_s) and isinstance(encoder, Hurried):
            encoder = encoder.within(within_s)
        return embed(self.store, encoder, dense.passage, watch, within_s)

    def waiting(self, wait_s: float) -> Self:
        """The same, with another patience for other writers; a model that is open stays open."""
        settings = replace(self.settings, wait_s=wait_s)
        return replace(self, settings=settings, store=self.store.waiting(wait_s))


def secrecy(settings: Settings) -> str:
    """What becomes of secrets: they are shown, or masked in one of the ways there have been."""
    return "shown" if settings.include_secrets else f"masked-{MASKING}"


def short_digest(text: str) -> str:
    """A few letters that stand for a text, in the names of files."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
