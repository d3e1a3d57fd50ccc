"""A commit: the next generation, written beside the current one.

It adds a layer for what is new, takes the word index over as hard links and adds segments,
marks what was replaced as dead, and merges layers that have become many or mostly dead.
Nothing a reader sees changes before the store publishes the manifest it returns.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import tantivy

from plait.errors import IndexCorrupt
from plait.private.files import create, entries, remove
from plait.private.folders import make_folder, sync_folder
from plait.stores.changes import sound
from plait.stores.embedded import words
from plait.stores.embedded.embedding import EmbeddedSession
from plait.stores.embedded.layer import GRAMS, SUFFIXES, Layer
from plait.stores.embedded.layer_writer import LayerWriter
from plait.stores.embedded.manifest import (
    REBUILD,
    LayerRecord,
    Manifest,
    VectorRecord,
    generation_folder,
    sync_file,
)
from plait.stores.embedded.proofs import Proofs
from plait.stores.embedded.snapshot import EmbeddedSnapshot
from plait.stores.embedded.vector_set import VectorSet
from plait.stores.embedded.vectors import VectorFile
from plait.types import Change, Model

WRITER_HEAP_BYTES = 600_000_000  # reached only by large builds; fewer, larger segments
SMALL_HEAP_BYTES = 30_000_000
WRITER_DIED = "index writer was killed"  # what tantivy says when one of its threads failed
ROOM_TO_WRITE = 64 << 20  # with less left, a failed write is taken for a full disk
MAX_LAYERS = 8
MAX_DEAD_SHARE = 0.5


class Commit:
    """One generation in the making."""

    def __init__(
        self, root: Path, generation: int, current: Manifest | None, analysis: str
    ) -> None:
        self._root = root
        self._generation = generation
        self._current = current
        self._analysis = analysis
        self._folder = generation_folder(root, generation)
        self._words = self._folder / "words"
        self._layers = root / "layers"
        self._name = f"{generation:06d}"
        self._records = {record.name: record for record in current.layers} if current else {}
        self._totals = Counter(current.totals if current else {})
        self._languages = Counter(current.languages if current else {})
        self._repos = Counter(current.repos if current else {})
        self._vectors = VectorSet(root, self._name, current.vectors if current else ())
        self._open_layers: list[LayerWriter] = []
        self.proofs = Proofs(root)

    def abandon(self) -> None:
        """Remove what was written; the current generation was never touched."""
        for layer in self._open_layers:
            with suppress(OSError):  # a full disk refuses even the last flush
                layer.abandon()
        remove(self._folder)
        for path in entries(self._layers):
            if path.name.startswith(self._name):
                remove(path)

    def apply(self, changes: Iterable[Change]) -> Manifest | None:
        """Write everything but the pointer; None if nothing changes."""
        self._make_folders()
        before = self._start_from(self._current) if self._current else None
        index = words.open_index(self._words, create=self._current is None)
        next_number = self._current.next_number if self._current else 0
        layer = self._new_layer(self._name, next_number)
        if not self._write(changes, layer, index, before) and self._current:
            layer.close()
            return None
        layer.close()
        if layer.next_number > next_number:
            self._keep_layer(layer)
        self._merge_layers()
        return self._manifest(layer.next_number)

    def vector_session(self, model: Model) -> EmbeddedSession:
        """Give chunks vectors that the current generation lacks."""
        current = self._current
        assert current is not None
        lacking = self._vectors.missing_vectors(current.layers, model.digest)
        if lacking:
            self._make_folders()
            self._start_from(current)
        layers = [Layer(self._layers, record.name, record.dead) for record in lacking]
        return EmbeddedSession(self._vectors, layers, model, current.generation)

    def finish_vectors(self, session: EmbeddedSession, model: Model) -> Manifest | None:
        """Write everything but the pointer; None if nothing changes."""
        current = self._current
        assert current is not None
        if not session.finish():
            return None
        if not self._vectors.missing_vectors(current.layers, model.digest):
            self._vectors.empty_attic(model.digest)
        return self._manifest(current.next_number)

    def _make_folders(self) -> None:
        for folder in (self._folder.parent, self._folder, self._words, self._layers):
            make_folder(folder)
        create(self._words / words.READERS_LOCK).close()

    def _start_from(self, current: Manifest) -> EmbeddedSnapshot:
        """Give the new generation the words of the current one, and open that to look up."""
        try:
            snapshot = EmbeddedSnapshot(self._root, current)  # proves every file
            self.proofs = Proofs(self._root)
            _link_words(self._root, current, self._words)
            self.proofs.carry(current.files)
            return snapshot
        except FileNotFoundError as error:
            raise IndexCorrupt(f"a file of the index is gone: {error}", hint=REBUILD) from error

    def _new_layer(self, name: str, next_number: int) -> LayerWriter:
        layer = LayerWriter(self._layers, name, next_number)
        self._open_layers.append(layer)
        return layer

    def _keep_layer(self, layer: LayerWriter) -> None:
        """Make a layer that is written part of the generation."""
        from plait.stores.embedded.gram_writer import write_grams

        grams = self._layers / f"{layer.name}.{GRAMS}"
        write_grams(Layer(self._layers, layer.name), grams)
        self._records[layer.name] = LayerRecord(layer.name, (), layer.source_size, 0)

    def _write(
        self,
        changes: Iterable[Change],
        layer: LayerWriter,
        index: tantivy.Index,
        before: EmbeddedSnapshot | None,
    ) -> int:
        """Feed layer and word index; how many files changed."""
        writer = index.writer(SMALL_HEAP_BYTES if before else WRITER_HEAP_BYTES, 1)
        try:
            changed = self._feed(changes, layer, writer, before)
            if changed or before is None:
                writer.commit()
        except ValueError as error:
            if WRITER_DIED in str(error):  # why, it does not say; the disk may
                self._blame_disk(error)
            raise
        finally:
            with suppress(ValueError):  # it may have died already
                writer.wait_merging_threads()  # its threads write files until they are joined
        return changed

    def _blame_disk(self, error: ValueError) -> None:
        free = shutil.disk_usage(self._words).free
        if free < ROOM_TO_WRITE:
            raise OSError(errno.ENOSPC, f"{free:,} bytes are left") from error
        raise OSError(errno.EIO, "the word index's writer stopped: the disk failed") from error

    def _feed(
        self,
        changes: Iterable[Change],
        layer: LayerWriter,
        writer: tantivy.IndexWriter,
        before: EmbeddedSnapshot | None,
    ) -> int:
        count = 0
        for change in sound(changes):
            count += 1  # there may be none
            if before is not None:
                for number in self._bury(before, change):
                    writer.delete_documents_by_query(words.one_chunk(number))
            if change.file is None:
                continue
            for number, entry in zip(layer.add(change), change.entries, strict=True):
                writer.add_document(words.document(entry, number))
            symbols = {id(entry.chunk.symbol) for entry in change.entries if entry.chunk.symbol}
            self._count(change, 1, len(change.entries), len(symbols))
        return count

    def _count(self, change: Change, files: int, chunks: int, symbols: int) -> None:
        assert change.file is not None
        self._totals.update(
            files=files, chunks=chunks, symbols=symbols, source_bytes=len(change.file.content)
        )
        self._repos[change.repo] += files
        self._languages[change.file.language or "text"] += files

    def _bury(self, before: EmbeddedSnapshot, change: Change) -> Iterator[int]:
        """Mark the file a change replaces as dead; the numbers of its chunks."""
        found = before.find_file(change.repo, change.path)
        if found is None:
            return
        layer, row = found
        record = self._records[layer.name]
        totals = layer.totals(row)
        self._records[layer.name] = LayerRecord(
            record.name,
            tuple(sorted({*record.dead, row})),
            record.source_bytes,
            record.dead_bytes + totals.source_bytes,
        )
        self._totals.subtract(totals._asdict())
        self._repos[change.repo] -= 1
        self._languages[layer.strings[layer.file_row(row).language] or "text"] -= 1
        yield from (layer.number(chunk) for chunk in layer.chunk_rows(row))

    def _merge_layers(self) -> None:
        """Rewrite the newest layers into one when there are too many or too much is dead."""
        records = sorted(self._records.values(), key=lambda record: record.name)
        first = _first_to_merge(records)
        if first is None:
            return
        name = f"{self._name}m"
        merged = self._new_layer(name, 0)
        kept: list[tuple[str, range]] = []  # chunks of the merged layer, in order
        dropped: list[tuple[str, range]] = []
        for record in records[first:]:
            layer = Layer(self._layers, record.name, record.dead)
            for row in range(layer.file_count):
                rows = layer.chunk_rows(row)
                if row in layer.dead:
                    dropped.append((record.name, rows))
                    continue
                number = layer.number(rows.start)
                merged.add(layer.change(row), range(number, number + len(rows)))
                kept.append((record.name, rows))
            del self._records[record.name]
        merged.close()
        if merged.file_count:
            self._keep_layer(merged)
        self._vectors.merge(name if merged.file_count else "", kept, dropped)

    def _counted(self, record: VectorRecord) -> VectorRecord:
        """A record that misses only what is still alive."""
        before = self._current.layers if self._current else ()
        layer = self._records.get(record.layer)
        if not record.missing or layer is None or layer in before:
            return record
        opened = Layer(self._layers, layer.name, layer.dead)
        present = VectorFile(self._root / record.file, record.model, record.rows).present
        alive = (opened.chunk_rows(row) for row in opened.file_rows())
        missing = sum(len(rows) - int(present[rows.start : rows.stop].sum()) for rows in alive)
        return replace(record, missing=missing)

    def _manifest(self, next_number: int) -> Manifest:
        """Make every file durable and account for it."""
        _drop_unused_words(self._words)
        known = self._current.files if self._current else {}
        old_words = _words_prefix(self._current.generation) if self._current else ""
        files: dict[str, tuple[int, str]] = {}
        for path in sorted(self._words.iterdir()):
            key = f"{_words_prefix(self._generation)}{path.name}"
            linked = known.get(f"{old_words}{path.name}") if path.name != "meta.json" else None
            files[key] = linked or self._written(key)
        for name in sorted(self._records):
            for suffix in SUFFIXES:
                key = f"layers/{name}.{suffix}"
                files[key] = known.get(key) or self._written(key)
        for vectors in self._vectors.records():
            files[vectors.file] = known.get(vectors.file) or self._written(vectors.file)
        create(self._words / words.READERS_LOCK).close()  # readers make no file
        sync_folder(self._words)
        sync_folder(self._layers)
        return Manifest(
            generation=self._generation,
            analysis=self._analysis,
            next_number=next_number,
            layers=tuple(self._records[name] for name in sorted(self._records)),
            files=files,
            totals={
                key: self._totals[key] for key in ("files", "chunks", "symbols", "source_bytes")
            },
            languages={key: count for key, count in self._languages.items() if count > 0},
            repos={key: count for key, count in self._repos.items() if count > 0},
            vectors=tuple(self._counted(record) for record in self._vectors.records()),
        )

    def _written(self, name: str) -> tuple[int, str]:
        """Make a new file durable; its size and SHA-256."""
        sync_file(self._root / name)
        return self.proofs.read(name)


def _words_prefix(generation: int) -> str:
    return f"generations/{generation:06d}/words/"


def _link_words(root: Path, current: Manifest, folder: Path) -> None:
    """Give a new generation the segments of the one before; only its list is its own."""
    prefix = _words_prefix(current.generation)
    for name in current.files:
        if name.startswith(prefix):
            target = folder / name.removeprefix(prefix)
            if target.name == "meta.json":
                shutil.copyfile(root / name, target)
                continue
            try:
                os.link(root / name, target)
            except OSError:  # a file system without hard links
                shutil.copyfile(root / name, target)
                sync_file(target)


def _drop_unused_words(folder: Path) -> None:
    """Remove what the word index left behind: merged segments, old deletions, locks."""
    meta = json.loads((folder / "meta.json").read_bytes())
    live = {}
    for segment in meta["segments"]:
        deletes = segment["deletes"]
        live[segment["segment_id"].replace("-", "")] = deletes and str(deletes["opstamp"])
    for path in folder.iterdir():
        stem, *rest = path.name.split(".")
        is_live = stem in live and (rest[-1] != "del" or rest[0] == live[stem])
        if path.name != "meta.json" and not is_live:
            path.unlink()


def _first_to_merge(records: list[LayerRecord]) -> int | None:
    """The oldest layer to merge with all newer ones, or None to leave them be.

    Each layer taken in is at most twice what is merged already, so a byte is rewritten a
    logarithmic number of times.
    """
    mostly_dead = [
        at
        for at, record in enumerate(records)
        if record.dead_bytes > MAX_DEAD_SHARE * record.source_bytes and record.dead
    ]
    if len(records) <= MAX_LAYERS and not mostly_dead:
        return None
    if mostly_dead and len(records) <= MAX_LAYERS:
        return mostly_dead[0]
    first = len(records) - 2
    alive = sum(r.source_bytes - r.dead_bytes for r in records[first:])
    while first > 0 and records[first - 1].source_bytes <= 2 * alive:
        first -= 1
        alive += records[first].source_bytes - records[first].dead_bytes
    return first
