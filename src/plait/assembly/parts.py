"""Parts: lanes, sources and stores as the settings want them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from plait.assembly.places import index_folder, private_folder, record_folder
from plait.engine.writer import secrecy
from plait.lanes.dense import Dense
from plait.lanes.lexical import FieldWeights, Lexical
from plait.models.bundle import has_bundled
from plait.models.choose import lazy_model
from plait.models.hub import hub_folder
from plait.settings import Settings
from plait.sources import Root, Selection
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Store
from plait.types.tags import TAGS_VERSION

WEIGHTS = ("body", "name", "path", "signature", "docstring")


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


def selection(settings: Settings) -> Selection:
    """Which files of a tree are indexed."""
    return Selection(
        hidden=settings.hidden,
        no_ignore=settings.no_ignore,
        exclude=settings.exclude,
        max_bytes=settings.max_bytes,
        include_secrets=settings.include_secrets,
        skip_vendored=settings.skip_vendored,
    )


def analysis(lexical: Lexical, settings: Settings) -> str:
    """How words are made and files tagged: an index that was built otherwise cannot be asked."""
    return f"{lexical.analysis} comments={int(settings.comments)} tags={TAGS_VERSION}"


class Kept(NamedTuple):
    """A store, what is kept of it on this machine, and where it is."""

    store: Store
    folder: Path
    place: str


def store_of(root: Root, lexical: Lexical, settings: Settings) -> Kept:
    """Where the index of a tree is kept: on this machine, or in a collection on a cluster."""
    if settings.store:
        return _clustered(root, lexical, settings)
    folder = index_folder(root, settings)
    return Kept(embedded_store(folder, lexical, settings, str(root.key)), folder, str(folder))


def embedded_store(
    folder: Path, lexical: Lexical, settings: Settings, owner: str = ""
) -> EmbeddedStore:
    """A store in a folder.

    What was replaced stays in old files for a while. So an index that holds what must not be
    shown is not brought up to date but built anew.
    """
    made = f"{analysis(lexical, settings)} secrets={secrecy(settings)}"
    place = private_folder(folder, settings)
    return EmbeddedStore(folder, made, wait_s=settings.wait_s, place=place, owner=owner)


def _clustered(root: Root, lexical: Lexical, settings: Settings) -> Kept:
    from plait.stores.cluster.address import Address
    from plait.stores.cluster.store import ClusterStore

    address = Address.parse(settings.store, os.environ)
    store = ClusterStore(address, analysis(lexical, settings))
    folder = record_folder(root, address.collection, str(address), settings)
    return Kept(store, folder, str(address))
