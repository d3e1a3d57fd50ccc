"""The embedded store: one folder, one writer, any number of readers.

A commit builds the next generation beside the current one: a new layer for what it adds,
the word index as hard links plus new segments, a manifest over all of it. Only when all of
that is on disk is ``CURRENT`` replaced. Layers that have become many or mostly dead are
merged on the way.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

from plait.errors import (
    FormatMismatch,
    IndexBusy,
    IndexCorrupt,
    IndexMissing,
    PlaitError,
    StoreError,
)
from plait.private.files import remove
from plait.private.folders import PrivateFolder, sync_folder
from plait.stores.embedded.commit import Commit
from plait.stores.embedded.embedding import EmbeddedSession
from plait.stores.embedded.generations import collect, next_generation, read_generation
from plait.stores.embedded.lock import writer_lock
from plait.stores.embedded.manifest import (
    REBUILD,
    Manifest,
    publish,
    read_current,
    read_pointer,
)
from plait.stores.embedded.owner import OWNER, check_owner, keep_owner
from plait.stores.embedded.proofs import RECORD, Proofs
from plait.stores.embedded.snapshot import EmbeddedSnapshot
from plait.stores.embedded.unwritable import disk_errors
from plait.stores.embedded.vector_set import VectorSet
from plait.stores.leases import Held, LeasedSnapshot, Leases
from plait.stores.made import made_otherwise
from plait.types import Change, Model

T = TypeVar("T")

OPEN_ATTEMPTS = 20  # a reader loses the race against a collecting writer at most so often


class EmbeddedStore:
    """A store in a folder.

    Args:
        root: The folder; made when something is first committed.
        analysis: How terms are made. An index made otherwise is refused.
        wait_s: How long a commit waits for another process's commit.
        place: The folder again, and what is known of the folders that lead to it.
        owner: Names the tree it is of; an index that names another is refused. "" for any.
    """

    def __init__(
        self,
        root: Path,
        analysis: str,
        *,
        wait_s: float = 10.0,
        place: PrivateFolder | None = None,
        owner: str = "",
    ) -> None:
        self.root = root
        self._place = place or PrivateFolder(root)
        self._analysis = analysis
        self._wait_s = wait_s
        self._owner = owner
        self._leases: Leases[EmbeddedSnapshot] = Leases()

    def waiting(self, wait_s: float) -> Self:
        """The same store, with another patience for other writers."""
        other = copy.copy(self)
        other._wait_s = wait_s  # noqa: SLF001 - its own kind
        return other

    def snapshot(self) -> LeasedSnapshot[EmbeddedSnapshot]:
        return self._retried(self._leased)

    def as_built(self) -> tuple[LeasedSnapshot[EmbeddedSnapshot], str]:
        """The newest generation whatever it was built with, and what that was."""
        return self._retried(self._as_built)

    def held(self) -> list[int]:
        """The generations of the snapshots that are open, each as often as it is held."""
        return self._leases.held()

    def commit(self, changes: Iterable[Change], *, anew: bool = False) -> int:
        with self._writing() as theirs:
            current = None if anew else self._current()
            with self._beginning(current) as commit:
                manifest = commit.apply(_noting(changes, theirs))
            return self._publish(commit, manifest, current)

    @contextmanager
    def vector_session(self, model: Model, within_s: float) -> Iterator[EmbeddedSession]:  # noqa: ARG002 - nothing to clean up
        complete = self._embedded(model.digest)
        if complete:  # nobody has to wait for a writer to hear that there is nothing to do
            yield EmbeddedSession(VectorSet(self.root, "", ()), (), model, complete)
            return
        with self._writing():
            current = self._current()
            if current is None:
                raise IndexMissing(f"no index in {self.root}", hint="plait index PATH makes one")
            with self._beginning(current) as commit:
                session = commit.vector_session(model)
                yield session
                manifest = commit.finish_vectors(session, model)
            session.generation = self._publish(commit, manifest, current)

    def _embedded(self, model: str) -> int:
        """The current generation if it has every vector of a model, else 0."""
        current = self._current()
        if current is None or VectorSet(self.root, "", current.vectors).missing_vectors(
            current.layers, model
        ):
            return 0
        return current.generation

    @contextmanager
    def _beginning(self, current: Manifest | None) -> Iterator[Commit]:
        """Write the next generation, or nothing of it; the caller holds the lock."""
        collect(self.root)
        commit = Commit(self.root, next_generation(self.root), current, self._analysis)
        try:
            yield commit
        except BaseException as error:
            self._abandon(commit, current)
            if isinstance(error, IndexCorrupt):
                error.hint = error.hint or REBUILD
            raise

    def _publish(self, commit: Commit, manifest: Manifest | None, current: Manifest | None) -> int:
        """Make what is written the current generation; its number."""
        if manifest is None:
            self._abandon(commit, current)
            assert current is not None
            return current.generation
        publish(self.root, manifest)
        keep_owner(self.root, self._owner)
        collect(self.root)
        commit.proofs.carry(manifest.files)  # names went with the generation before
        return manifest.generation

    def _abandon(self, commit: Commit, current: Manifest | None) -> None:
        commit.abandon()
        if current is not None:
            commit.proofs.carry(current.files)  # they have lost the names it gave them

    def check(self) -> Sequence[str]:
        try:
            return self._retried(self._faults)
        except (IndexCorrupt, FormatMismatch) as error:
            return [str(error)]

    def clear(self) -> None:
        with self._writing():
            remove(self.root / "CURRENT")
            sync_folder(self.root)  # a pointer that came back would point at nothing
            for name in ("generations", "layers", RECORD, OWNER):
                remove(self.root / name)

    @contextmanager
    def _writing(self) -> Iterator[list[BaseException]]:
        """Be the one who writes, where nobody else can; takes what failed outside the store."""
        theirs: list[BaseException] = []
        with disk_errors(self.root, theirs, lambda: read_generation(self.root) > 0):
            self._place.make()
            with writer_lock(self.root / "lock", self._wait_s):
                yield theirs

    def close(self) -> None:
        """Let go of the newest generation; snapshots that are open stay so."""
        self._leases.forget()

    def _retried(self, read: Callable[[], T]) -> T:
        """Read a generation; if a writer replaced and collected it meanwhile, read the next."""
        for _ in range(OPEN_ATTEMPTS):
            before = read_generation(self.root)
            try:
                result = read()
            except (StoreError, FileNotFoundError, PermissionError) as error:
                if read_generation(self.root) != before:
                    continue
                if isinstance(error, StoreError):
                    raise
                if isinstance(error, PermissionError):
                    raise StoreError(f"the index cannot be read: {error}") from error
                raise IndexCorrupt(f"a file of the index is gone: {error}", hint=REBUILD) from error
            if not isinstance(result, list) or not result or read_generation(self.root) == before:
                return result
        raise IndexBusy(
            "the index is being replaced faster than it can be read", hint="try again in a moment"
        )

    def _leased(self) -> LeasedSnapshot[EmbeddedSnapshot]:
        """A snapshot of the newest generation, which is opened if it is not open already."""
        self._place.check_reading()
        pointer = read_pointer(self.root)
        leased = self._leases.newest(pointer, self._open)
        try:
            self._check(leased.whole.manifest)
            leased.whole.look()
        except PlaitError:
            self._leases.forget()  # if it was mended, the next reader should see that
            raise
        is_same = pointer.startswith(f"{leased.generation} ")  # not replaced while we looked
        if not (is_same and leased.whole.is_settled):
            self._leases.forget()
        return leased

    def _open(self) -> EmbeddedSnapshot:
        manifest = read_current(self.root)
        self._check(manifest)
        return EmbeddedSnapshot(self.root, manifest)

    def _as_built(self) -> tuple[LeasedSnapshot[EmbeddedSnapshot], str]:
        self._place.check_reading()
        manifest = read_current(self.root)
        opened = EmbeddedSnapshot(self.root, manifest)
        return LeasedSnapshot(Held(opened)), manifest.analysis

    def _faults(self) -> list[str]:
        manifest = read_current(self.root)
        check_owner(self.root, self._owner)
        faults, proofs = [], Proofs(self.root)
        for name, (size, digest) in sorted(manifest.files.items()):
            try:
                if proofs.read(name) != (size, digest):
                    faults.append(f"{name} is not what its manifest says")
            except OSError as error:
                faults.append(f"{name} cannot be read: {error.strerror}")
            except IndexCorrupt as error:
                faults.append(str(error))
        if faults:
            return faults
        proofs.carry(manifest.files)
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
        self._check(manifest)
        return manifest

    def _check(self, manifest: Manifest) -> None:
        """Refuse an index of another tree, or one that was made otherwise."""
        check_owner(self.root, self._owner)
        if manifest.analysis != self._analysis:
            raise FormatMismatch(
                f"the index was {made_otherwise(manifest.analysis, self._analysis)}", hint=REBUILD
            )


def _noting(changes: Iterable[Change], theirs: list[BaseException]) -> Iterator[Change]:
    """The same changes; what they raise is noted, so that no disk of ours is blamed for it."""
    try:
        yield from changes
    except BaseException as error:
        theirs.append(error)
        raise
