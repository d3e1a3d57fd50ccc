"""Vectors: what a model made of a text, kept by that text, and which chunks have which.

A text's vector is a document of its own in an index beside the collection's: it outlives the
chunks it was made for, so the same text is never encoded twice, wherever it stands. A chunk
names the key of its text, and carries the same codes in a field in which they are searched.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self

from plait.errors import IndexCorrupt, StoreDegraded
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.documents import chunk_key, id_of
from plait.stores.cluster.queries import CHUNKS, Body, of_repos
from plait.stores.cluster.schema import near_field, vectors_index
from plait.stores.cluster.view import View
from plait.types import ChunkId, Repos, Vectors

BLOCK = 4_096  # chunks listed, and vectors asked for, in one go
BY_KEY = [{"key": "asc"}]
EVERYTHING = 1 << 40
INDEX_MISSING = "index_not_found_exception"


class Coded(NamedTuple):
    """A vector in few bits: a signed byte a coordinate, and what to multiply all of them by."""

    codes: bytes
    scale: float

    def to_json(self) -> Json:
        """As it is kept."""
        return {"codes": base64.b64encode(self.codes).decode(), "scale": self.scale}

    @classmethod
    def from_json(cls, kept: Json) -> Self:
        """Read it back."""
        return cls(base64.b64decode(kept["codes"]), kept["scale"])


def text_id(field: str, key: str) -> str:
    """The id of the vector of a text, by the field of its model's vectors."""
    return f"{field}.{key}"


def kept_vectors(connection: Connection, ids: Iterable[str]) -> dict[str, Coded]:
    """The vectors kept under some ids, also those written just now.

    Raises:
        StoreDegraded: Some could not be looked for.
    """
    wanted = sorted(set(ids))
    index = vectors_index(connection.address.collection)
    found: dict[str, Coded] = {}
    for begin in range(0, len(wanted), BLOCK):
        asked = {"ids": wanted[begin : begin + BLOCK]}
        for document in connection.ask("POST", f"/{index}/_mget", asked)["docs"]:
            error = document.get("error")
            if error and error["type"] != INDEX_MISSING:
                raise StoreDegraded(
                    f"vectors on {connection.address} cannot be read: {error.get('reason', '')}",
                    hint="look at the cluster's health: plait status --store ...",
                )
            if document.get("found"):
                found[document["_id"]] = Coded.from_json(document["_source"]["coded"])
    return found


def having(model: str) -> Body:
    """A query for the chunks that have a vector of a model."""
    return {"term": {"models": near_field(model)}}


def missing_vectors(view: View, model: str, repos: Repos = None) -> int:
    """How many chunks have no vector of a model yet."""
    filters = [CHUNKS, *of_repos(repos)]
    return view.count({"bool": {"filter": filters, "must_not": [having(model)]}})


def vectors_of(view: View, model: str, ids: Sequence[ChunkId]) -> dict[ChunkId, Vectors]:
    """The vector of each of these chunks; those without one are left out."""
    found: dict[ChunkId, Vectors] = {}
    wanted = list(dict.fromkeys(ids))
    for begin in range(0, len(wanted), BLOCK):
        keys = [chunk_key(key) for key in wanted[begin : begin + BLOCK]]
        for block, vectors in embedded(view, model, [{"terms": {"key": keys}}]):
            found |= {key: vectors.rows([row]) for row, key in enumerate(block)}
    return {key: found[key] for key in wanted if key in found}


def embedded(
    view: View, model: str, filters: Sequence[Body]
) -> Iterator[tuple[list[ChunkId], Vectors]]:
    """Every chunk that passes the filters and has a vector, in the order of ids, with it.

    Raises:
        IndexCorrupt: A chunk's vector is not kept any more.
    """
    field = near_field(model)
    body: Body = {
        "query": {"bool": {"filter": [having(model), *filters]}},
        "sort": BY_KEY,
        "_source": [f"texts.{field}"],
    }
    for page in view.pages(body, EVERYTHING, page=BLOCK):
        keys = [id_of(hit["sort"][0]) for hit in page]
        texts = [text_id(field, hit["_source"]["texts"][field]) for hit in page]
        kept = kept_vectors(view.connection, texts)
        lost = len(set(texts)) - len(kept)
        if lost:
            raise IndexCorrupt(
                f"{lost:,} texts have lost their vectors on {view.connection.address}",
                hint="plait index --rebuild makes a new index",
            )
        yield keys, _floats([kept[text] for text in texts])


def _floats(kept: Sequence[Coded]) -> Vectors:
    """Rows as vectors again."""
    import numpy

    codes = numpy.frombuffer(b"".join(one.codes for one in kept), "i1").reshape(len(kept), -1)
    scales = numpy.array([one.scale for one in kept], "<f4")
    floats: Any = codes.astype("<f4") * scales[:, None]
    return Vectors(codes.shape[1], floats.tobytes())
