"""What lies in the folder of an embedded store, and what should."""

from __future__ import annotations

from pathlib import Path

from plait.stores.embedded.manifest import read_current
from plait.stores.embedded.proofs import RECORD
from plait.stores.embedded.store import EmbeddedStore
from plait.types import Change, Scope, Term
from tests.contract.notation import file

READERS_LOCK = ".tantivy-meta.lock"  # the word index makes it when it is opened


def opened(root: Path, *, wait_s: float = 30.0) -> EmbeddedStore:
    """The store in a folder."""
    return EmbeddedStore(root, "analysis", wait_s=wait_s)


def uniform(tag: str, files: int = 5) -> list[Change]:
    """Files that all hold one tag, so that a mixture of two commits would show."""
    return [file(f"{n}.py", f"common {tag}\n") for n in range(files)]


def tags(store: EmbeddedStore) -> set[str]:
    """The tags a snapshot finds: one, or the snapshot is a mixture."""
    snapshot = store.snapshot()
    hits = snapshot.match(Term("common"), Scope(), 100).hits
    chunks = snapshot.fetch([hit.chunk for hit in hits])
    assert len(chunks) == len(hits) == len(snapshot.digests("r"))
    return {chunk.text.split()[1] for chunk in chunks.values()}


def present(root: Path) -> set[str]:
    """Every file in the folder, but the reader's lock and what was proved."""
    files = (path for path in root.rglob("*") if path.is_file())
    unnamed = (READERS_LOCK, RECORD)
    return {path.relative_to(root).as_posix() for path in files if path.name not in unnamed}


def expected(root: Path) -> set[str]:
    """Every file the current generation names, and those that belong to the store itself."""
    manifest = read_current(root)
    own = f"generations/{manifest.generation:06d}/manifest.json"
    return {*manifest.files, own, "CURRENT", "lock"}
