"""Fetching a model from the hub: every file proved, then all of it put in its place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from plait.downloads.download import Patience, Wanted, download
from plait.errors import DownloadError, ModelError
from plait.models.catalogue import CATALOGUE, KnownModel
from plait.models.hub import MAIN, HubId, find_snapshot
from plait.models.hub_listing import HubFile, ask_listing, choose_files
from plait.models.lock import Locked, read_lock, write_lock

OnBytes = Callable[[str, int, int | None], None]  # a file, how much of it is here, its size


class Fetched(NamedTuple):
    """A model in its place."""

    wanted: HubId
    revision: str
    folder: Path
    files: tuple[HubFile, ...]
    is_new: bool  # False: all of it was here already


def fetch_model(
    wanted: HubId,
    *,
    hub: Path,
    address: str,
    lock: Path,
    weights: str = "",
    accept: bool = False,
    is_offline: bool = False,
    patience: Patience | None = None,
    on_bytes: OnBytes | None = None,
    catalogue: Mapping[str, KnownModel] = CATALOGUE,
) -> Fetched:
    """Have a model of the hub here.

    Args:
        wanted: Which one.
        hub: The folder models are kept in.
        address: The server that is asked.
        lock: The file that remembers what models were.
        weights: Which weights, where the hub has several.
        accept: Take what the hub has now, even if it was something else before.
        is_offline: Refuse to go to the network.
        patience: How long to go on trying.
        on_bytes: Told about every piece that arrives.
        catalogue: The models that are known byte for byte.

    Raises:
        DownloadError: It is unavailable, or not the right bytes.
        ModelError: It is none plait can run, or it has changed.
    """
    known = catalogue.get(wanted.id)
    if known and weights in ("", known.weights) and wanted.revision in ("", known.revision):
        revision, files = known.revision, _pinned_files(known)
        if is_offline and find_snapshot(wanted, hub, revision) is None:
            raise _stays_offline(wanted)
    elif is_offline:
        here = find_snapshot(wanted, hub)
        if here is None:
            raise _stays_offline(wanted)
        return Fetched(wanted, here.name, here, (), is_new=False)
    else:
        listing = ask_listing(address, wanted, patience)
        revision, files = listing.revision, choose_files(wanted, listing, weights)
        _check_lock(wanted, revision, files, lock, accept=accept)
        known = None

    folder = wanted.folder(hub)
    is_new = False
    for file in files:
        blob = folder / "blobs" / (file.sha256 or file.git_id)
        was_here = blob.is_file()
        url = f"{address}/{wanted.id}/resolve/{revision}/{file.path}"
        download(
            Wanted(url, file.sha256, file.size_bytes, file.git_id),
            blob,
            is_offline=is_offline,
            patience=patience,
            on_progress=_telling(file, on_bytes),
        )
        is_new = is_new or not was_here
    snapshot = folder / "snapshots" / revision
    try:
        for file in files:
            _link(folder / "blobs" / (file.sha256 or file.git_id), snapshot / file.path)
        _refer(folder / "refs", wanted.revision, revision, is_pinned=known is not None)
    except OSError as error:
        raise ModelError(f"cannot write to {folder}: {error}") from error
    if known is None:
        _remember(wanted, revision, files, lock)
    return Fetched(wanted, revision, snapshot, files, is_new)


def _stays_offline(wanted: HubId) -> DownloadError:
    return DownloadError(
        f"{wanted} was not fetched: plait is told to stay offline",
        hint="unset PLAIT_OFFLINE and HF_HUB_OFFLINE to allow it",
    )


def _pinned_files(known: KnownModel) -> tuple[HubFile, ...]:
    beside = [HubFile(path, None, digest) for path, digest in known.files.items()]
    weights = HubFile(known.weights, known.size_bytes, known.files[known.weights])
    return (*(file for file in beside if file.path != known.weights), weights)


def _key(wanted: HubId) -> str:
    return f"{wanted.id}@{wanted.revision or MAIN}"


def _check_lock(
    wanted: HubId, revision: str, files: tuple[HubFile, ...], lock: Path, *, accept: bool
) -> None:
    before = read_lock(lock).get(_key(wanted))
    if before is None or accept:
        return
    changed = before.changes({file.path: file.checksum for file in files})
    if changed:
        raise ModelError(
            f"{_key(wanted)} is not what it was: {', '.join(changed)} changed between "
            f"{before.revision[:12]} and {revision[:12]}",
            hint=f"plait model fetch {wanted} --accept takes the new files; "
            f"{wanted.id}@{before.revision} names the old ones",
        )


def _remember(wanted: HubId, revision: str, files: tuple[HubFile, ...], lock: Path) -> None:
    locked = read_lock(lock)
    before = locked.get(_key(wanted))
    kept = dict(before.files) if before else {}
    kept |= {file.path: file.checksum for file in files}
    if before != Locked(revision, kept):
        write_lock(lock, {**locked, _key(wanted): Locked(revision, kept)})


def _link(blob: Path, pointer: Path) -> None:
    """Let a path of the snapshot lead to its file; copy it where links are not to be had."""
    pointer.parent.mkdir(parents=True, exist_ok=True)
    target = os.path.relpath(blob, pointer.parent)
    if pointer.is_symlink() and os.readlink(pointer) == target:  # noqa: PTH115 - as text
        return
    pointer.unlink(missing_ok=True)
    try:
        pointer.symlink_to(target)
    except OSError:
        shutil.copyfile(blob, pointer)


def _refer(refs: Path, asked: str, revision: str, *, is_pinned: bool) -> None:
    """Note what a name stood for; a pinned commit is ``main`` only if nothing else is."""
    name = asked or MAIN
    ref = refs / name
    if name == revision or (is_pinned and ref.is_file()):
        return
    ref.parent.mkdir(parents=True, exist_ok=True)
    fresh = ref.with_name(f"{ref.name}.{os.getpid()}.tmp")
    fresh.write_text(revision, encoding="utf-8")
    fresh.replace(ref)


def _telling(file: HubFile, on_bytes: OnBytes | None) -> Callable[[int, int | None], None] | None:
    if on_bytes is None:
        return None
    return lambda have, total: on_bytes(file.path, have, file.size_bytes or total)
