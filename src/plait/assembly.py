"""Assembly: the only file that names concrete sources, lanes and stores.

``open_index`` puts together what a path needs: the root it belongs to, where its index is
kept, the source that lists its files, the lane that finds them.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self

import platformdirs

from plait.errors import FormatMismatch, IndexBusy, IndexCorrupt, ModelError, SettingError
from plait.index.refresh import Progress, Report, refresh
from plait.lanes.dense import Dense
from plait.lanes.lexical import FieldWeights, Lexical
from plait.models.bundle import has_bundled
from plait.models.choose import lazy_model
from plait.models.hub import hub_folder
from plait.search.expansion import Expansion
from plait.search.fusion import Fusion
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.search.weighing import Weighing
from plait.settings import Settings, load_settings
from plait.sources import DirectorySource, Root, Selection, canonical, root_of
from plait.stores.embedded.snapshot import EmbeddedSnapshot
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Answer, Lane, Query, Scope, Snapshot, Source

LEXICAL, DENSE, HYBRID = "lexical", "dense", "hybrid"
MODES = (LEXICAL, DENSE, HYBRID)  # the ways of ranking, by name
PUBLISH_EVERY_S = 60.0  # of making vectors


def user_settings_file() -> Path:
    """Where a user keeps settings for all projects."""
    return Path(platformdirs.user_config_dir("plait", appauthor=False)) / "config.toml"


def cache_folder(settings: Settings) -> Path:
    """Where indexes are kept."""
    if settings.cache_dir:
        return Path(settings.cache_dir).expanduser()
    return Path(platformdirs.user_cache_dir("plait", appauthor=False))


def lexical_lane(settings: Settings) -> Lexical:
    """The lane of words as the settings want it."""
    weights = FieldWeights(
        body=settings.weight_body,
        name=settings.weight_name,
        path=settings.weight_path,
        signature=settings.weight_signature,
        docstring=settings.weight_docstring,
    )
    return Lexical(
        weights,
        bigrams=settings.bigrams,
        stemming=settings.stemming,
        identifiers=settings.identifiers,
        spelling=settings.spelling,
    )


def dense_lane(settings: Settings, lexical: Lexical) -> Dense | None:
    """The lane of meaning; None if there is no model. The model is opened when first asked."""
    if not settings.model and not has_bundled():
        return None
    models = hub_folder(os.environ)
    encoder = lazy_model(settings.model, models, os.environ, threads=settings.workers)
    return Dense(encoder, lexical)


def weighing(settings: Settings) -> Weighing:
    """How rankings become one, with the weights that suit a question.

    Raises:
        SettingError: There is no such fusion, or a weight is out of range.
    """
    words = {LEXICAL: settings.lane_lexical}
    usual = Fusion(settings.fusion, {**words, DENSE: settings.lane_dense})
    by_words = Fusion(settings.fusion, {**words, DENSE: settings.lane_dense_decided})
    return Weighing(usual, by_words)


def _selection(settings: Settings) -> Selection:
    return Selection(
        hidden=settings.hidden,
        no_ignore=settings.no_ignore,
        exclude=settings.exclude,
        max_bytes=settings.max_bytes,
        include_secrets=settings.include_secrets,
        skip_vendored=settings.skip_vendored,
    )


@dataclass(frozen=True, slots=True)
class Engine:
    """A source, the store it is indexed in, and the lanes that search it."""

    settings: Settings
    source: Source
    store: EmbeddedStore
    lexical: Lexical
    dense: Dense | None = None  # None: there is no model

    @property
    def repo(self) -> str:
        return self.source.name

    @property
    def stamps_path(self) -> Path:
        return self.store.root / "stamps" / f"{_short_digest(self.repo)}.json"

    def refresh(
        self, *, anew: bool = False, watch: Callable[[Progress], None] = lambda _: None
    ) -> Report:
        """Bring the index up to date; build it if there is none or it cannot be read.

        Raises:
            IndexBusy: Another process is writing and did not finish in time.
        """
        bring = partial(
            refresh,
            self.source,
            self.store,
            self.lexical,
            stamps_path=self.stamps_path,
            workers=self.settings.workers,
            comments=self.settings.comments,
            watch=watch,
        )
        try:
            return bring(anew=anew)
        except (FormatMismatch, IndexCorrupt) as error:
            if anew:
                raise
            report = bring(anew=True)
            report.notes = (f"{error}; the index was built anew",)
            return report

    def waiting(self, wait_s: float) -> Self:
        """The same, with another patience for other writers; a model that is open stays open."""
        settings = replace(self.settings, wait_s=wait_s)
        store = _store(self.store.root, self.lexical, settings)
        return replace(self, settings=settings, store=store)

    def snapshot(self) -> EmbeddedSnapshot:
        """The newest generation."""
        return self.store.snapshot()

    @property
    def uses_vectors(self) -> bool:
        """Whether the settings ask for meaning and there is a model for it."""
        return self.settings.mode != LEXICAL and self.dense is not None

    def embed(
        self,
        watch: Callable[[int, int], None] = lambda _done, _of: None,
        within_s: float = math.inf,
    ) -> int:
        """Give every chunk its vector, or as many as the time allows; the generation.

        What is made is published every now and then, so that a search that runs meanwhile,
        or a run that is stopped, has the use of it.

        Raises:
            ModelError: There is no model.
            IndexBusy: Another process is writing and did not finish in time.
        """
        dense = self._dense()
        end = time.monotonic() + within_s
        generation = 0
        while True:
            left = max(end - time.monotonic(), 0.0)
            before, generation = (
                generation,
                self.store.embed(dense.encoder, dense.passage, watch, min(left, PUBLISH_EVERY_S)),
            )
            if generation == before or time.monotonic() >= end:
                return generation

    def searcher(self, snapshot: Snapshot, mode: str = "") -> Searcher:
        """What answers queries over a snapshot in one of the ``MODES``; "" for the setting.

        Raises:
            SettingError: There is no such mode.
            ModelError: It needs a model and there is none.
        """
        mode = mode or self.settings.mode
        if mode not in MODES:
            raise SettingError(f"there is no mode {mode!r}", hint=f"modes: {', '.join(MODES)}")
        expansion = Expansion(self.lexical, self.settings.expand)
        if mode == LEXICAL:
            return Searcher(snapshot, [self.lexical], expansion=expansion)
        if mode == HYBRID and self.dense is None:
            return Searcher(snapshot, [self.lexical], absent=(DENSE,), expansion=expansion)
        if mode == DENSE:
            return Searcher(snapshot, [self._dense()])
        lanes: list[Lane] = [self.lexical, self._dense()]
        return Searcher(snapshot, lanes, weighing(self.settings), expansion=expansion)

    def _dense(self) -> Dense:
        if self.dense is None:
            raise ModelError(
                "there is no model to search by meaning with",
                hint="set model to a folder that holds one, or search with --mode lexical",
            )
        return self.dense


@dataclass(frozen=True, slots=True)
class Index(Engine):
    """The index of one tree: what ``plait.open`` returns.

    Worktrees of one repository share a store; each is a repository of its own in it.
    """

    source: DirectorySource
    root: Root = field(kw_only=True)

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
        notes: tuple[str, ...] = ()
        if self.settings.refresh if fresh is None else fresh:
            try:
                notes = self.refresh().notes
                if self.uses_vectors:
                    self.embed()
            except IndexBusy as busy:
                notes = (f"{busy}; answered from the generation before",)
        answer = self.ask(
            self.snapshot(), text, limit=limit, per_file=per_file, scope=scope, expand=expand
        )
        return replace(answer, notes=notes + answer.notes)

    def ask(
        self,
        snapshot: EmbeddedSnapshot,
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
        return self.searcher(snapshot).search(query, parsed.hints)

    def scope(self) -> Scope:
        """Everything below the path the index was opened for."""
        repos = frozenset({self.repo}) if self.root.is_git else None  # worktrees share a store
        under = "" if self.root.file else self.root.under
        return Scope(repos=repos, under=under, file=self.root.file)


def open_index(path: str | Path = ".", settings: Settings | None = None) -> Index:
    """Open the index of a path; nothing is read or written yet.

    Raises:
        SourceError: There is no such path.
        SettingError: A settings file holds what cannot be used.
    """
    root = root_of(Path(path))
    chosen = settings or load_settings(root.directory, os.environ, user_settings_file())
    owner = root.key.parent if root.is_git and root.key.name == ".git" else root.key
    folder = cache_folder(chosen) / f"{_safe(owner.name)}-{_short_digest(str(root.key))}"
    repo = root.directory.name or "root"
    if root.is_git and root.key.parent != root.directory:  # a linked worktree
        repo = f"{repo}@{_short_digest(str(root.directory))}"
    source = DirectorySource(root.directory, name=repo, selection=_selection(chosen))
    lexical = lexical_lane(chosen)
    store, dense = _store(folder, lexical, chosen), dense_lane(chosen, lexical)
    return Index(chosen, source, store, lexical, dense, root=root)


def open_engine(source: Source, folder: Path, settings: Settings) -> Engine:
    """Put together what indexes and searches any source, its index kept in a folder."""
    lexical = lexical_lane(settings)
    store, dense = _store(folder, lexical, settings), dense_lane(settings, lexical)
    return Engine(settings, source, store, lexical, dense)


def _store(folder: Path, lexical: Lexical, settings: Settings) -> EmbeddedStore:
    analysis = f"{lexical.analysis} comments={int(settings.comments)}"
    return EmbeddedStore(folder, analysis, wait_s=settings.wait_s)


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:40] or "root"


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
