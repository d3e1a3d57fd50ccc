"""Walking a plain directory: every file that no rule leaves out, in path order.

No path is opened whole: folders are opened component by component and never through a
link, so a swap during the walk leads nowhere. Nothing stays open between two results.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from plait.sources.beneath import RELATIVE_OPEN, Refused, open_folder, read_beneath
from plait.sources.git import users_global_ignore
from plait.sources.ignore import GIT_FILE, OWN_FILES, Rule, RuleFile, Rules, parse_rules
from plait.sources.names import refused_name
from plait.sources.selection import Selection
from plait.sources.stamps import horizon, stamp_of
from plait.types import Listed, Skipped

IGNORE_FILES = (GIT_FILE, *OWN_FILES)
IGNORE_FILE_BYTES = 1 << 20

# Folders that hold copies, caches and histories, never anybody's source.
PRUNED = frozenset(
    ".git .hg .svn .bzr .jj .sl CVS _darcs node_modules bower_components jspm_packages "
    "__pycache__ .venv .virtualenv .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis "
    ".eggs .ipynb_checkpoints .gradle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo "
    ".yarn .pnpm-store .dart_tool .stack-work .direnv .cache".split()
)


class Folder(NamedTuple):
    """A folder still to be scanned, and the rules in force around it."""

    path: str
    rules: Rules


def walk(root: Path, selection: Selection) -> Iterator[Listed | Skipped]:
    """Every file of a directory tree, sorted by path."""
    since = horizon()
    pending: list[Folder | Listed | Skipped] = [Folder("", first_rules(root, selection))]
    while pending:
        item = pending.pop()
        if isinstance(item, Folder):
            pending.extend(scan(root, item, selection, since))
        else:
            yield item


def scan(
    root: Path, folder: Folder, selection: Selection, since: int
) -> list[Folder | Listed | Skipped]:
    """One folder's entries, last first: the order in which a stack gives them back."""
    prefix = f"{folder.path}/" if folder.path else ""
    found: list[tuple[str, Folder | Listed | Skipped]] = []
    handle: int | None = None
    try:
        if RELATIVE_OPEN:
            handle = open_folder(root, folder.path.split("/") if folder.path else [])
        elif os.path.realpath(root / folder.path) != str(root / folder.path):
            return []
        with os.scandir(root / folder.path if handle is None else handle) as entries:
            listed = list(entries)
        rules = rules_in(root, folder, selection, {entry.name for entry in listed})
        for entry in listed:
            name = entry.name
            path = prefix + name
            is_folder = entry.is_dir(follow_symlinks=False)
            if left_out(path, name, is_folder, rules, selection) is not None:
                continue
            if not path.isascii() and (shown := readable(path)) != path:
                found.append((shown, Skipped(shown, "name", "the name is not valid UTF-8")))
            elif is_folder:
                found.append((path + "/", Folder(path, rules)))
            else:
                status = entry.stat(follow_symlinks=False)
                found.append((path, judged(path, status, selection, since)))
    except FileNotFoundError:
        pass  # gone since its parent was scanned
    except OSError as error:
        shown = folder.path or "."
        found = [(shown, Skipped(shown, "unreadable", f"cannot be scanned: {error.strerror}"))]
    finally:
        if handle is not None:
            os.close(handle)
    found.sort(key=itemgetter(0), reverse=True)
    return [item for _, item in found]


def readable(path: str) -> str:
    """A path that can be printed: bytes that are not UTF-8 are written as ``\\xff``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def judged(path: str, status: os.stat_result, selection: Selection, since: int) -> Listed | Skipped:
    """A file by its name and status alone, without opening it."""
    if not stat.S_ISREG(status.st_mode):
        if stat.S_ISLNK(status.st_mode):
            return Skipped(path, "symlink", "links are not followed")
        return Skipped(path, "special", "not a regular file")
    refused = refused_name(path, selection)
    if refused is not None:
        return Skipped(path, *refused)
    size = status.st_size
    if size > selection.max_bytes:
        return Skipped(path, "oversized", f"{size} bytes, more than {selection.max_bytes}")
    if not size:
        return Skipped(path, "empty", "the file is empty")
    return Listed(path, stamp_of(status, since))


def left_out(
    path: str, name: str, is_folder: bool, rules: Rules, selection: Selection
) -> Rule | str | None:
    """The rule, or the sentence, that keeps an entry out of the listing; None if nothing does."""
    if is_folder and name in PRUNED:
        return f"built-in: folders named {name} are never indexed"
    rule = rules.decide(path, is_folder=is_folder)
    if rule is not None:
        return None if rule.negated else rule
    if name[0] == "." and not selection.hidden:
        return "built-in: hidden names are not indexed outside git unless asked for"
    return None


def first_rules(root: Path, selection: Selection) -> Rules:
    """The rules that hold above the root: given, the repository's own, the user's."""
    if selection.no_ignore:
        return Rules.start(selection.exclude)
    return Rules.start(
        selection.exclude, (rules_at(root, ".git/info/exclude"), users_rules(selection))
    )


def users_rules(selection: Selection) -> RuleFile | None:
    """The user's own ignore file, which lies outside the root by nature."""
    file = selection.global_ignore or users_global_ignore()
    try:
        return parse_rules(file.read_bytes(), str(file))
    except OSError:
        return None


def rules_at(root: Path, path: str) -> RuleFile | None:
    """The rules of a file beneath the root that speaks for all of it."""
    return parse_rules(read_rules(root, path), path)


def rules_in(root: Path, folder: Folder, selection: Selection, names: set[str]) -> Rules:
    """The rules in force inside a folder that holds ``names``."""
    present = [name for name in IGNORE_FILES if name in names]
    if selection.no_ignore or not present:
        return folder.rules
    return folder.rules.within(folder.path, present, lambda path: read_rules(root, path))


def read_rules(root: Path, path: str) -> bytes:
    """An ignore file's bytes; none if it is a link, as git has it, or cannot be read."""
    try:
        return read_beneath(root, path, IGNORE_FILE_BYTES)
    except Refused:
        return b""


def explain_walk(root: Path, path: str, selection: Selection) -> Rule | str | None:
    """Why a walk does not reach a path: what holds for the first folder on the way that is out."""
    folder = Folder("", first_rules(root, selection))
    names = path.split("/")
    for depth, name in enumerate(names, 1):
        here = {n for n in IGNORE_FILES if os.path.lexists(root / folder.path / n)}
        rules = rules_in(root, folder, selection, here)
        inner = "/".join(names[:depth])
        here_is = root / inner
        is_folder = depth < len(names) or (here_is.is_dir() and not here_is.is_symlink())
        out = left_out(inner, name, is_folder, rules, selection)
        if out is not None:
            return out
        folder = Folder(inner, rules)
    return None
