"""The reader: what answers questions about an index, one generation at a time."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import FormatMismatch, ModelError, StoreError
from plait.lanes.dense import Dense
from plait.lanes.lexical import Lexical
from plait.lanes.message import Messages
from plait.search.expansion import Expansion
from plait.search.fusion import Fusion
from plait.search.plan import DENSE, LEXICAL, LINES, Planner, lanes_of
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.types import Absent, Lane, Repos, Snapshot, Store

NO_MODEL = "there is no model to search by meaning with"
NAME_MODEL = "set model to a folder that holds one, or search with --mode lexical"


@dataclass(frozen=True, slots=True)
class Built:
    """A generation as it was built."""

    snapshot: Snapshot
    otherwise: str  # than the settings say, a sentence; "" if it is what they say
    shows_secrets: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """A store that is asked, and the lanes that ask it. Threads may share it.

    Args:
        settings: What holds here.
        store: What keeps the index.
        lexical: The lane of words.
        dense: The lane of meaning; None if there is no model.
        visible: The repositories that may be seen; None for all.
    """

    settings: Settings
    store: Store
    lexical: Lexical
    dense: Dense | None = None
    visible: Repos = None

    def snapshot(self) -> Snapshot:
        """The newest generation, as far as it may be seen."""
        return self.store.snapshot().within(self.visible)

    def as_built(self) -> Built:
        """The newest generation even if it was built otherwise than the settings say."""
        try:
            shown = self.settings.include_secrets
            return Built(self.store.snapshot(), "", shows_secrets=shown)
        except FormatMismatch as error:
            snapshot, made = self.store.as_built()
            return Built(snapshot, str(error), shows_secrets="secrets=shown" in made.split())

    @property
    def has_generation(self) -> bool:
        """Whether there is an index to answer from, be it up to date or not."""
        try:
            self.store.snapshot().close()
        except StoreError:
            return False
        return True

    @property
    def uses_vectors(self) -> bool:
        """Whether the settings ask for meaning and there is a model for it."""
        return self.settings.mode != LEXICAL and self.dense is not None

    def searcher(self, snapshot: Snapshot, mode: str = "") -> Searcher:
        """What answers queries over a snapshot in one of the modes; "" for the setting.

        Raises:
            SettingError: There is no such mode.
        """
        lanes: list[Lane] = [self.lexical, Messages(self.lexical)]
        unavailable: tuple[Absent, ...] = ()
        if self.dense is None:
            unavailable = (Absent(DENSE, "unavailable", NO_MODEL, NAME_MODEL),)
        else:
            lanes.append(self.dense)
        plans = planner(self.settings, mode, unavailable)
        return Searcher(snapshot, lanes, plans, Expansion(self.lexical, self.settings.expand))


def planner(settings: Settings, mode: str = "", unavailable: tuple[Absent, ...] = ()) -> Planner:
    """What plans questions: the lanes of a mode, with the weights and the time that are set.

    Raises:
        SettingError: There is no such mode or fusion, or a weight is out of range.
    """
    words = {LEXICAL: settings.lane_lexical, LINES: settings.lane_message}
    usual = Settings()
    scales = {
        LEXICAL: settings.lane_lexical / usual.lane_lexical,
        DENSE: settings.lane_dense / usual.lane_dense,
        LINES: settings.lane_message / usual.lane_message,
    }
    return Planner(
        lanes_of(mode or settings.mode),
        Fusion(settings.fusion, {**words, DENSE: settings.lane_dense}),
        Fusion(settings.fusion, {**words, DENSE: settings.lane_dense_decided}),
        settings.search_within_s,
        unavailable,
        settings.file_ranking,
        {lane: scale for lane, scale in scales.items() if scale != 1.0},
    )


def required(dense: Dense | None) -> Dense:
    """The lane of meaning.

    Raises:
        ModelError: There is no model.
    """
    if dense is None:
        raise ModelError(NO_MODEL, hint=NAME_MODEL)
    return dense
