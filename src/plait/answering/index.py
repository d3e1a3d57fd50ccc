"""The index of one tree, to be asked: what ``plait.open`` returns."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plait.answering.freshness import current
from plait.answering.tree import IndexedTree
from plait.search.packing.pack import Pack, pack, pool
from plait.search.packing.shelf import Form
from plait.search.parse import parse
from plait.search.retry import retry_on_newest
from plait.sources import canonical
from plait.types import Answer, Query, Scope, Snapshot


@dataclass(frozen=True, slots=True)
class Index(IndexedTree):
    """A tree that is brought up to date and asked."""

    def search(
        self,
        text: str,
        *,
        limit: int = 0,
        per_file: int | None = None,
        scope: Scope | None = None,
        fresh: bool | None = None,
        expand: bool | None = None,
    ) -> Answer:
        """Answer a question about this tree.

        Args:
            text: Words, a name, a question, or an expression of the query language.
            limit: How many results; 0 for the setting.
            per_file: Results of one file; 0 for no limit, None for the setting.
            scope: What to look at; by default the folder the index was opened for.
            fresh: Whether to bring the index up to date first; None for the setting.
            expand: Whether words that the first results share are looked for too; None for
                the setting.
        """
        now = current(self, fresh=fresh, vectors=True, is_patient=True)
        notes = (*self.root.notes, *(now.refreshed.notes if now.refreshed else ()), *now.notes)
        answer = retry_on_newest(
            self.snapshot,
            lambda snapshot: self.ask(
                snapshot, text, limit=limit, per_file=per_file, scope=scope, expand=expand
            ),
        )
        return replace(answer, notes=(*dict.fromkeys(notes), *answer.notes))

    def pack(
        self,
        text: str,
        *,
        tokens: int,
        form: Form | None = None,
        per_file: int | None = None,
        scope: Scope | None = None,
        fresh: bool | None = None,
    ) -> Pack:
        """The lines that best answer a question, within a number of tokens.

        Args:
            text: As of ``search``.
            tokens: How much there is room for.
            form: How the lines will be printed, and what counts tokens; by default an estimate.
            per_file: As of ``search``.
            scope: As of ``search``.
            fresh: As of ``search``.

        Raises:
            SettingError: ``tokens`` is not at least 1.
        """
        answer = self.search(text, limit=pool(tokens), per_file=per_file, scope=scope, fresh=fresh)
        return pack(answer, tokens, form)

    def ask(
        self,
        snapshot: Snapshot,
        text: str,
        *,
        limit: int = 0,
        per_file: int | None = None,
        scope: Scope | None = None,
        expand: bool | None = None,
    ) -> Answer:
        """Answer a question over a snapshot that is at hand."""
        parsed = parse(text, canonical)
        query = Query(
            text=text,
            wanted=parsed.wanted,
            scope=scope or self.scope(),
            limit=limit or self.settings.limit,
            per_file=self.settings.per_file if per_file is None else per_file,
            expand=expand,
        )
        return self.reader.searcher(snapshot).search(query, parsed.hints)
