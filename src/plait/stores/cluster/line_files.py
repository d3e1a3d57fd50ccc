"""Line files: the files a search for lines looks at, listed by the index and read in portions.

A list tells how large each file is, so that a portion is so many bytes, not so many files. The
first portion is small, so that a search that wants few lines ends early; the next are larger.
The cluster is told how much time is left; an answer that it had to cut short ends the search.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plait.errors import OutOfTime
from plait.stores.cluster.documents import content_of, key_at
from plait.stores.cluster.queries import Body
from plait.stores.cluster.view import View
from plait.stores.line_search import Budget

FIRST_LISTED = 200  # files of the first list
MOST_LISTED = 10_000
FIRST_BYTES = 256 << 10  # of the first portion of text
MOST_BYTES = 4 << 20
MOST_FILES = 1_000  # of a portion


class Listed(NamedTuple):
    """A file that may have lines that are wanted."""

    key: str
    version: str
    size: int


class FileText(NamedTuple):
    """A file that was read."""

    key: str
    version: str
    content: bytes
    language: str
    tags: tuple[str, ...]
    names: Sequence[tuple[int, int]]  # where those stand that it defines, and their sizes


@dataclass(slots=True)
class FileReader:
    """Reads files as long as there is time."""

    view: View
    budget: Budget
    _portion: int = FIRST_BYTES

    def search(self, body: Body) -> list[Body]:
        """The hits of a query.

        Raises:
            OutOfTime: They would come too late, or not all of them.
        """
        self.budget.check_time()
        left_ms = max(1, int(1_000 * (self.budget.deadline - time.monotonic())))
        timed = {**body, "timeout": f"{left_ms}ms"}
        answer = self.view.search(timed, allow_partial_search_results="true")
        if answer["_shards"]["failed"]:
            answer = self.view.search(body)  # half an answer is none; this says what is wrong
        elif answer["timed_out"]:
            raise OutOfTime("not everything was read in time")
        hits: list[Body] = answer["hits"]["hits"]
        return hits

    def pages(self, body: Body, first: int = MOST_LISTED) -> Iterator[list[Body]]:
        """All hits in the order the body asks for, the first few soon."""
        size = first
        after: Body = {}
        while True:
            hits = self.search({**body, "size": size, **after})
            if hits:
                yield hits
            if len(hits) < size:
                return
            after = {"search_after": hits[-1]["sort"]}
            size = min(4 * size, MOST_LISTED)

    def listed(self, query: Body, *, by_shelf: bool) -> Iterator[list[Listed]]:
        """The files a query finds, by path; tests and the like last, if that is wanted."""
        fields = [*(["shelf"] if by_shelf else []), "place", "version", "bytes"]
        body: Body = {
            "query": query,
            "sort": [{field: "asc"} for field in fields],
            "stored_fields": "_none_",
        }
        for hits in self.pages(body, FIRST_LISTED):
            rows = (hit["sort"][-3:] for hit in hits)
            yield [Listed(key_at(place), version, size) for place, version, size in rows]

    def read(self, files: Iterable[Listed]) -> Iterator[list[FileText]]:
        """Files with their texts, in the order given, portion by portion."""
        some: list[Listed] = []
        size = 0
        for file in files:
            if some and (size + file.size > self._portion or len(some) >= MOST_FILES):
                yield self._texts(some)
                some, size = [], 0
                self._portion = min(2 * self._portion, MOST_BYTES)
            some.append(file)
            size += file.size
        if some:
            yield self._texts(some)

    def _texts(self, files: Sequence[Listed]) -> list[FileText]:
        body: Body = {
            "query": {"ids": {"values": [file.version for file in files]}},
            "sort": ["_doc"],
            "_source": True,  # hardly more than the content, and faster than to pick that out
            "size": len(files),
        }
        kept = {hit["_id"]: hit["_source"]["content"] for hit in self.search(body)}
        return [
            FileText(
                file.key,
                file.version,
                content_of(kept[file.version]),
                kept[file.version]["language"],
                tuple(kept[file.version]["tags"]),
                kept[file.version]["names"],
            )
            for file in files
        ]
