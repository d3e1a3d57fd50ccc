"""Assembly: the only file that names concrete sources, lanes and stores.

``open_index`` puts together what a path needs: the root it belongs to, where its index is
kept, the source that lists its files, the lane that finds them. An index is kept on this
machine, for one tree, or on a cluster, in a collection of many repositories; nothing above
this file can tell which engine answers.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import platformdirs

from plait.errors import (
    FormatMismatch,
    IndexBusy,
    IndexCorrupt,
    ModelError,
    SettingError,
    StoreError,
    StoreUnwritable,
)
from plait.index.embed import embed
from plait.index.rebuild import rebuild
from plait.index.refresh import Progress, Report, refresh
from plait.lanes.dense import Dense
from plait.lanes.lexical import FieldWeights, Lexical
from plait.models.bundle import has_bundled
from plait.models.choose import lazy_model
from plait.models.hub import hub_folder
from plait.models.lazy import LazyEncoder
from plait.private.folders import PrivateFolder
from plait.search.expansion import Expansion
from plait.search.fusion import Fusion
from plait.search.parse import parse
from plait.search.plan import DENSE, LEXICAL, Planner, lanes_of
from plait.search.retry import retry_on_newest
from plait.search.searcher import Searcher
from plait.settings import Loaded, Settings, load_settings, read_settings
from plait.sources import DirectorySource, Root, Selection, canonical, root_of
from plait.sources.secrets import MASKING
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Absent, Answer, Lane, Query, Scope, Snapshot, Source, Store

if TYPE_CHECKING:
    from plait.stores.cluster.operations.operations import Operations

NAME_CACHE = "set HOME, or name a folder: PLAIT_CACHE_DIR=/path/to/cache"
NAME_FULL = "name it from the root or from home: PLAIT_CACHE_DIR=/path/to/cache or ~/cache"
NO_MODEL = "there is no model to search by meaning with"
NAME_MODEL = "set model to a folder that holds one, or search with --mode lexical"
NO_NEW_VECTORS = "no new vectors could be made"
# How words are made: what a collection was built with, not what one of its repositories says.
ANALYSIS = ("bigrams", "stemming", "identifiers", "comments")
WEIGHTS = ("body", "name", "path", "signature", "docstring")


def user_settings_file() -> Path:
    """Where a user keeps settings for all projects."""
    return Path(platformdirs.user_config_dir("plait", appauthor=False)) / "config.toml"


def cache_folder(settings: Settings) -> Path:
    """Where indexes are kept.

    Raises:
        SettingError: The user has no home folder and has named no other, or no full path.
    """
    named = settings.cache_dir
    try:
        usual = "" if named else platformdirs.user_cache_dir("plait", appauthor=False)
        folder = Path(named or usual).expanduser()
    except RuntimeError as error:  # nobody knows this user
        raise SettingError(f"the cache folder cannot be told: {error}", hint=NAME_CACHE) from error
    if not folder.is_absolute():  # it would lie in the tree that is searched
        hint = NAME_FULL if named else NAME_CACHE
        raise SettingError(f"the cache folder {folder} is not a full path", hint=hint)
    return folder


def _private(folder: Path, settings: Settings) -> PrivateFolder:
    """A folder that holds an index, with what is known of those that lead to it."""
    cache = cache_folder(settings)
    if not folder.is_relative_to(cache):
        return PrivateFolder(folder)
    return PrivateFolder(folder, cache, is_named=bool(settings.cache_dir))


def lexical_lane(settings: Settings) -> Lexical:
    """The lane of words as the settings want it."""
    weights = FieldWeights(**{name: getattr(settings, f"weight_{name}") for name in WEIGHTS})
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
    encoder = lazy_model(
        settings.model,
        models,
        os.environ,
        threads=settings.workers,
        wait_s=settings.model_wait_s,
    )
    return Dense(encoder, lexical)


def planner(settings: Settings, mode: str = "", unavailable: tuple[Absent, ...] = ()) -> Planner:
    """What plans questions: the lanes of a mode, with the weights and the time that are set.

    Raises:
        SettingError: There is no such mode or fusion, or a weight is out of range.
    """
    words = {LEXICAL: settings.lane_lexical}
    return Planner(
        lanes_of(mode or settings.mode),
        Fusion(settings.fusion, {**words, DENSE: settings.lane_dense}),
        Fusion(settings.fusion, {**words, DENSE: settings.lane_dense_decided}),
        settings.search_within_s,
        unavailable,
    )


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
class Built:
    """A generation as it was built."""

    snapshot: Snapshot
    otherwise: str  # than the settings say, a sentence; "" if it is what they say
    shows_secrets: bool


@dataclass(frozen=True, slots=True)
class Engine:
    """A source, the store it is indexed in, and the lanes that search it."""

    settings: Settings
    source: Source
    store: Store
    lexical: Lexical
    dense: Dense | None = None  # None: there is no model
    folder: Path = field(kw_only=True)  # what is kept on this machine, be it all or a record
    place: str = field(kw_only=True)  # where the index is, to be shown

    @property
    def repo(self) -> str:
        return self.source.name

    @property
    def is_shared(self) -> bool:
        """Whether the index holds repositories that others write."""
        return bool(self.settings.store)

    @property
    def refreshes(self) -> bool:
        """Whether a search brings the index up to date first, unless told otherwise.

        One that is shared is written by those whose task it is, not by whoever searches.
        """
        return self.settings.refresh and not self.is_shared

    @property
    def stamps_path(self) -> Path:
        key = f"{self.repo}\0{_secrecy(self.settings)}"  # a file is read anew for another secrecy
        return self.folder / "stamps" / f"{_short_digest(key)}.json"

    def refresh(
        self, *, anew: bool = False, watch: Callable[[Progress], None] = lambda _: None
    ) -> Report:
        """Bring the index up to date; build it if there is none or it cannot be read.

        An index that is shared is not built anew for what one repository finds wrong with it.

        Raises:
            IndexBusy: Another process is writing and did not finish in time.
            SettingError: It is not said which repository is meant.
        """
        if self.is_shared and not self.repo:
            raise SettingError(
                "which repository is to be brought up to date?", hint="name its folder: . for this"
            )
        bring = partial(
            refresh,
            self.source,
            self.store,
            self.lexical,
            stamps_path=self.stamps_path,
            private=_private(self.folder, self.settings),
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
            report.notes = (f"{error}; the index was built anew", *report.notes)
            return report

    def waiting(self, wait_s: float) -> Self:
        """The same, with another patience for other writers; a model that is open stays open."""
        settings = replace(self.settings, wait_s=wait_s)
        store = self.store
        if isinstance(store, EmbeddedStore):
            store = store.waiting(wait_s)
        return replace(self, settings=settings, store=store)

    def snapshot(self) -> Snapshot:
        """The newest generation."""
        return self.store.snapshot()

    def as_built(self) -> Built:
        """The newest generation even if it was built otherwise than the settings say."""
        try:
            return Built(self.snapshot(), "", shows_secrets=self.settings.include_secrets)
        except FormatMismatch as error:
            if not isinstance(self.store, EmbeddedStore):
                raise
            snapshot, made = self.store.as_built()
            return Built(snapshot, str(error), shows_secrets="secrets=shown" in made.split())

    @property
    def has_generation(self) -> bool:
        """Whether there is an index to answer from, be it up to date or not."""
        try:
            self.snapshot().close()
        except StoreError:
            return False
        return True

    def close(self) -> None:
        """Let go of what the store holds between two calls."""
        self.store.close()

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
        encoder = dense.encoder
        if math.isfinite(within_s) and isinstance(encoder, LazyEncoder):
            encoder = encoder.within(within_s)
        return embed(self.store, encoder, dense.passage, watch, within_s)

    def searcher(self, snapshot: Snapshot, mode: str = "") -> Searcher:
        """What answers queries over a snapshot in one of the ``MODES``; "" for the setting.

        Raises:
            SettingError: There is no such mode.
        """
        lanes: list[Lane] = [self.lexical]
        unavailable: tuple[Absent, ...] = ()
        if self.dense is None:
            unavailable = (Absent(DENSE, "unavailable", NO_MODEL, NAME_MODEL),)
        else:
            lanes.append(self.dense)
        plans = planner(self.settings, mode, unavailable)
        return Searcher(snapshot, lanes, plans, Expansion(self.lexical, self.settings.expand))

    def _dense(self) -> Dense:
        if self.dense is None:
            raise ModelError(NO_MODEL, hint=NAME_MODEL)
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
        notes = self.root.notes
        if self.refreshes if fresh is None else fresh:
            try:
                refreshed = self.refresh().notes
                notes = tuple(dict.fromkeys((*notes, *self.source.notes, *refreshed)))
                if self.uses_vectors:
                    self.embed()
            except (IndexBusy, StoreUnwritable) as trouble:
                if not self.has_generation:
                    raise
                notes = (*notes, f"{trouble}; answered from the generation before")
            except ModelError as error:
                if self.settings.mode == DENSE:
                    raise
                notes = (*notes, f"{NO_NEW_VECTORS}: {error}")
        answer = retry_on_newest(
            self.snapshot,
            lambda snapshot: self.ask(
                snapshot, text, limit=limit, per_file=per_file, scope=scope, expand=expand
            ),
        )
        return replace(answer, notes=notes + answer.notes)

    def snapshot(self) -> Snapshot:
        """The newest generation, as far as this path may see it."""
        return self.store.snapshot().within(self.scope().repos)

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
        return self.searcher(snapshot).search(query, parsed.hints)

    def scope(self) -> Scope:
        """Everything below the path the index was opened for; without one, all there is."""
        if not self.repo:
            return Scope()
        several = self.root.is_git or self.is_shared  # worktrees share a store, too
        repos = frozenset({self.repo}) if several else None
        under = "" if self.root.file else self.root.under
        return Scope(repos=repos, under=under, file=self.root.file)


def open_index(
    path: str | Path = ".",
    settings: Settings | None = None,
    *,
    store: str = "",
    name: str = "",
) -> Index:
    """Open the index of a path; nothing is read or written yet.

    Args:
        path: A folder or a file. "" is the current folder; if the index is on a cluster it is
            every repository there.
        settings: What holds here; by default what files and the environment say.
        store: The address of a collection on a cluster; "" for the setting.
        name: What the repository is called there; by default as its folder.

    Raises:
        SourceError: There is no such path.
        SettingError: A settings file holds what cannot be used.
    """
    root = root_of(Path(path or "."))
    if settings is None:
        settings, notes = settings_for(root, store)
        root = replace(root, notes=(*root.notes, *notes))
    return index_of(root, settings, name, is_whole=path == "")


def settings_for(root: Root, store: str = "") -> Loaded:
    """What files and the environment say of a tree, and what of them was not read.

    Args:
        root: The tree.
        store: The address of a collection on a cluster; "" for the setting.

    Raises:
        SettingError: A settings file holds what cannot be used.
    """
    chosen, notes = read_settings(root.directory, os.environ, user_settings_file())
    chosen = replace(chosen, store=store or chosen.store)
    if not chosen.store:
        return Loaded(chosen, notes)
    users = load_settings(None, os.environ, user_settings_file())
    names = (*ANALYSIS, *(f"weight_{name}" for name in WEIGHTS))
    return Loaded(replace(chosen, **{name: getattr(users, name) for name in names}), notes)


def index_of(root: Root, settings: Settings, name: str = "", *, is_whole: bool = False) -> Index:
    """The index of a tree.

    Args:
        root: The tree.
        settings: What holds here.
        name: What the repository is called; by default as its folder.
        is_whole: No path was given: if the store is shared, all it holds is meant.
    """
    is_whole = is_whole and bool(settings.store)
    if is_whole:
        here = Path.cwd()
        root = replace(root, directory=here, key=here, under="", is_git=False)
    repo = "" if is_whole else name or _name(root, settings)
    source = DirectorySource(root.directory, name=repo, selection=_selection(settings))
    lexical = lexical_lane(settings)
    kept, dense = _kept(root, lexical, settings), dense_lane(settings, lexical)
    return Index(
        settings,
        source,
        kept.store,
        lexical,
        dense,
        folder=kept.folder,
        place=kept.place,
        root=root,
    )


def _name(root: Root, settings: Settings) -> str:
    """What a repository is called: as its folder, so that it is the same on every machine."""
    name = root.directory.name or "root"
    is_linked = root.is_git and root.key.parent != root.directory
    if is_linked and not settings.store:  # a second work tree in the store of the first
        return f"{name}@{_short_digest(str(root.directory))}"
    return name


def open_engine(source: Source, folder: Path, settings: Settings) -> Engine:
    """Put together what indexes and searches any source, its index kept in a folder."""
    lexical = lexical_lane(settings)
    store, dense = _embedded(folder, lexical, settings), dense_lane(settings, lexical)
    return Engine(settings, source, store, lexical, dense, folder=folder, place=str(folder))


def rebuild_together(
    indexes: Sequence[Index], watch: Callable[[Progress], None] = lambda _: None
) -> list[Report]:
    """Build the collection that some trees belong to from nothing but them, in one step.

    Args:
        indexes: The trees, all in one collection.
        watch: Called after every file.
    """
    first = indexes[0]
    return rebuild(
        [
            (index.source, index.stamps_path, _private(index.folder, index.settings))
            for index in indexes
        ],
        first.store,
        first.lexical,
        workers=first.settings.workers,
        comments=first.settings.comments,
        watch=watch,
    )


def open_operations(settings: Settings) -> Operations:
    """What an administrator does with a collection on a cluster.

    Raises:
        SettingError: No cluster is named.
    """
    if not settings.store:
        raise SettingError(
            "this is about an index on a cluster, and none is named",
            hint="--store opensearch://host:9200/collection, or PLAIT_STORE",
        )
    from plait.stores.cluster.address import Address
    from plait.stores.cluster.operations.operations import Operations

    address = Address.parse(settings.store, os.environ)
    return Operations(address, _analysis(lexical_lane(settings), settings))


class _Kept(NamedTuple):
    """A store, what is kept of it on this machine, and where it is."""

    store: Store
    folder: Path
    place: str


def _kept(root: Root, lexical: Lexical, settings: Settings) -> _Kept:
    if settings.store:
        return _clustered(root, lexical, settings)
    owner = root.key.parent if root.is_git and root.key.name == ".git" else root.key
    folder = cache_folder(settings) / f"{_safe(owner.name)}-{_short_digest(str(root.key))}"
    return _Kept(_embedded(folder, lexical, settings, str(root.key)), folder, str(folder))


def _embedded(folder: Path, lexical: Lexical, settings: Settings, owner: str = "") -> EmbeddedStore:
    place = _private(folder, settings)
    # What was replaced stays in old files for a while. So an index that holds what must not be
    # shown is not brought up to date but built anew.
    made = f"{_analysis(lexical, settings)} secrets={_secrecy(settings)}"
    return EmbeddedStore(folder, made, wait_s=settings.wait_s, place=place, owner=owner)


def _clustered(root: Root, lexical: Lexical, settings: Settings) -> _Kept:
    """A collection. Two copies of a tree have different stamps, so each has a record."""
    from plait.stores.cluster.address import Address
    from plait.stores.cluster.store import ClusterStore

    address = Address.parse(settings.store, os.environ)
    store = ClusterStore(address, _analysis(lexical, settings))
    key = _short_digest(f"{address}\0{root.directory}")
    folder = cache_folder(settings) / "shared" / f"{address.collection}-{key}"
    return _Kept(store, folder, str(address))


def _analysis(lexical: Lexical, settings: Settings) -> str:
    return f"{lexical.analysis} comments={int(settings.comments)}"


def _secrecy(settings: Settings) -> str:
    """What becomes of secrets: they are shown, or masked in one of the ways there have been."""
    return "shown" if settings.include_secrets else f"masked-{MASKING}"


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:40] or "root"


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
