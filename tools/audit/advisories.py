"""Advisories: which of a folder of OSV records speak of a pinned version?

The folder is laid out as PyPA's advisory database: ``vulns/<package>/<id>.yaml``. A record
names affected versions one by one, as ranges of events, or both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped] # PyYAML ships no types
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from tools.audit.locks import Pin


def known(folder: Path, pins: Iterable[Pin]) -> dict[Pin, list[str]]:
    """The ids of the advisories that affect each pin.

    Raises:
        FileNotFoundError: The folder holds no database.
    """
    records = folder / "vulns"
    if not records.is_dir():
        raise FileNotFoundError(f"{folder} is not an advisory database: it has no folder 'vulns'")
    return {pin: sorted(_affecting(records / canonicalize_name(pin.name), pin)) for pin in pins}


def _affecting(folder: Path, pin: Pin) -> Iterator[str]:
    for file in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
        record = yaml.safe_load(file.read_bytes())
        if "withdrawn" in record:
            continue
        if any(_affects(affected, pin) for affected in record.get("affected", ())):
            yield str(record["id"])


def _affects(affected: dict[str, Any], pin: Pin) -> bool:
    package = affected.get("package", {})
    if canonicalize_name(package.get("name", "")) != canonicalize_name(pin.name):
        return False
    if pin.version in map(str, affected.get("versions", ())):
        return True
    ranges = [each for each in affected.get("ranges", ()) if each.get("type") == "ECOSYSTEM"]
    return any(in_range(each.get("events", ()), pin.version) for each in ranges)


def in_range(events: Iterable[dict[str, Any]], version: str) -> bool:
    """Whether a version lies between an event that introduces a fault and one that ends it."""
    wanted = Version(version)
    is_affected = False
    for event in sorted(events, key=_place):
        kind, at = next(iter(event.items()))
        if kind == "introduced" and _version(at) <= wanted:
            is_affected = True
        elif (kind == "fixed" and _version(at) <= wanted) or (
            kind == "last_affected" and _version(at) < wanted
        ):
            is_affected = False
    return is_affected


def _place(event: dict[str, Any]) -> Version:
    return _version(next(iter(event.values())))


def _version(text: object) -> Version:
    try:
        return Version(str(text))
    except InvalidVersion:
        return Version("0")  # what cannot be read counts as from the beginning
