"""Manifest: the datasets plait knows by name, and where they come from.

An address names a commit, so it means the same bytes for ever, and the SHA-256 says which
bytes those are. A dataset without files has no public, pinned home: it is known, its notes
say why, and it can be installed from a local copy.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from plait.downloads.download import Wanted
from plait.errors import DownloadError, EvaluationError

OWN = Path(__file__).with_name("manifest.toml")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One raw file: what to download, and its path among the raw files."""

    wanted: Wanted
    path: str

    def at(self, mirror: str) -> Wanted:
        """The same file at another server: the address less its host, below ``mirror``."""
        if not mirror:
            return self.wanted
        url = mirror.rstrip("/") + urlsplit(self.wanted.url).path
        return Wanted(url, self.wanted.sha256, self.wanted.size_bytes)


@dataclass(frozen=True, slots=True)
class Entry:
    """A dataset plait knows."""

    name: str
    title: str
    licence: str
    citation: str
    home: str = ""  # "" if it has none but a local copy
    converter: str = ""
    notes: str = ""
    files: tuple[RemoteFile, ...] = ()

    @property
    def size_bytes(self) -> int:
        """Of all that is downloaded."""
        return sum(file.wanted.size_bytes or 0 for file in self.files)


def load_manifest(path: Path = OWN) -> Mapping[str, Entry]:
    """Every dataset by its name.

    Raises:
        EvaluationError: The manifest cannot be read, or an entry is not one.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EvaluationError(f"cannot read {path}: {error}") from error
    return {name: _entry(name, table) for name, table in tables.items()}


def check_name(name: str) -> str:
    """A name a dataset's folder may have.

    Raises:
        EvaluationError: It is none.
    """
    if not NAME.fullmatch(name):
        raise EvaluationError(
            f"{name!r} cannot be the name of a dataset",
            hint="letters, digits, dots, dashes and underscores, a letter or digit first",
        )
    return name


def _entry(name: str, table: Any) -> Entry:
    try:
        known = {field.name for field in fields(Entry)} - {"name"}
        if strange := set(table) - known:
            raise ValueError(f"unknown key {', '.join(sorted(strange))}")
        files = tuple(_file(**file) for file in table.get("files", ()))
        texts = {key: str(value) for key, value in table.items() if key != "files"}
        entry = Entry(check_name(name), **texts, files=files)
    except (TypeError, ValueError, DownloadError, EvaluationError) as error:
        raise EvaluationError(f"dataset {name} of the manifest: {error}") from error
    if bool(entry.files) != bool(entry.converter):
        raise EvaluationError(f"dataset {name} of the manifest: files need a converter")
    return entry


def _file(url: str, sha256: str, bytes: int, path: str) -> RemoteFile:
    inner = PurePosixPath(path)
    if inner.is_absolute() or ".." in inner.parts or not inner.parts:
        raise ValueError(f"{path!r} does not stay among the raw files")
    return RemoteFile(Wanted(url, sha256, bytes), path)
