"""Places: where settings and indexes are kept on this machine, and what they are called."""

from __future__ import annotations

import re
from pathlib import Path

import platformdirs

from plait.engine.writer import short_digest
from plait.errors import SettingError
from plait.private.folders import PrivateFolder
from plait.settings import Settings
from plait.sources import Root

NAME_CACHE = "set HOME, or name a folder: PLAIT_CACHE_DIR=/path/to/cache"
NAME_FULL = "name it from the root or from home: PLAIT_CACHE_DIR=/path/to/cache or ~/cache"


def user_settings_file() -> Path:
    """Where a user keeps settings for all projects."""
    return Path(platformdirs.user_config_dir("plait", appauthor=False)) / "config.toml"


def cache_folder(settings: Settings) -> Path:
    """Where indexes are kept.

    Raises:
        SettingError: The user has no home folder and has named no other, or no full path.
    """
    named = settings.cache_dir
    try:
        usual = "" if named else platformdirs.user_cache_dir("plait", appauthor=False)
        folder = Path(named or usual).expanduser()
    except RuntimeError as error:  # nobody knows this user
        raise SettingError(f"the cache folder cannot be told: {error}", hint=NAME_CACHE) from error
    if not folder.is_absolute():  # it would lie in the tree that is searched
        hint = NAME_FULL if named else NAME_CACHE
        raise SettingError(f"the cache folder {folder} is not a full path", hint=hint)
    return folder


def private_folder(folder: Path, settings: Settings) -> PrivateFolder:
    """A folder that holds an index, with what is known of those that lead to it."""
    cache = cache_folder(settings)
    if not folder.is_relative_to(cache):
        return PrivateFolder(folder)
    return PrivateFolder(folder, cache, is_named=bool(settings.cache_dir))


def index_folder(root: Root, settings: Settings) -> Path:
    """Where the index of a tree is kept; worktrees of one repository share it."""
    owner = root.key.parent if root.is_git and root.key.name == ".git" else root.key
    return cache_folder(settings) / f"{_safe(owner.name)}-{short_digest(str(root.key))}"


def record_folder(root: Root, collection: str, address: str, settings: Settings) -> Path:
    """Where it is kept what a collection on a cluster has of a tree. Two copies of a tree have
    different stamps, so each has a record."""
    key = short_digest(f"{address}\0{root.directory}")
    return cache_folder(settings) / "shared" / f"{collection}-{key}"


def repository_name(root: Root, settings: Settings) -> str:
    """What a repository is called: as its folder, so that it is the same on every machine."""
    name = root.directory.name or "root"
    is_linked = root.is_git and root.key.parent != root.directory
    if is_linked and not settings.store:  # a second work tree in the store of the first
        return f"{name}@{short_digest(str(root.directory))}"
    return name


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:40] or "root"
