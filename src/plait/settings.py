"""Settings: one frozen value, read once, passed down.

Precedence, strongest first: flags (the caller's ``replace``), environment (``PLAIT_*``),
the project's ``.plait.toml`` or ``[tool.plait]`` in its pyproject.toml, the user's file,
these defaults. Nothing below the interfaces reads the environment: it is handed in here.

A project may be a stranger's. What it sets holds within narrower bounds than what the user
sets, and some settings are not its to make at all (docs/settings.md). Nothing it says stops a
run: a line of it that cannot be used is ignored with a note. A user's mistake is an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from plait.errors import SettingError
from plait.settings_files import project_table, users_table
from plait.settings_groups import (
    Bounds,
    MeaningSettings,
    SearchSettings,
    SourceSettings,
    StoreSettings,
    WordSettings,
)
from plait.settings_values import as_setting, shown
from plait.types.notes import SETTING, Note

PREFIX = "PLAIT_"
OTHER_VARIABLES = frozenset({"PLAIT_SHARED", "PLAIT_OFFLINE", "PLAIT_CORPORA"})  # not settings


@dataclass(frozen=True)
class Settings(SearchSettings, MeaningSettings, WordSettings, SourceSettings, StoreSettings):
    """What a user may set: the settings of every group, each by its plain name."""

    def __post_init__(self) -> None:
        for name in BOUNDS:
            _expect_within(name, getattr(self, name))
        _expect_few(self.exclude)


def _said(what: str) -> dict[str, Any]:
    """What is said of settings under a heading, by setting."""
    return {one.name: one.metadata[what] for one in fields(Settings) if what in one.metadata}


BOUNDS: Mapping[str, Bounds] = _said("bounds")
CHOICES: Mapping[str, tuple[str, ...]] = _said("choices")
USERS_ONLY = frozenset(_said("is_users"))
MAX_GLOBS = 1_000
MAX_GLOB_LENGTH = 1_000
MAX_NAME = 100
MAX_NOTES = 3
PYPROJECT_ONLY = "the heading [tool.plait] is for pyproject.toml: leave it out"


class Loaded(NamedTuple):
    """Settings, and what was not read or not used on the way to them, a sentence each."""

    settings: Settings
    notes: tuple[Note, ...] = ()


class Notes:
    """What a project said in vain: the first few in words, the rest counted."""

    def __init__(self, *notes: str) -> None:
        self._kept = [note for note in notes if note]
        self._more = 0

    @property
    def is_full(self) -> bool:
        return len(self._kept) >= MAX_NOTES

    def add(self, error: SettingError | None = None) -> None:
        """Note why something is ignored; one that will only be counted needs no words."""
        if self.is_full or error is None:
            self._more += 1
            return
        hint = f" ({error.hint})" if error.hint else ""
        self._kept.append(f"ignored: {error}{hint}")

    def all(self) -> tuple[Note, ...]:
        """What there is to say."""
        more = (f"and {self._more:,} more in the project's settings",) if self._more else ()
        return tuple(Note(SETTING, sentence) for sentence in (*self._kept, *more))


def load_settings(
    root: Path | None, environment: Mapping[str, str], user_file: Path | None = None
) -> Settings:
    """What :func:`read_settings` finds, for callers that have nobody to tell what was not read."""
    return read_settings(root, environment, user_file).settings


def read_settings(
    root: Path | None, environment: Mapping[str, str], user_file: Path | None = None
) -> Loaded:
    """Read settings for a project.

    A project's file that is a link, no file, no TOML, too large or too tangled is not read, and
    a line that cannot be used is ignored. Both are noted: they must not keep anyone from
    searching the project.

    Raises:
        SettingError: The user's file or a variable holds what cannot be used.
    """
    settings = Settings()
    notes: tuple[Note, ...] = ()
    if user_file is not None:
        settings = _apply(settings, users_table(user_file), str(user_file))
    if root is not None:
        settings, notes = _apply_project(settings, root)
    variables = {
        key.removeprefix(PREFIX).lower(): value
        for key, value in environment.items()
        if key.startswith(PREFIX) and key not in OTHER_VARIABLES
    }
    known = {field.name for field in fields(Settings)}
    # Other programs may own PLAIT_ variables; only a file's unknown key is a mistake.
    variables = {key: value for key, value in variables.items() if key in known}
    return Loaded(_apply(settings, variables, "the environment"), notes)


def _apply_project(settings: Settings, root: Path) -> Loaded:
    others = project_table(root, "pyproject.toml", needle=b"plait")
    own = project_table(root, ".plait.toml")
    notes = Notes(others.note, own.note)
    tool = others.values.get("tool", {})
    table = tool.get("plait", {}) if isinstance(tool, dict) else {}
    for values, where in (
        (table, f"[tool.plait] of {root / 'pyproject.toml'}"),
        (own.values, str(root / ".plait.toml")),
    ):
        settings = _apply(settings, values, where, notes)
    return Loaded(settings, notes.all())


def _apply(settings: Settings, values: Any, where: str, notes: Notes | None = None) -> Settings:
    """Settings with what a place says of them; with notes, the place is a project's."""
    if not isinstance(values, dict):
        no_table = SettingError(f"{where} must be a table, got {shown(values)}")
        if notes is None:
            raise no_table
        notes.add(no_table)
        return settings
    known = [field.name for field in fields(Settings)]
    for key, value in values.items():
        name = key.replace("-", "_")
        if notes is not None and notes.is_full and name not in known:
            notes.add()  # a stranger's file may hold thousands, and a guess at each takes time
            continue
        try:
            if name not in known:
                raise _unknown(key, where, known, is_brief=notes is not None)
            if notes is not None and name in USERS_ONLY:
                raise SettingError(
                    f"setting {key} cannot be made in {where}: it is the user's alone",
                    hint=f"set it in your own file or as {PREFIX}{name.upper()}",
                )
            read = as_setting(name, value, getattr(settings, name), where)
            if notes is not None:
                _expect_projects(name, read, where)
            settings = replace(settings, **{name: read})
        except SettingError as error:
            if notes is None:
                raise
            notes.add(error)
    return settings


