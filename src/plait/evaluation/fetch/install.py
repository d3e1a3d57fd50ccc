"""Install: a dataset into the datasets folder, whole or not at all.

Work is done in ``.fetching/NAME`` inside the datasets folder. There raw files stay until
the dataset is in place, so that a stopped download goes on. ``plait-dataset.json`` says
where a dataset came from and which bytes it has; a folder without it is not ours to replace.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from plait.downloads.download import Patience, download, sha256_of
from plait.errors import EvaluationError
from plait.evaluation.fetch.convert import CONVERTERS
from plait.evaluation.fetch.layout import Contents, check_layout
from plait.evaluation.fetch.manifest import Entry, RemoteFile, check_name

STAMP = "plait-dataset.json"
WORK = ".fetching"
CONVERSION = 1  # raise it when a converter comes to write something else

OnBytes = Callable[[RemoteFile, int], None]  # a file, and how much of it is here


class Installed(NamedTuple):
    """A dataset in its place."""

    folder: Path
    digest: str
    contents: Contents
    notes: tuple[str, ...] = ()
    is_new: bool = True  # False: it was there already, the same


def install_copy(name: str, source: Path, folder: Path) -> Installed:
    """Install a local folder that has the layout already.

    Raises:
        EvaluationError: It is no dataset, or the place is taken by something else.
    """
    target = folder / check_name(name)
    try:
        if not source.is_dir():
            raise EvaluationError(f"there is no folder {source}")
        contents = check_layout(source)
        if target.is_dir() and digest_of(target) == digest_of(source):
            return Installed(target, digest_of(target), contents, is_new=False)
        _check_place(target)
        made = _emptied(folder / WORK / name / "made")
        for path in _files(source):
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / path, made / path)
        return _put(made, target, contents, {"source": f"a copy of {source.resolve()}"})
    except OSError as error:
        raise EvaluationError(f"cannot copy {source} to {target}: {error}") from error


def install_entry(
    entry: Entry,
    folder: Path,
    *,
    mirror: str = "",
    is_offline: bool = False,
    patience: Patience | None = None,
    on_bytes: OnBytes | None = None,
) -> Installed:
    """Download a known dataset and convert it.

    Args:
        entry: Which one.
        folder: The datasets folder.
        mirror: The address of a server to ask in place of the ones the entry names.
        is_offline: Refuse to go to the network.
        patience: How long to go on trying.
        on_bytes: Told about every piece that arrives.

    Raises:
        EvaluationError: It is unavailable, or the place is taken by something else.
    """
    target = folder / check_name(entry.name)
    if not entry.files:
        raise EvaluationError(
            f"{entry.name} cannot be downloaded: {entry.notes}",
            hint=f"install a local copy: plait eval fetch {entry.name} --from FOLDER",
        )
    try:
        recipe = _recipe(entry)
        if (stamp := read_stamp(target)).get("recipe") == recipe:
            digest = digest_of(target)
            if stamp.get("digest") == digest:
                return Installed(target, digest, check_layout(target), is_new=False)
        _check_place(target)
        work = folder / WORK / entry.name
        raw = work / f"raw-{recipe[:12]}"  # files of an older manifest are not taken for these
        for file in entry.files:
            _fetch(file, raw, mirror, is_offline, patience, on_bytes)
        made = _emptied(work / "made")
        try:
            notes = CONVERTERS[entry.converter](raw, made)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise EvaluationError(
                f"the files of {entry.name} are not what converter {entry.converter!r} "
                f"expects: {type(error).__name__}: {error}"
            ) from error
        about: dict[str, Any] = {"source": entry.home, "recipe": recipe}
        about |= {"licence": entry.licence, "citation": entry.citation}
        about["addresses"] = [file.wanted.url for file in entry.files]
        about["notes"] = [*filter(None, [entry.notes]), *notes]
        return _put(made, target, check_layout(made), about)._replace(notes=notes)
    except OSError as error:
        raise EvaluationError(f"cannot write to {folder}: {error}") from error


def digest_of(folder: Path) -> str:
    """Of the names and bytes of a dataset's files; the stamp itself is left out."""
    seen = hashlib.sha256()
    for path in _files(folder):
        seen.update(f"{path}\0{sha256_of(folder / path)}\n".encode())
    return seen.hexdigest()


def read_stamp(folder: Path) -> dict[str, Any]:
    """What was noted when a dataset was installed; empty if nothing was."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _fetch(
    file: RemoteFile,
    raw: Path,
    mirror: str,
    is_offline: bool,
    patience: Patience | None,
    on_bytes: OnBytes | None,
) -> None:
    def tell(have: int, _: int | None) -> None:
        if on_bytes is not None:
            on_bytes(file, have)

    download(
        file.at(mirror),
        raw / file.path,
        patience=patience,
        is_offline=is_offline,
        on_progress=tell,
    )


def _put(made: Path, target: Path, contents: Contents, about: dict[str, Any]) -> Installed:
    """Move a finished dataset to its place; what plait put there before goes."""
    digest = digest_of(made)
    stamp = {"name": target.name, **about, "digest": digest}
    stamp["fetched"] = datetime.now(UTC).date().isoformat()
    text = json.dumps(stamp, indent=2, ensure_ascii=False)
    (made / STAMP).write_text(f"{text}\n", encoding="utf-8")
    work = made.parent
    if target.is_dir():
        target.replace(_gone(work / "old"))
    made.replace(target)
    shutil.rmtree(work)
    return Installed(target, digest, contents)


def _check_place(target: Path) -> None:
    if os.path.lexists(target) and not (target / STAMP).is_file():
        raise EvaluationError(
            f"{target} is there already and was not fetched by plait",
            hint="move it away, or name another folder with --out",
        )


def _recipe(entry: Entry) -> str:
    """What a dataset is made of and by: the same recipe makes the same dataset."""
    parts = [f"{CONVERSION} {entry.converter}"]
    parts += [f"{file.wanted.sha256} {file.path}" for file in entry.files]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _files(folder: Path) -> list[str]:
    """The files of a dataset, sorted; hidden ones and the stamp are none of it."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in paths
        if path.as_posix() != STAMP and not any(part.startswith(".") for part in path.parts)
    )


def _emptied(folder: Path) -> Path:
    _gone(folder).mkdir(parents=True)
    return folder


def _gone(folder: Path) -> Path:
    if folder.is_dir():
        shutil.rmtree(folder)
    return folder
