"""Chunk places: from a document of the word index to a chunk of a layer, its file and its id."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from tantivy import DocAddress, Occur, Query, Searcher

from plait.errors import IndexCorrupt
from plait.stores.embedded.layer import Layer
from plait.stores.embedded.manifest import REBUILD
from plait.stores.embedded.words import SCHEMA, translate
from plait.types import ChunkId, Tag


class ChunkPlaces:
    """Where the chunks of a generation are."""

    def __init__(self, layers: Sequence[Layer], searcher: Searcher) -> None:
        self.layers = layers
        self._searcher = searcher
        self._bases = [layer.first_number for layer in layers]
        self._file_of: dict[tuple[str, str], tuple[int, int]] = {}  # key to (layer, file row)
        self._key_of: dict[tuple[int, int], tuple[str, str, range]] = {}  # and its chunks' rows

    def numbers(self, addresses: Iterable[DocAddress]) -> list[int]:
        """The chunk numbers of documents."""
        numbers = self._searcher.fast_field_values("chunk", list(addresses))
        if None in numbers:
            raise IndexCorrupt("the word index holds a chunk without a number", hint=REBUILD)
        return numbers  # type: ignore[return-value]  # none is None

    def locate(self, number: int) -> tuple[int, int]:
        """Layer and row of a chunk number."""
        at = bisect_right(self._bases, number) - 1
        row = self.layers[at].row_of(number) if at >= 0 else -1
        if row < 0:
            raise IndexCorrupt(
                f"the word index names chunk {number}, which no layer holds", hint=REBUILD
            )
        return at, row

    def keys(self, numbers: Iterable[int]) -> list[ChunkId]:
        """The ids of chunk numbers; on the path of every search, so in one go."""
        keys, layers, known_files, locate = [], self.layers, self._key_of, self.locate
        for number in numbers:
            at, row = locate(number)
            place = (at, layers[at].file_of(row))
            known = known_files.get(place)
            if known is None:
                known = self._remember(place)
            repo, path, rows = known
            if row not in rows:
                raise IndexError(f"chunk {number} is not one of its file's")
            keys.append(ChunkId(repo, path, row - rows.start))
        return keys

    def _remember(self, place: tuple[int, int]) -> tuple[str, str, range]:
        at, file_row = place
        layer = self.layers[at]
        key = layer.file_key(file_row)
        known = self._key_of[place] = (*key, layer.chunk_rows(file_row))
        self._file_of[key] = place
        return known

    def place(self, key: ChunkId) -> tuple[int, int] | None:
        """Layer and row of a chunk, or None if there is no such chunk."""
        repo, path, ordinal = key
        place = self._file_of.get((repo, path)) or self.find_file(repo, path)
        if place is None:
            return None
        rows = self._key_of[place][2]
        return (place[0], rows[ordinal]) if 0 <= ordinal < len(rows) else None

    def find_file(self, repo: str, path: str) -> tuple[int, int] | None:
        """Layer and file row of a file, or None."""
        known = self._file_of.get((repo, path))
        if known is not None:
            return known
        query = Query.boolean_query(
            [
                (Occur.Must, Query.term_query(SCHEMA, "file", path)),
                (Occur.Must, translate(Tag("repo", repo))),
            ]
        )
        hits = self._searcher.search(query, 1, count=False).hits
        if not hits:
            return None
        (number,) = self.numbers([hits[0][1]])
        self.keys([number])  # remembers the file
        return self._file_of.get((repo, path))

    def text(self, number: int) -> bytes:
        """The text of a chunk number."""
        at, row = self.locate(number)
        return self.layers[at].chunk_text(row)
