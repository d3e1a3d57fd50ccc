"""Schema: how files, chunks and the manifest look to OpenSearch.

One index holds a whole collection: words for BM25, exact properties, references, vectors, the
grams of files by which patterns are found, and the text. Terms are made by us and separated by
spaces, so both engines see the same words. A document is written once and deleted once; only
vectors are added to one later.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from plait.stores.cluster.address import Address
from plait.types import Field

FORMAT = 2
MAX_TERM = 8_000  # letters; a longer run without a space is nothing anybody looks for
MANIFEST = "manifest"  # the id of the one document that says what is there
NEAR = "near_"  # fields of vectors begin so

SPACES = "plait_spaces"
EXACT: dict[str, Any] = {"type": "keyword", "doc_values": False}
LISTED: dict[str, Any] = {"type": "keyword", "index": False}
COUNT: dict[str, Any] = {"type": "long", "index": False}
SORTED: dict[str, Any] = {"type": "integer", "index": False}
KEPT: dict[str, Any] = {"type": "object", "enabled": False}
GRAMS: dict[str, Any] = {
    "type": "text",
    "analyzer": SPACES,
    "index_options": "docs",
    "norms": False,
}


def alias_of(collection: str) -> str:
    """The name a collection is asked by."""
    return f"plait-{collection}"


def index_name(collection: str, number: int) -> str:
    """The index behind the name; a collection built anew gets the next number."""
    return f"{alias_of(collection)}.{number:06d}"


def vectors_index(collection: str) -> str:
    """Where vectors are kept by the text they were made of."""
    return f"plait.vectors.{collection}"


TEMPLATE = "plait"  # one for all collections


def template() -> dict[str, Any]:
    """What every index of every collection is made with."""
    made: dict[str, Any] = {
        "index_patterns": [f"{alias_of('*')}.*"],
        "priority": 500,
        "template": {"settings": _settings(), "mappings": _mappings()},
    }
    digest = hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()
    return {**made, "_meta": {"made_by": "plait", "digest": digest}}


def own_settings(address: Address) -> dict[str, Any]:
    """What a collection may have for itself."""
    return {"index": {"number_of_shards": address.shards, "number_of_replicas": address.replicas}}


def _settings() -> dict[str, Any]:
    return {
        "index": {
            "refresh_interval": "-1",  # what is written is seen when a commit says so
            "allocation.max_retries": 100,  # as long as points in time may hold what was lost
            "gc_deletes": "15m",  # so long a deleted document is not written again by latecomers
            "knn": True,
            "max_terms_count": 65_536,
            "merge.policy.deletes_pct_allowed": "10",  # they weigh on scores until merged away
            "similarity": {"default": {"type": "BM25", "k1": 1.2, "b": 0.75}},
            "analysis": {
                "tokenizer": {SPACES: {"type": "whitespace", "max_token_length": MAX_TERM}},
                "analyzer": {SPACES: {"type": "custom", "tokenizer": SPACES}},
            },
        }
    }


def _mappings() -> dict[str, Any]:
    words = {field.value: _words() for field in Field}
    lengths = {length_field(field): COUNT for field in Field}
    return {
        "dynamic": "strict",
        "_source": {"excludes": ["grams", "path_grams", "name_grams", f"{NEAR}*"]},
        "properties": {
            **words,
            **lengths,  # how many terms each has
            # Of chunks and files.
            "key": {"type": "keyword"},  # repository, path, position: ids in their order
            "version": {"type": "keyword"},  # of the file: what is deleted together
            "born": {"type": "long"},  # the attempt that wrote it
            "tags": EXACT,
            "path": EXACT,
            "path_low": EXACT,
            # Of chunks.
            "defines": EXACT,
            "refers": EXACT,
            "models": EXACT,  # that it has a vector of, by the field of their vectors
            "texts": KEPT,  # by such a field, the key of what was encoded
            "called": LISTED,  # what it defines; then ``shelf`` is that of its file
            "name_size": SORTED,
            "name_grams": GRAMS,
            "chunk": KEPT,
            "links": KEPT,  # what it says about other code
            # Of files.
            "place": LISTED,  # repository and path: sorts folder by folder
            "file": EXACT,  # repository and path as one short term
            "repo": LISTED,
            "language": LISTED,
            "marks": LISTED,  # test, generated and the like, separated by spaces
            "digest": LISTED,
            "chunks": COUNT,
            "symbols": COUNT,
            "bytes": COUNT,
            "shelf": SORTED,  # 0: shown first; 1: tests and the like
            "path_grams": GRAMS,
            "grams": GRAMS,
            "content": KEPT,
            # Of the manifest and of lists of what is dead.
            "manifest": KEPT,
            "dead": KEPT,
        },
    }


def _words() -> dict[str, Any]:
    return {"type": "text", "analyzer": SPACES, "index_options": "freqs"}


def length_field(field: Field) -> str:
    """Where the number of terms of a field is kept."""
    return f"{field.value}_length"


def near_field(model: str) -> str:
    """The field that holds the vectors of a model."""
    return f"{NEAR}{model[:24]}"


def near_mapping(model: str, dimension: int) -> dict[str, Any]:
    """How a model's vectors are found: by Lucene's graph, a signed byte a coordinate."""
    return {
        "properties": {
            near_field(model): {
                "type": "knn_vector",
                "dimension": dimension,
                "data_type": "byte",
                "method": {
                    "name": "hnsw",
                    "engine": "lucene",
                    "space_type": "cosinesimil",
                    "parameters": {"m": 16, "ef_construction": 128},
                },
            }
        }
    }


def vectors_body(address: Address) -> dict[str, Any]:
    """What the index is made with that keeps vectors by their texts."""
    return {
        "settings": {
            "index": {
                "number_of_shards": address.shards,
                "number_of_replicas": address.replicas,
                "refresh_interval": "30s",  # nobody searches it: a get sees what was written
            }
        },
        "mappings": {"dynamic": "strict", "properties": {"coded": KEPT}},
    }
