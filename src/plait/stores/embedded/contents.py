"""What a generation in a folder holds, opened.

Opening maps files and reads none of those that were proved before. Every method works on what
was mapped, so a generation outlives the commit and the collection of those after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from plait.stores.embedded.chunk_places import ChunkPlaces
from plait.stores.embedded.counts import Counts
from plait.stores.embedded.layer import GRAMS, Layer
from plait.stores.embedded.manifest import Manifest, generation_folder
from plait.stores.embedded.nearest import LayerVectors
from plait.stores.embedded.paths import PathList
from plait.stores.embedded.proofs import Proofs
from plait.stores.embedded.reading import reading
from plait.stores.embedded.tables import mapped
from plait.stores.embedded.watching import Watch
from plait.stores.embedded.word_search import WordSearch
from plait.stores.embedded.words import open_index
from plait.stores.verifying import expect_time
from plait.types import (
    Chunk,
    ChunkId,
    FileFacts,
    FileKey,
    Links,
    SymbolName,
)

if TYPE_CHECKING:
    pass

EMBEDDED_BLOCK = 4_096  # chunks whose vectors are read at a time


class EmbeddedContents:
    """What an open generation holds, by repository, file and chunk.

    Args:
        root: The store.
        manifest: Of the generation.
    """

    layers: list[Layer]  # for the store that made it

    def __init__(self, root: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self._root = root
        self._vectors: dict[str, LayerVectors] = {}  # by model, opened when first asked for
        self._watch = Watch(root, manifest.files, Proofs(root).prove(manifest.files))
        with reading("opening the layers", self._watch.check):
            self.layers = [Layer(root / "layers", r.name, r.dead) for r in manifest.layers]
            self._mapped = {r.file: mapped(root / r.file) for r in manifest.vectors if r.layer}
            self._gram_files = [
                mapped(root / "layers" / f"{r.name}.{GRAMS}") for r in manifest.layers
            ]
        self._paths = PathList(self.layers)
        with reading("opening the word index", self._watch.check):
            words = generation_folder(root, manifest.generation) / "words"
            self._searcher = open_index(words).searcher()
        self._chunks = ChunkPlaces(self.layers, self._searcher)
        self._words = WordSearch(self._searcher, self._chunks, self._paths)
        self._counts = Counts(manifest, self.layers, self._searcher, self._words)

    is_remote = False

    @property
    def generation(self) -> int:
        return self.manifest.generation

    @property
    def is_settled(self) -> bool:
        """Whether its files were old enough when they were proved to be believed from then on."""
        return self._watch.is_settled

    def look(self) -> None:
        """Make sure that nobody wrote to its files.

        Raises:
            IndexCorrupt: Somebody did.
        """
        self._watch.look(at_once=True)

    # ------------------------------------------------------------ what is there

    def _reading(self, what: str) -> reading:
        self._watch.look()
        return reading(what, self._watch.check)

    def repos(self) -> Sequence[str]:
        return sorted(self.manifest.repos)

    def digests(self, repo: str) -> Mapping[str, str]:
        with self._reading("listing files"):
            found: dict[str, str] = {}
            for layer in self.layers:
                found.update(layer.digests(repo))
            return found

    def outline(self, repo: str, path: str) -> Sequence[ChunkId]:
        with self._reading("listing a file"):
            place = self._chunks.find_file(repo, path)
            if place is None:
                return ()
            file = self.layers[place[0]].file_row(place[1])
            return [ChunkId(repo, path, ordinal) for ordinal in range(file.chunks)]

    def roots(self, repos: Iterable[str], until: float = inf) -> Mapping[str, str]:
        expect_time(until)
        with self._reading("listing files"):
            return {repo: self._counts.root(repo) for repo in repos}

    def files(self, keys: Iterable[FileKey], until: float = inf) -> Mapping[FileKey, FileFacts]:
        expect_time(until)
        with self._reading("reading files"):
            found = {}
            for key in keys:
                place = self._chunks.find_file(*key)
                if place is not None:
                    found[key] = self.layers[place[0]].facts(place[1])
            return found

    def _names(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, SymbolName]:
        """The symbols that chunks are of; those of none are left out."""
        with self._reading("reading names"):
            found = {}
            for key in ids:
                place = self._chunks.place(key)
                if place is not None:
                    name = self.layers[place[0]].symbol_name(place[1])
                    if name is not None:
                        found[key] = name
            return found

    def fetch(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Chunk]:
        with self._reading("fetching chunks"):
            found = {}
            for key in ids:
                place = self._chunks.place(key)
                if place is not None:
                    found[key] = self.layers[place[0]].chunk(place[1], key)
            return found

    def links(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, Links]:
        with self._reading("fetching links"):
            found: dict[ChunkId, Links] = {}
            of_file: dict[tuple[str, str], list[Links]] = {}
            for key in ids:
                place = self._chunks.place(key)
                if place is not None:
                    layer, name = self.layers[place[0]], key[:2]
                    if name not in of_file:
                        of_file[name] = layer.links(layer.file_of(place[1]))
                    found[key] = of_file[name][key.ordinal]
            return found
