"""Settings: one frozen value, read once, passed down.

Precedence, strongest first: flags (the caller's ``replace``), environment (``PLAIT_*``),
the project's ``.plait.toml`` or ``[tool.plait]`` in its pyproject.toml, the user's file,
these defaults. Nothing below the interfaces reads the environment: it is handed in here.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from plait.errors import SettingError

PREFIX = "PLAIT_"
# What is written, shown, run, and where code is sent.
USERS_ONLY = frozenset({"cache_dir", "include_secrets", "model", "store"})
OTHER_VARIABLES = frozenset({"PLAIT_SHARED", "PLAIT_OFFLINE", "PLAIT_CORPORA"})  # not settings


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set."""

    cache_dir: str = ""  # where indexes are kept; "" for the platform's cache folder
    store: str = ""  # a collection on a cluster (docs/cluster.md); "" for this machine
    limit: int = 10  # results
    per_file: int = 1  # results of one file; 0 for no limit
    refresh: bool = True  # bring the index up to date before a search
    workers: int = 0  # parse processes; 0 for one per core
    wait_s: float = 10.0  # for another process's commit
    max_bytes: int = 1 << 20  # a larger file is not indexed
    hidden: bool = False  # also files whose names begin with a dot
    no_ignore: bool = False  # ask no ignore file
    include_secrets: bool = False  # also key and credential files
    skip_vendored: bool = False  # leave vendored code out instead of marking it
    exclude: tuple[str, ...] = ()  # further globs to leave out
    bigrams: bool = False  # index adjacent words too
    stemming: bool = True  # reduce words to their stems
    identifiers: str = "both"  # what a compound identifier gives: its parts, the whole, both
    spelling: bool = True  # look for other spellings of a word the index does not know
    expand: bool = False  # also look for words that the first results share
    comments: bool = True  # index comments and docstrings; if not, they are blanked by syntax
    mode: str = "hybrid"  # how to rank: by words, by meaning (dense), by both (hybrid)
    model: str = ""  # what makes vectors (docs/models.md); "" for the one plait brings
    fusion: str = "minmax"  # how rankings become one: rrf, intersection, minmax, max
    lane_lexical: float = 1.0  # how much each lane counts
    lane_dense: float = 2.0
    lane_dense_decided: float = 0.5  # the same, where the words decide
    weight_body: int = 1
    weight_name: int = 2
    weight_path: int = 2
    weight_signature: int = 0
    weight_docstring: int = 0

    def __post_init__(self) -> None:
        for name, least in (("limit", 1), ("per_file", 0), ("workers", 0), ("max_bytes", 1)):
            if getattr(self, name) < least:
                raise SettingError(
                    f"setting {name} must be at least {least}, got {getattr(self, name)}"
                )


def load_settings(
    root: Path | None, environment: Mapping[str, str], user_file: Path | None = None
) -> Settings:
    """Read settings for a project.

    Raises:
        SettingError: A file or variable holds what cannot be used.
    """
    settings = Settings()
    if user_file is not None and user_file.is_file():
        settings = _apply(settings, _toml(user_file), str(user_file))
    if root is not None:
        project = root / "pyproject.toml"
        if project.is_file():
            tool = _toml(project).get("tool", {})
            table = tool.get("plait", {}) if isinstance(tool, dict) else {}
            settings = _apply_project(settings, table, f"[tool.plait] of {project}")
        own = root / ".plait.toml"
        if own.is_file():
            settings = _apply_project(settings, _toml(own), str(own))
    variables = {
        key.removeprefix(PREFIX).lower(): value
        for key, value in environment.items()
        if key.startswith(PREFIX) and key not in OTHER_VARIABLES
    }
    known = {field.name for field in fields(Settings)}
    # Other programs may own PLAIT_ variables; only a file's unknown key is a mistake.
    return _apply(settings, {k: v for k, v in variables.items() if k in known}, "the environment")


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingError(f"cannot read {path}: {error}") from error


def _apply_project(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    """Apply what a project says, which may come from a stranger."""
    if isinstance(values, dict):
        for key in values:
            if key.replace("-", "_") in USERS_ONLY:
                raise SettingError(
                    f"setting {key} cannot be made in {where}: it is the user's alone",
                    hint=f"set it in your own file or as {PREFIX}{key.upper()}",
                )
    return _apply(settings, values, where)


def _apply(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    if not isinstance(values, dict):
        raise SettingError(f"{where} must be a table, got {values!r}")
    known = {field.name: field for field in fields(Settings)}
    changes = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise SettingError(
                f"unknown setting {key!r} in {where}",
                hint=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}",
            )
        changes[name] = _value(name, value, getattr(settings, name), where)
    return replace(settings, **changes)


def _value(name: str, value: Any, default: Any, where: str) -> Any:
    """A value of the setting's own type; text from the environment is read as one."""
    problem = SettingError(f"setting {name} in {where} must be {_describe(default)}, got {value!r}")
    if isinstance(default, bool):
        if isinstance(value, str):
            value = {
                "1": True,
                "true": True,
                "yes": True,
                "0": False,
                "false": False,
                "no": False,
            }.get(value.lower())
        if not isinstance(value, bool):
            raise problem
        return value
    if isinstance(default, int | float):
        try:
            read = type(default)(value)
            if isinstance(value, bool) or (isinstance(value, float) and read != value):
                raise problem
            return read
        except (TypeError, ValueError, OverflowError):
            raise problem from None
    if isinstance(default, tuple):
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise problem
        return tuple(item.strip() for item in items if item.strip())
    if not isinstance(value, str):
        raise problem
    return value


def _describe(default: Any) -> str:
    if isinstance(default, bool):
        return "true or false"
    if isinstance(default, tuple):
        return "a list of strings"
    return {"int": "a whole number", "float": "a number"}.get(type(default).__name__, "a string")
