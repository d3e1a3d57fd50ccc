"""Manifests: a generation is what its manifest names, no more and no less.

    owner                            the digest of the tree it is of (``owner.py``)
    CURRENT                          the generation's number and the digest of its manifest
    generations/000042/manifest.json the files of the generation, with size and SHA-256
    generations/000042/words/        the word index: hard links, so generations share files
    layers/                          text, columns, grams and vectors, shared by generations

Everything a manifest names is written and synced before ``CURRENT`` is replaced, in one
rename. A process killed at any moment leaves either the old ``CURRENT`` or the new one;
what neither names is collected by the next writer.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plait.beneath import is_plain
from plait.errors import FormatMismatch, IndexCorrupt, IndexMissing
from plait.private import files
from plait.private.folders import sync_folder

FORMAT = 5
MAX_COUNT = 1 << 63
MAX_NAME = 200
REBUILD = "plait index --rebuild rebuilds it"


@dataclass(frozen=True, slots=True)
class LayerRecord:
    """A layer as a generation sees it: which of its files are dead, and how much that is."""

    name: str
    dead: tuple[int, ...]  # file rows, rising
    source_bytes: int  # of all its files
    dead_bytes: int  # of the dead ones


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """The vectors one model made of one layer's chunks.

    A record without a layer is the attic: vectors of chunks a merge dropped, kept until the
    next time something is encoded, since what was removed here may have been moved there.
    """

    layer: str
    model: str  # digest
    file: str  # path below the store
    dimension: int
    rows: int
    missing: int  # chunks that are alive and have none yet


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation: every file of every lane, and what they add up to."""

    generation: int
    analysis: str  # how terms were made; lanes that make them otherwise cannot ask
    next_number: int  # of a chunk
    layers: tuple[LayerRecord, ...]
    files: dict[str, tuple[int, str]]  # path below the store to (size, SHA-256)
    totals: dict[str, int]  # files, chunks, symbols, source_bytes
    languages: dict[str, int] = field(default_factory=dict)
    repos: dict[str, int] = field(default_factory=dict)  # files of each
    vectors: tuple[VectorRecord, ...] = ()
    format: int = FORMAT

    def encode(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()


def decode(raw: bytes) -> Manifest:
    """Read a manifest back.

    Raises:
        FormatMismatch: It was written by a plait that lays files out differently.
        IndexCorrupt: It is not a manifest.
    """
    try:
        values: dict[str, Any] = json.loads(raw)
        found = values["format"]
        if found != FORMAT:
            raise FormatMismatch(
                f"the index has format {found}, this plait reads format {FORMAT}", hint=REBUILD
            )
        values["layers"] = tuple(
            LayerRecord(**{**layer, "dead": tuple(layer["dead"])}) for layer in values["layers"]
        )
        values["vectors"] = tuple(VectorRecord(**record) for record in values["vectors"])
        values["files"] = {name: (size, digest) for name, (size, digest) in values["files"].items()}
        manifest = Manifest(**values)
        _expect_sound(manifest)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise IndexCorrupt(f"the index's manifest cannot be read: {error}", hint=REBUILD) from error
    return manifest


def _expect_sound(manifest: Manifest) -> None:
    """Expect names to be text and counts to be counts: whoever reads them adds them up."""
    counts = [manifest.generation, manifest.next_number]
    names = [manifest.analysis]
    for table in (manifest.totals, manifest.languages, manifest.repos):
        counts += table.values()
    for size, digest in manifest.files.values():
        counts.append(size)
        names.append(digest)
    for layer in manifest.layers:
        counts += (*layer.dead, layer.source_bytes, layer.dead_bytes)
        names.append(layer.name)
    for record in manifest.vectors:
        counts += (record.dimension, record.rows, record.missing)
        names += (record.layer, record.model, record.file)
    if not all(type(count) is int and 0 <= count < MAX_COUNT for count in counts):
        raise ValueError("a count is none")
    if not manifest.totals.keys() >= {"files", "chunks", "symbols", "source_bytes"}:
        raise ValueError("a total is missing")
    if not all(isinstance(name, str) for name in names):
        raise ValueError("a name is none")
    places = [*manifest.files, *(record.file for record in manifest.vectors)]
    places += [place.name for place in manifest.layers]
    for place in places:
        if any(not is_plain(part) or len(part) > MAX_NAME for part in place.split("/")):
            raise ValueError("a file of it would lie elsewhere")


def generation_folder(root: Path, generation: int) -> Path:
    """Where a generation keeps what is its own."""
    return root / "generations" / f"{generation:06d}"


def read_pointer(root: Path) -> str:
    """What ``CURRENT`` says: the number of a generation and the digest of its manifest, which no
    other has; "" if there is none."""
    try:
        return files.read(root / "CURRENT").decode("ascii", "replace")
    except (OSError, files.NotPlain):
        return ""


def read_current(root: Path) -> Manifest:
    """The manifest ``CURRENT`` points at.

    Raises:
        IndexMissing: There is no index.
        FileNotFound: A writer collected this generation meanwhile; read again.
    """
    try:
        pointer = files.read(root / "CURRENT").decode("ascii").split()
        generation, digest = int(pointer[0]), pointer[1]
        if not 0 <= generation < MAX_COUNT:
            raise ValueError(f"no generation is {pointer[0][:30]}")
    except (FileNotFoundError, NotADirectoryError):
        raise IndexMissing(f"no index in {root}", hint="plait index PATH makes one") from None
    except (files.NotPlain, ValueError, IndexError) as error:
        raise IndexCorrupt(f"CURRENT in {root} is damaged", hint=REBUILD) from error
    try:
        raw = files.read(generation_folder(root, generation) / "manifest.json")
    except files.NotPlain as error:
        told = f"the manifest of generation {generation} is no plain file"
        raise IndexCorrupt(told, hint=REBUILD) from error
    if hashlib.sha256(raw).hexdigest() != digest:
        raise IndexCorrupt(f"the manifest of generation {generation} is damaged", hint=REBUILD)
    manifest = decode(raw)
    if manifest.generation != generation:
        raise IndexCorrupt(f"generation {generation} has another's manifest", hint=REBUILD)
    return manifest


def publish(root: Path, manifest: Manifest) -> None:
    """Make a generation current: the one step that commits."""
    folder = generation_folder(root, manifest.generation)
    raw = manifest.encode()
    write_synced(folder / "manifest.json", raw)
    sync_folder(folder)
    sync_folder(folder.parent)
    sync_folder(root)  # the names of the folders, before anything points into them
    pointer = f"{manifest.generation} {hashlib.sha256(raw).hexdigest()}\n"
    write_synced(root / "CURRENT.new", pointer.encode("ascii"))
    (root / "CURRENT.new").replace(root / "CURRENT")
    sync_folder(root)


def write_synced(path: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it."""
    with files.create(path) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_file(path: Path) -> None:
    """Wait until the disk has what was written to a file, and let nobody else read it."""
    files.close_to_others(path)
    with path.open("rb") as file:
        os.fsync(file.fileno())
