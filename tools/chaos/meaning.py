"""Vectors for the chaos runs: a model that costs next to nothing, and an oracle that compares
every vector a generation holds with the text it should stand for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plait.answering.index import Index
from plait.index.embed import embed as embed_store
from plait.index.embed import passage_key
from plait.lanes.dense import Dense
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.manifest import VectorRecord
from plait.stores.embedded.vectors import ABSENT, VectorFile
from plait.stores.leases import LeasedSnapshot
from plait.types import And, ChunkId, Passage, Scope, Snapshot, Tag, Vectors

DIMENSION = 64
CLOSE = 0.99  # the cosine of a vector and the same vector after it was kept
QUESTIONS = ("parse token stream", "merge segment", "how is a vector updated", "文")
EVERYTHING = And(())


class Hashed:
    """An encoder whose vectors are drawn from a text's hash: no two texts lie near by chance."""

    name = "hashed"
    dimension = DIMENSION
    waits = False

    def __init__(self, digest: str = "c" * 32) -> None:
        self.digest = digest

    def questions(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions: those of passages without a name."""
        return self.passages([Passage("", text) for text in texts])

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code."""
        import numpy  # not before: who forks must have no threads

        raw = b"".join(
            hashlib.shake_256(self.digest.encode() + passage_key(passage)).digest(DIMENSION)
            for passage in passages
        )
        floats = numpy.frombuffer(raw, "i1").astype("<f4").reshape(-1, DIMENSION) + 0.5
        floats /= numpy.sqrt((floats * floats).sum(axis=1, keepdims=True))
        return Vectors(DIMENSION, floats.tobytes())


def lane(index: Index) -> Dense:
    """The lane of meaning over an index, with our encoder."""
    return Dense(Hashed(), index.reader.lexical)


def embed(index: Index, within_s: float = 0.0) -> int:
    """Make vectors for as long as is allowed; the generation."""
    dense = lane(index)
    return embed_store(index.reader.store, dense.encoder, dense.passage, within_s=within_s)


def missing(snapshot: Snapshot) -> int:
    """How many chunks have no vector, by the snapshot's own account."""
    return snapshot.missing_vectors(Hashed().digest)


def nearest(snapshot: Snapshot) -> list[Any]:
    """What the vectors of a snapshot answer: hits and notes of some questions."""
    encoder = Hashed()
    given: list[Any] = []
    for where in (EVERYTHING, Tag("lang", "python")):
        for text in QUESTIONS:
            question = encoder.questions([text])
            found = snapshot.nearest(encoder.digest, question, where, Scope(), 10)
            hits = [[str(hit.chunk), hit.score] for hit in found.hits]
            given.append([hits, list(found.notes)])
    return given


def near(snapshot: Snapshot) -> list[Any]:
    """What the vectors of a snapshot answer, and those vectors: plain values to compare."""
    kept = [
        [[str(key) for key in keys], hashlib.sha256(vectors.data).hexdigest()]
        for keys, vectors in snapshot.embedded(Hashed().digest, EVERYTHING, Scope())
    ]
    return [nearest(snapshot), kept, missing(snapshot)]


def mixtures(index: Index, snapshot: Snapshot) -> list[str]:
    """Where words and vectors of one generation do not stand for the same chunks.

    Every vector must have been made of the text its chunk has in this generation, and the
    chunks that have none must be as many as the manifest says.
    """
    dense = lane(index)
    assert isinstance(snapshot, LeasedSnapshot)
    manifest, root = snapshot.whole.manifest, index.writer.folder
    faults = []
    ids = [
        key
        for repo in snapshot.repos()
        for path in snapshot.digests(repo)
        for key in snapshot.outline(repo, path)
    ]
    kept = snapshot.vectors(dense.encoder.digest, ids)
    chunks = snapshot.fetch(ids)
    encoded = dense.encoder.passages([dense.passage(chunks[key]) for key in kept])
    for row, (key, vectors) in enumerate(kept.items()):
        if _cosine(vectors, encoded.rows([row])) < CLOSE:
            faults.append(f"the vector of {key} is of something else")
    if len(ids) - len(kept) != missing(snapshot):
        faults.append(f"{len(ids) - len(kept)} chunks lack vectors, not {missing(snapshot)}")
    layers = {record.name: record for record in manifest.layers}
    for record in manifest.vectors:
        if record.file not in manifest.files:
            faults.append(f"{record.file} is in use and in no list of files")
        elif record.layer and record.layer not in layers:
            faults.append(f"{record.file} is of layer {record.layer}, which is not here")
        elif record.layer:
            layer = Layer(root / "layers", record.layer, layers[record.layer].dead)
            faults += _of_layer(root, record, layer, dense)
    return faults


def _of_layer(root: Path, record: VectorRecord, layer: Layer, dense: Dense) -> list[str]:
    """What is wrong with the keys of one file."""
    keys = VectorFile(root / record.file, record.model, layer.chunk_count).keys
    faults, absent = [], 0
    for file_row in layer.file_rows():
        for ordinal, row in enumerate(layer.chunk_rows(file_row)):
            chunk = layer.chunk(row, ChunkId(*layer.file_key(file_row), ordinal))
            key = keys[row].tobytes()
            absent += key == ABSENT
            if key not in (ABSENT, passage_key(dense.passage(chunk))):
                faults.append(f"the vector of {chunk.id} has the key of something else")
    if absent != record.missing:
        faults.append(f"{record.file} lacks {absent} chunks that live, not {record.missing}")
    return faults


def _cosine(one: Vectors, other: Vectors) -> float:
    import numpy

    left, right = (numpy.frombuffer(side.data, "<f4") for side in (one, other))
    lengths = float(numpy.linalg.norm(left) * numpy.linalg.norm(right))
    return float(left @ right) / lengths if lengths else 0.0
