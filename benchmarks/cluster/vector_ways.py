"""Ways to keep vectors on a cluster, each as an index of its own that can be filled and asked."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from plait.stores.cluster.bulk import Bulk
from plait.stores.cluster.connection import Connection
from plait.stores.quantized import quantized
from plait.types import Vectors

Floats = NDArray[numpy.float32]
SHARES = {"1/10": 10, "1/100": 100}  # of the vectors, by a filter
TOPS = (10, 100)  # how many of the best are looked for
MERGE_S = 600


class Kept(NamedTuple):
    """A way to keep vectors."""

    name: str
    data_type: str
    links: int  # of each vector to others, in the graph
    construction: int  # candidates looked at for the links of each
    encoder: dict[str, Any] | None = None

    def mapping(self, dimension: int) -> dict[str, Any]:
        """The field as OpenSearch is told of it."""
        parameters: dict[str, Any] = {"m": self.links, "ef_construction": self.construction}
        if self.encoder:
            parameters["encoder"] = self.encoder
        return {
            "type": "knn_vector",
            "dimension": dimension,
            "data_type": self.data_type,
            "method": {
                "name": "hnsw",
                "engine": "lucene",
                "space_type": "cosinesimil",
                "parameters": parameters,
            },
        }


WAYS = (
    Kept("byte-16-128", "byte", 16, 128),
    Kept("byte-16-256", "byte", 16, 256),
    Kept("byte-32-128", "byte", 32, 128),
    Kept("float-16-128", "float", 16, 128),
    Kept("sq-16-128", "float", 16, 128, {"name": "sq"}),
)


class Field:
    """One way to keep vectors, on the cluster."""

    def __init__(self, connection: Connection, way: Kept, dimension: int) -> None:
        self._connection = connection
        self._way = way
        self.index = f"plait.bench.{connection.address.collection}.{way.name}"
        self.drop()
        properties = {"near": way.mapping(dimension), "share": {"type": "keyword"}}
        body = {
            "settings": {
                "index": {
                    "knn": True,
                    "number_of_replicas": 0,
                    "refresh_interval": "-1",
                    "use_compound_file": False,
                }
            },
            "mappings": {"_source": {"excludes": ["near"]}, "properties": properties},
        }
        connection.ask("PUT", f"/{self.index}", body)

    def rows(self, floats: Floats) -> list[list[Any]]:
        """Vectors as they are sent."""
        if self._way.data_type == "byte":
            vectors = Vectors(floats.shape[1], floats.astype("<f4").tobytes())
            return list(quantized(vectors)[0].tolist())
        return [[round(x, 7) for x in row] for row in floats.tolist()]

    def fill(self, floats: Floats) -> None:
        """Write everything."""
        bulk = Bulk(self._connection, self.index)
        for begin in range(0, len(floats), 1_000):
            for number, row in enumerate(self.rows(floats[begin : begin + 1_000]), begin):
                shares = [name for name, every in SHARES.items() if number % every == 0]
                bulk.put(str(number), {"near": row, "share": shares})
        bulk.flush()
        self._connection.ask("POST", f"/{self.index}/_refresh")

    def merge(self) -> None:
        """Make one segment of all."""
        wait = {"max_num_segments": "1", "wait_for_completion": "false"}
        task = self._connection.ask("POST", f"/{self.index}/_forcemerge", params=wait)["task"]
        end = time.monotonic() + MERGE_S
        while not self._connection.ask("GET", f"/_tasks/{task}")["completed"]:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.index} is not merged after {MERGE_S} s")
            time.sleep(1)
        self._connection.ask("POST", f"/{self.index}/_refresh")

    def bytes_on_disk(self) -> dict[str, int]:
        """The size of the files that hold vectors and their graph, by their endings."""
        asked = {"include_segment_file_sizes": "true"}
        stats = self._connection.ask("GET", f"/{self.index}/_stats/segments", params=asked)
        files = stats["_all"]["primaries"]["segments"]["file_sizes"]
        return {
            name: sizes["size_in_bytes"] for name, sizes in files.items() if name.startswith("ve")
        }

    def segments(self) -> int:
        """In how many parts the index is."""
        stats = self._connection.ask("GET", f"/{self.index}/_stats/segments")
        return int(stats["_all"]["primaries"]["segments"]["count"])

    def ask(self, row: list[Any], k: int, share: str = "") -> tuple[list[int], float]:
        """The nearest rows, and the milliseconds the cluster took."""
        near: dict[str, Any] = {"vector": row, "k": k}
        if share:
            near["filter"] = {"term": {"share": share}}
        body = {"query": {"knn": {"near": near}}, "size": min(k, TOPS[-1]), "_source": False}
        start = time.perf_counter()
        answer = self._connection.ask("POST", f"/{self.index}/_search", body)
        took_ms = (time.perf_counter() - start) * 1e3
        return [int(hit["_id"]) for hit in answer["hits"]["hits"]], took_ms

    def drop(self) -> None:
        """Delete it, if it is there."""
        self._connection.ask("DELETE", f"/{self.index}", allowed={404})