def _unknown(key: str, where: str, known: Sequence[str], *, is_brief: bool) -> SettingError:
    near = difflib.get_close_matches(key.replace("-", "_")[:MAX_NAME], known, 1)
    hint = "" if is_brief else f"known: {', '.join(known)}"
    if key == "tool":
        hint = PYPROJECT_ONLY
    elif near:
        hint = f"did you mean {near[0]!r}?"
    return SettingError(f"unknown setting {shown(key)} in {where}", hint=hint)


def _expect_projects(name: str, value: Any, where: str) -> None:
    """Refuse what a user may say, or learn later not to be possible, and a project may not."""
    if name in BOUNDS:
        _expect_within(name, value, BOUNDS[name].by_project, where)
    if name == "exclude":
        _expect_few(value, where)
    if name in CHOICES and value not in CHOICES[name]:
        choices = ", ".join(CHOICES[name])
        raise SettingError(
            f"setting {name} in {where} must be one of {choices}, got {shown(value)}"
        )


def _expect_within(name: str, value: float, most: float | None = None, where: str = "") -> None:
    bounds = BOUNDS[name]
    most = bounds.most if most is None else most
    place = f" in {where}" if where else ""
    if value < bounds.least:
        got = shown(value)
        raise SettingError(f"setting {name}{place} must be at least {bounds.least}, got {got}")
    if not value <= most:  # said so, nan is refused too
        users = f"your own file and {PREFIX}{name.upper()} may set up to {bounds.most:,}"
        raise SettingError(
            f"setting {name}{place} must be at most {most:,}, got {shown(value)}",
            hint=users if most < bounds.most else "",
        )


def _expect_few(globs: tuple[str, ...], where: str = "") -> None:
    place = f" in {where}" if where else ""
    if len(globs) > MAX_GLOBS or any(len(glob) > MAX_GLOB_LENGTH for glob in globs):
        raise SettingError(
            f"setting exclude{place} must be at most {MAX_GLOBS:,} globs of {MAX_GLOB_LENGTH:,} "
            f"characters, got {len(globs):,} of up to {max(map(len, globs)):,}",
            hint="a .plaitignore file takes more",
        )
