"""The embedded store: one folder, one writer, any number of readers.

A commit builds the next generation beside the current one: a new layer for what it adds,
the word index as hard links plus new segments, a manifest over all of it. Only when all of
that is on disk is ``CURRENT`` replaced. Layers that have become many or mostly dead are
merged on the way.
"""

from __future__ import annotations

import errno
import math
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from plait.errors import (
    FormatMismatch,
    IndexBusy,
    IndexCorrupt,
    IndexMissing,
    PlaitError,
    StoreFull,
)
from plait.stores.embedded.commit import Commit
from plait.stores.embedded.embedding import PassageOf, Watch
from plait.stores.embedded.lock import writer_lock
from plait.stores.embedded.manifest import (
    REBUILD,
    Manifest,
    fingerprint,
    generation_folder,
    publish,
    read_current,
)
from plait.stores.embedded.snapshot import EmbeddedSnapshot
from plait.stores.embedded.vector_set import VectorSet
from plait.types import Change, Encoder

T = TypeVar("T")

OPEN_ATTEMPTS = 20  # a reader loses the race against a collecting writer at most so often


class EmbeddedStore:
    """A store in a folder.

    Args:
        root: The folder; made when something is first committed.
        analysis: How terms are made. An index made otherwise is refused.
        wait_s: How long a commit waits for another process's commit.
    """

    def __init__(self, root: Path, analysis: str, *, wait_s: float = 10.0) -> None:
        self.root = root
        self._analysis = analysis
        self._wait_s = wait_s

    def snapshot(self) -> EmbeddedSnapshot:
        return self._steadily(self._open)

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> int:
        with _disk_errors(), writer_lock(self.root / "lock", self._wait_s):
            current = None if anew else self._current()
            return self._next(current, lambda commit: commit.apply(changes))

    def embed(
        self,
        encoder: Encoder,
        passage_of: PassageOf,
        watch: Watch = lambda _done, _of: None,
        within_s: float = math.inf,
    ) -> int:
        complete = self._embedded(encoder.digest)
        if complete:  # nobody has to wait for a writer to hear that there is nothing to do
            return complete
        with _disk_errors(), writer_lock(self.root / "lock", self._wait_s):
            current = self._current()
            if current is None:
                raise IndexMissing(f"no index in {self.root}", hint="plait index PATH makes one")
            return self._next(
                current, lambda commit: commit.embed(encoder, passage_of, watch, within_s)
            )

    def _embedded(self, model: str) -> int:
        """The current generation if it has every vector of a model, else 0."""
        current = self._current()
        if current is None or VectorSet(self.root, "", current.vectors).lacking(
            current.layers, model
        ):
            return 0
        return current.generation

    def _next(self, current: Manifest | None, write: Callable[[Commit], Manifest | None]) -> int:
        """Publish what is written, or nothing of it; the caller holds the lock."""
        _collect(self.root)
        commit = Commit(self.root, _next_generation(self.root), current, self._analysis)
        try:
            manifest = write(commit)
        except BaseException as error:
            commit.abandon()
            if isinstance(error, IndexCorrupt):
                error.hint = error.hint or REBUILD
            raise
        if manifest is None:
            commit.abandon()
            assert current is not None
            return current.generation
        publish(self.root, manifest)
        _collect(self.root)
        return manifest.generation

    def check(self) -> Sequence[str]:
        try:
            return self._steadily(self._faults)
        except (IndexCorrupt, FormatMismatch) as error:
            return [str(error)]

    def clear(self) -> None:
        with writer_lock(self.root / "lock", self._wait_s):
            (self.root / "CURRENT").unlink(missing_ok=True)
            for name in ("generations", "layers"):
                shutil.rmtree(self.root / name, ignore_errors=True)

    def close(self) -> None:
        """Nothing is held between calls."""

    def _steadily(self, read: Callable[[], T]) -> T:
        """Read a generation; if a writer replaced and collected it meanwhile, read the next."""
        for _ in range(OPEN_ATTEMPTS):
            before = read_generation(self.root)
            try:
                result = read()
            except (IndexCorrupt, FileNotFoundError) as error:
                if read_generation(self.root) != before:
                    continue
                if isinstance(error, IndexCorrupt):
                    raise
                raise IndexCorrupt(f"a file of the index is gone: {error}", hint=REBUILD) from error
            if not isinstance(result, list) or not result or read_generation(self.root) == before:
                return result
        raise IndexBusy(
            "the index is being replaced faster than it can be read", hint="try again in a moment"
        )

    def _open(self) -> EmbeddedSnapshot:
        manifest = read_current(self.root)
        self._check_analysis(manifest)
        return EmbeddedSnapshot(self.root, manifest)

    def _faults(self) -> list[str]:
        manifest = read_current(self.root)
        faults = []
        for name, (size, digest) in sorted(manifest.files.items()):
            try:
                if fingerprint(self.root / name) != (size, digest):
                    faults.append(f"{name} is not what its manifest says")
            except OSError as error:
                faults.append(f"{name} cannot be read: {error.strerror}")
        if faults:
            return faults
        from plait.stores.embedded import checking

        try:
            snapshot = EmbeddedSnapshot(self.root, manifest)
            layers = snapshot.layers
            faults += checking.word_faults(layers, snapshot.indexed_numbers(), manifest)
            faults += checking.gram_faults(self.root, layers)
            faults += checking.vector_faults(self.root, layers, manifest)
        except PlaitError as error:
            return [str(error)]
        return faults

    def _current(self) -> Manifest | None:
        try:
            manifest = read_current(self.root)
        except IndexMissing:
            return None
        except FileNotFoundError as error:
            raise IndexCorrupt(f"a file of the index is gone: {error}", hint=REBUILD) from error
        self._check_analysis(manifest)
        return manifest

    def _check_analysis(self, manifest: Manifest) -> None:
        if manifest.analysis != self._analysis:
            raise FormatMismatch(
                f"the index was built with {manifest.analysis!r}, "
                f"the settings now say {self._analysis!r}",
                hint=REBUILD,
            )


def read_generation(root: Path) -> int:
    """The number of the current generation, 0 if there is none or it cannot be read."""
    try:
        return max(int((root / "CURRENT").read_text(encoding="ascii").split()[0]), 0)
    except (OSError, ValueError, IndexError):
        return 0


def _next_generation(root: Path) -> int:
    """A number no generation has, whatever ``CURRENT`` claims."""
    taken = [path.name for name in ("generations", "layers") for path in (root / name).glob("*")]
    numbers = [int(digits[0]) for name in taken if (digits := re.match(r"\d+", name))]
    return max([read_generation(root), *numbers]) + 1


def _collect(root: Path) -> None:
    """Delete whatever the current manifest does not name. Only the lock's holder may."""
    try:
        manifest = read_current(root)
    except IndexMissing:
        keep, folder = set[str](), None
    except (PlaitError, OSError):
        return  # damaged: leave every file for whoever looks into it
    else:
        keep, folder = set(manifest.files), generation_folder(root, manifest.generation)
    for path in (root / "generations").glob("*"):
        if path != folder:
            shutil.rmtree(path, ignore_errors=True)
    for path in (root / "layers").glob("*"):
        if f"layers/{path.name}" not in keep:
            path.unlink(missing_ok=True)
    (root / "CURRENT.new").unlink(missing_ok=True)


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Say in words that the disk is full, whoever noticed."""
    try:
        yield
    except (OSError, ValueError) as error:
        is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if not is_full and "No space left" not in str(error):
            raise
        raise StoreFull(
            f"no room to write the index: {error}",
            hint="free some disk space; the index before this change still answers",
        ) from error
