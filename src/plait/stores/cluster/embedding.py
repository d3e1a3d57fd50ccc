"""Embedding: the chunks of a generation are given the vectors they lack, in the order of ids.

OpenSearch changes a document by writing it anew from what it kept of it. What it did not keep
is lost unless it is said again: the vectors of other models, and the grams of names.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from plait.errors import IndexBusy, StoreError
from plait.stores.cluster.bulk import Bulk
from plait.stores.cluster.commit import HOLD_PAUSE_S, refresh, store_bytes
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.documents import chunk_of, id_of
from plait.stores.cluster.grams import gram_terms
from plait.stores.cluster.manifest import STALE_S, Manifest, Read, change_manifest
from plait.stores.cluster.queries import CHUNKS, Body
from plait.stores.cluster.schema import near_field, near_mapping, vectors_body, vectors_index
from plait.stores.cluster.settling import PAUSE_S, settle
from plait.stores.cluster.vectors import (
    BY_KEY,
    EVERYTHING,
    Coded,
    having,
    kept_vectors,
    missing_vectors,
    text_id,
)
from plait.stores.cluster.view import View
from plait.stores.properties import names_of
from plait.stores.quantized import quantized
from plait.stores.whole_files import whole_files
from plait.types import Chunk, Model, Vectors

WRITERS = 2  # requests under way at a time
REFUSED = 400
ALREADY_THERE = "resource_already_exists_exception"


class Blank(NamedTuple):
    """A chunk without a vector of the model, and what its document has of others."""

    document: str  # its id
    chunk: Chunk
    texts: dict[str, str]  # by the field of a model's vectors, the key of what was encoded


class ClusterSession:
    """The chunks of a view that lack vectors of a model are given them.

    Args:
        view: The generation.
        model: Whose vectors they are.
    """

    writers = WRITERS

    def __init__(self, view: View, model: Model) -> None:
        self._view = view
        self._model = model
        self._given = 0
        self.generation = view.manifest.generation
        self.missing = missing_vectors(view, model.digest)
        if self.missing:
            _prepare(view.connection, view.read.index, model)

    def batches(self, size: int) -> Iterator[ClusterBatch]:
        """Chunks by their ids, never a file in two batches."""
        files = groupby(self._blanks(size), lambda blank: blank.chunk.id[:2])
        for blanks in whole_files((chunks for _, chunks in files), size):
            self._given += len(blanks)
            yield ClusterBatch(self._view, self._model, blanks)

    def _blanks(self, page: int) -> Iterator[Blank]:
        body: Body = {
            "query": {"bool": {"filter": [CHUNKS], "must_not": [having(self._model.digest)]}},
            "sort": BY_KEY,
            "_source": ["chunk", "models", "texts"],
        }
        for hits in self._view.pages(body, EVERYTHING, page=page):
            for hit in hits:
                kept = hit["_source"]
                texts = {field: kept["texts"][field] for field in kept.get("models", ())}
                yield Blank(hit["_id"], chunk_of(id_of(hit["sort"][0]), kept["chunk"]), texts)

    def publish(self, within_s: float) -> None:
        """Make what was put a generation of its own."""
        if not self._given:
            return
        connection, index = self._view.connection, self._view.read.index
        self.generation = _publish(connection, index)
        if self._given >= self.missing and within_s > PAUSE_S:  # a search on its way has less
            settle(connection, index)


class ClusterBatch:
    """Some chunks without a vector. Several batches may be put at once.

    Args:
        view: Where they are.
        model: Whose vectors they get.
        blanks: The chunks.
    """

    def __init__(self, view: View, model: Model, blanks: Sequence[Blank]) -> None:
        self.chunks = [blank.chunk for blank in blanks]
        self._connection = view.connection
        self._index = view.read.index
        self._model = model
        self._field = near_field(model.digest)
        self._blanks = blanks
        self._keys: Sequence[str] = ()
        self._known: dict[str, Coded] = {}

    def known(self, keys: Sequence[bytes]) -> frozenset[bytes]:
        """Which texts have a vector. Those of other models are asked for on the way."""
        self._keys = [key.hex() for key in keys]
        others = [text_id(*text) for blank in self._blanks for text in blank.texts.items()]
        own = [text_id(self._field, key) for key in self._keys]
        self._known = kept_vectors(self._connection, [*own, *others])
        return frozenset(key for key, name in zip(keys, own, strict=True) if name in self._known)

    def put(self, made: Mapping[bytes, Vectors]) -> None:
        """Write to texts, then to chunks: no chunk names a text that has no vector."""
        self._keep(made)
        bulk = Bulk(self._connection, self._index)
        for blank, key in zip(self._blanks, self._keys, strict=True):
            fields = _fields(blank.chunk, {**blank.texts, self._field: key}, self._known)
            bulk.update(blank.document, fields, blank.chunk.repo)
        bulk.flush()

    def _keep(self, made: Mapping[bytes, Vectors]) -> None:
        """Make texts known to every batch that follows."""
        data = b"".join(vector.data for vector in made.values())
        codes, scales = quantized(Vectors(self._model.dimension, data))
        names = [text_id(self._field, key.hex()) for key in made]
        texts = Bulk(self._connection, vectors_index(self._connection.address.collection))
        for name, row, scale in zip(names, codes, scales, strict=True):
            self._known[name] = Coded(row.tobytes(), float(scale))
            texts.put(name, {"coded": self._known[name].to_json()})
        texts.flush()


def _prepare(connection: Connection, index: str, model: Model) -> None:
    """Make room for the vectors of a model, if there is none."""
    address = connection.address
    name = vectors_index(address.collection)
    made = connection.ask("PUT", f"/{name}", vectors_body(address), allowed={REFUSED})
    if made.get("status") == REFUSED and made["error"]["type"] != ALREADY_THERE:
        raise StoreError(f"{address} cannot keep vectors: {made['error']['reason']}")
    mapping = near_mapping(model.digest, model.dimension)
    connection.ask("PUT", f"/{index}/_mapping", mapping)
    change_manifest(connection, index, _removing)


def _removing(read: Read) -> Manifest | None:
    """To change a document is to remove it and to write another."""
    return None if read.manifest.has_removed else replace(read.manifest, has_removed=True)


def _fields(chunk: Chunk, texts: dict[str, str], known: dict[str, Coded]) -> Json:
    """What a chunk's document gets, and what it would lose otherwise.

    A text whose vector is known no more has none. A vector of nothing but zeros points nowhere
    and cannot be searched, but it is there.
    """
    import numpy

    vectors = {
        field: known[name] for field, key in texts.items() if (name := text_id(field, key)) in known
    }
    fields: Json = {"models": sorted(vectors), "texts": {field: texts[field] for field in vectors}}
    for field, vector in vectors.items():
        if any(vector.codes):
            fields[field] = numpy.frombuffer(vector.codes, "i1").tolist()
    if chunk.symbol and names_of(chunk):
        fields["name_grams"] = gram_terms(chunk.symbol.name.encode())
    return fields


def _publish(connection: Connection, index: str) -> int:
    """Make what was written a generation of its own.

    Raises:
        IndexBusy: The collection was built anew meanwhile, or others are always faster.
    """
    refresh(connection, index)
    size = store_bytes(connection, index)
    is_held = True

    def edit(read: Read) -> Manifest | None:
        nonlocal is_held
        manifest = read.manifest
        if manifest.closed_for:
            raise IndexBusy("the collection was rebuilt meanwhile", hint="try again")
        is_held = time.time() < manifest.held_until
        if is_held:
            return None
        return replace(manifest, generation=manifest.generation + 1, index_bytes=size)

    end = time.monotonic() + STALE_S
    while time.monotonic() < end:
        done = change_manifest(connection, index, edit)
        if not is_held:
            return done.manifest.generation
        time.sleep(HOLD_PAUSE_S)
    raise IndexBusy("the collection is being copied all the time", hint="try again later")
