"""Manifests: a generation is what its manifest names, no more and no less.

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

from plait.errors import FormatMismatch, IndexCorrupt, IndexMissing

FORMAT = 4
REBUILD = "plait index --rebuild makes it anew"


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
        return Manifest(**values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise IndexCorrupt(f"the index's manifest cannot be read: {error}", hint=REBUILD) from error


def generation_folder(root: Path, generation: int) -> Path:
    """Where a generation keeps what is its own."""
    return root / "generations" / f"{generation:06d}"


def read_current(root: Path) -> Manifest:
    """The manifest ``CURRENT`` points at.

    Raises:
        IndexMissing: There is no index.
        FileNotFound: A writer collected this generation meanwhile; read again.
    """
    try:
        pointer = (root / "CURRENT").read_text(encoding="ascii").split()
        generation, digest = int(pointer[0]), pointer[1]
    except FileNotFoundError:
        raise IndexMissing(f"no index in {root}", hint="plait index PATH makes one") from None
    except (ValueError, IndexError) as error:
        raise IndexCorrupt(f"CURRENT in {root} is damaged", hint=REBUILD) from error
    raw = (generation_folder(root, generation) / "manifest.json").read_bytes()
    if hashlib.sha256(raw).hexdigest() != digest:
        raise IndexCorrupt(f"the manifest of generation {generation} is damaged", hint=REBUILD)
    return decode(raw)


def publish(root: Path, manifest: Manifest) -> None:
    """Make a generation current: the one step that commits."""
    folder = generation_folder(root, manifest.generation)
    raw = manifest.encode()
    write_synced(folder / "manifest.json", raw)
    sync_folder(folder)
    sync_folder(folder.parent)
    pointer = f"{manifest.generation} {hashlib.sha256(raw).hexdigest()}\n"
    write_synced(root / "CURRENT.new", pointer.encode("ascii"))
    (root / "CURRENT.new").replace(root / "CURRENT")
    sync_folder(root)


def write_synced(path: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_file(path: Path) -> None:
    """Wait until the disk has what was written to a file."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the disk has a folder's names; a no-op where folders cannot be opened."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def fingerprint(path: Path) -> tuple[int, str]:
    """Size and SHA-256 of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest
