"""Embedding: give the chunks of a generation the vectors they lack, at the cost of what is new.

Chunks come in the order of their ids, whole files at a time. A text that has a vector already
is not encoded: a rename, a branch or a second repository costs nothing but the writing.

OpenSearch changes a document by writing it anew from what it kept of it. What it did not keep
is lost unless it is said again: the vectors of other models, and the grams of names.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
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
from plait.stores.quantized import passage_key, quantized
from plait.types import Chunk, Encoder, Passage

WRITERS = 2  # requests under way at a time
BATCH = 512  # chunks looked up, and encoded, in one go, or a few more
REFUSED = 400
ALREADY_THERE = "resource_already_exists_exception"

PassageOf = Callable[[Chunk], Passage]
Watch = Callable[[int, int], None]  # chunks done, of how many


class Blank(NamedTuple):
    """A chunk without a vector of the model, and what its document has of others."""

    document: str  # its id
    chunk: Chunk
    texts: dict[str, str]  # by the field of a model's vectors, the key of what was encoded


def embed(
    connection: Connection,
    view: View,
    encoder: Encoder,
    passage_of: PassageOf,
    watch: Watch,
    within_s: float,
) -> int:
    """Give chunks vectors, for so long but at least to one batch; the generation with them."""
    end = time.monotonic() + within_s
    missing = missing_vectors(view, encoder.digest)
    if not missing:
        return view.manifest.generation
    _prepare(connection, view.read.index, encoder)
    writer = _Writer(connection, view.read.index, encoder, passage_of)
    done = 0
    with ThreadPoolExecutor(WRITERS) as pool:
        sent: deque[Future[int]] = deque()
        for batch in _batches(view, encoder.digest):
            sent.append(pool.submit(writer.send, writer.updates(batch)))
            is_over = time.monotonic() >= end
            while sent and (is_over or len(sent) > WRITERS):
                done += sent.popleft().result()
                watch(done, missing)
            if is_over:
                break
        for rest in sent:
            done += rest.result()
            watch(done, missing)
    generation = _publish(connection, view.read.index)
    if done >= missing and within_s > PAUSE_S:  # a search that does this on its way gives less
        settle(connection, view.read.index)
    return generation


def _prepare(connection: Connection, index: str, encoder: Encoder) -> None:
    """Make room for the vectors of a model, if there is none."""
    address = connection.address
    name = vectors_index(address.collection)
    made = connection.ask("PUT", f"/{name}", vectors_body(address), allowed={REFUSED})
    if made.get("status") == REFUSED and made["error"]["type"] != ALREADY_THERE:
        raise StoreError(f"{address} cannot keep vectors: {made['error']['reason']}")
    mapping = near_mapping(encoder.digest, encoder.dimension)
    connection.ask("PUT", f"/{index}/_mapping", mapping)
    change_manifest(connection, index, _removing)


def _removing(read: Read) -> Manifest | None:
    """To change a document is to remove it and to write another."""
    return None if read.manifest.has_removed else replace(read.manifest, has_removed=True)


def _batches(view: View, model: str) -> Iterator[list[Blank]]:
    """The chunks without a vector, by their ids, never a file in two batches."""
    batch: list[Blank] = []
    for _, chunks in groupby(_blanks(view, model), lambda blank: blank.chunk.id[:2]):
        batch += chunks
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _blanks(view: View, model: str) -> Iterator[Blank]:
    body: Body = {
        "query": {"bool": {"filter": [CHUNKS], "must_not": [having(model)]}},
        "sort": BY_KEY,
        "_source": ["chunk", "models", "texts"],
    }
    for page in view.pages(body, EVERYTHING, page=BATCH):
        for hit in page:
            kept = hit["_source"]
            texts = {field: kept["texts"][field] for field in kept.get("models", ())}
            yield Blank(hit["_id"], chunk_of(id_of(hit["sort"][0]), kept["chunk"]), texts)


class Update(NamedTuple):
    """What a chunk's document gets."""

    document: str
    fields: Json
    repo: str


class _Writer:
    """Encodes what is new, each text once, and writes vectors to texts and to chunks.

    The next texts are encoded while the cluster still writes the last.
    """

    def __init__(
        self, connection: Connection, index: str, encoder: Encoder, passage_of: PassageOf
    ) -> None:
        self._connection = connection
        self._encoder = encoder
        self._field = near_field(encoder.digest)
        self._passage_of = passage_of
        self._index = index
        self._texts = Bulk(connection, vectors_index(connection.address.collection))

    def updates(self, batch: list[Blank]) -> list[Update]:
        """What chunks get. When it returns, all vectors are kept by their texts."""
        passages = [self._passage_of(blank.chunk) for blank in batch]
        keys = [passage_key(passage).hex() for passage in passages]
        ids = [text_id(self._field, key) for key in keys]
        others = [text_id(*text) for blank in batch for text in blank.texts.items()]
        known = kept_vectors(self._connection, [*ids, *others])
        known |= self._encoded(dict(zip(ids, passages, strict=True)), known)
        return [
            Update(
                blank.document,
                _fields(blank.chunk, {**blank.texts, self._field: key}, known),
                blank.chunk.repo,
            )
            for blank, key in zip(batch, keys, strict=True)
        ]

    def send(self, updates: list[Update]) -> int:
        """Write to chunks; how many they are. Several threads may."""
        bulk = Bulk(self._connection, self._index)
        for document, fields, repo in updates:
            bulk.update(document, fields, repo)
        bulk.flush()
        return len(updates)

    def _encoded(self, wanted: dict[str, Passage], known: dict[str, Coded]) -> dict[str, Coded]:
        """The vectors of texts that have none yet. They are kept before any chunk names them."""
        fresh = {key: passage for key, passage in wanted.items() if key not in known}
        if not fresh:
            return {}
        codes, scales = quantized(self._encoder.passages(list(fresh.values())))
        made = {
            key: Coded(row.tobytes(), float(scale))
            for key, row, scale in zip(fresh, codes, scales, strict=True)
        }
        for key, vector in made.items():
            self._texts.put(key, {"coded": vector.to_json()})
        self._texts.flush()
        return made


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
