"""The lock: what a model of the hub was when it was fetched first.

The hub says what a file's checksum is, and may say something else tomorrow. A file of ours
remembers; a model that has changed is refused until its user accepts it.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from plait.errors import ModelError

NAME = "models.lock.toml"
HEAD = (
    "# What models of the Hugging Face hub were when plait fetched them first.\n"
    "# plait model fetch --accept ID takes what the hub has now.\n"
)


class Locked(NamedTuple):
    """A model as it was."""

    revision: str  # the commit
    files: Mapping[str, str]  # path to checksum

    def changes(self, now: Mapping[str, str]) -> list[str]:
        """The files that were there then and are something else now."""
        return sorted(path for path in now if self.files.get(path, now[path]) != now[path])


def read_lock(path: Path) -> dict[str, Locked]:
    """All that is remembered, by ``org/name@revision``.

    Raises:
        ModelError: The file cannot be read.
    """
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return {
            name: Locked(str(table["revision"]), {k: str(v) for k, v in table["files"].items()})
            for name, table in tables.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"cannot read {path}: {error}", hint="mend it or delete it") from error


def write_lock(path: Path, locked: Mapping[str, Locked]) -> None:
    """Remember, all at once.

    Raises:
        ModelError: The file cannot be written.
    """
    lines = [HEAD]
    for name, model in sorted(locked.items()):
        lines.append(f"[{json.dumps(name)}]\nrevision = {json.dumps(model.revision)}\n")
        lines.append(f"[{json.dumps(name)}.files]\n")
        lines += [f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in sorted(model.files.items())]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.write_text("".join(lines), encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise ModelError(f"cannot write {path}: {error}") from error
