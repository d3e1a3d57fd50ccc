"""Walking a plain directory: every file that no rule leaves out, in path order.

No path is opened whole: each folder is opened relative to the one it lies in and never
through a link, so a swap during the walk leads nowhere. Between two results the folders on
the way down stay open, at most as many as a tree may be deep.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from plait.beneath import DEEPEST, Refused, read_head_beneath, read_head_in, read_users
from plait.sources.descent import Descent
from plait.sources.ignore import (
    GIT_FILE,
    OWN_FILES,
    Allowance,
    Rule,
    Rules,
    parse_rules,
)
from plait.sources.names import refused_name
from plait.sources.notes import Notes
from plait.sources.rule_file import RuleFile
from plait.sources.selection import Selection
from plait.sources.stamps import horizon, stamp_of
from plait.sources.users_git import users_global_ignore
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


def walk(
    root: Path, selection: Selection, notes: Notes | None = None
) -> Iterator[Listed | Skipped]:
    """Every file of a directory tree, sorted by path; ``notes`` gets what could not be done."""
    since = horizon()
    first = Folder("", first_rules(root, selection, notes if notes is not None else Notes()))
    pending: list[Folder | Listed | Skipped] = [first]
    with Descent(root) as descent:
        while pending:
            item = pending.pop()
            if isinstance(item, Folder):
                pending.extend(scan(descent, item, selection, since))
            else:
                yield item


def scan(
    descent: Descent, folder: Folder, selection: Selection, since: int
) -> list[Folder | Listed | Skipped]:
    """One folder's entries, last first: the order in which a stack gives them back."""
    prefix = f"{folder.path}/" if folder.path else ""
    found: list[tuple[str, Folder | Listed | Skipped]] = []
    is_deepest = prefix.count("/") == DEEPEST
    try:
        where = descent.enter(folder.path)
        with os.scandir(where) as entries:
            listed = list(entries)
        rules = rules_in(where, folder, selection, {entry.name for entry in listed})
        for entry in listed:
            name = entry.name
            path = prefix + name
            is_folder = entry.is_dir(follow_symlinks=False)
            if left_out(path, name, is_folder, rules, selection) is not None:
                continue
            if not path.isascii() and (shown := readable(path)) != path:
                found.append((shown, Skipped(shown, "name", "the name is not valid UTF-8")))
            elif is_folder and is_deepest:
                found.append((path, Skipped(path, "deep", f"more than {DEEPEST} folders deep")))
            elif is_folder:
                found.append((path + "/", Folder(path, rules)))
            elif (item := judged(path, entry, selection, since)) is not None:
                found.append((path, item))
    except (FileNotFoundError, Refused):
        pass  # gone, or no longer a folder, since its parent was scanned
    except OSError as error:
        shown = folder.path or "."
        found = [(shown, Skipped(shown, "unreadable", f"cannot be scanned: {error.strerror}"))]
    found.sort(key=itemgetter(0), reverse=True)
    return [item for _, item in found]


def readable(path: str) -> str:
    """A path that can be printed: bytes that are not UTF-8 are written as ``\\xff``."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def judged(
    path: str, entry: os.DirEntry[str], selection: Selection, since: int
) -> Listed | Skipped | None:
    """A file by its name and status alone, without opening it; None if it is gone by now."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Skipped(path, "unreadable", f"cannot be looked at: {error.strerror}")
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


def first_rules(root: Path, selection: Selection, notes: Notes) -> Rules:
    """The rules that hold above the root: given, the repository's own, the user's."""
    if selection.no_ignore:
        return Rules.start(selection.exclude, notes=notes)
    wide = (rules_at(root, ".git/info/exclude", notes), users_rules(selection, notes))
    return Rules.start(selection.exclude, wide, notes)


def users_rules(selection: Selection, notes: Notes | None = None) -> RuleFile | None:
    """The user's own ignore file, which lies outside the root by nature."""
    file = selection.global_ignore or users_global_ignore()
    if str(file) == os.devnull:  # how one says that there is none
        return None
    content = rules_read(str(file), lambda: read_users(file, IGNORE_FILE_BYTES), notes)
    return parse_rules(content, str(file), allowance=Allowance(notes or Notes()))


def rules_at(root: Path, path: str, notes: Notes | None = None) -> RuleFile | None:
    """The rules of a file beneath the root that speaks for all of it."""
    return parse_rules(read_rules(root, path, notes), path, allowance=Allowance(notes or Notes()))


def rules_in(where: int | str, folder: Folder, selection: Selection, names: set[str]) -> Rules:
    """The rules in force inside a folder that is open, or lies at a path, and holds ``names``."""
    present = [name for name in IGNORE_FILES if name in names]
    if selection.no_ignore or not present:
        return folder.rules
    notes = folder.rules.allowance.notes

    def read(path: str) -> bytes:
        name = path.rpartition("/")[2]
        if isinstance(where, str):
            return read_rules(Path(where), name, notes)
        return rules_read(path, lambda: read_head_in(where, name, IGNORE_FILE_BYTES + 1), notes)

    return folder.rules.within(folder.path, present, read)


def read_rules(root: Path, path: str, notes: Notes | None = None) -> bytes:
    """An ignore file's bytes; none if it is a link, as git has it, or cannot be read."""
    return rules_read(path, lambda: read_head_beneath(root, path, IGNORE_FILE_BYTES + 1), notes)


def rules_read(path: str, read: Callable[[], bytes], notes: Notes | None) -> bytes:
    """What an ignore file says, as far as it may be long, with a note if that is not all."""
    problem = ""
    content = b""
    try:
        content = read()
        if len(content) > IGNORE_FILE_BYTES:
            content = content[: content.rfind(b"\n", 0, IGNORE_FILE_BYTES) + 1]
            problem = f"only its first {IGNORE_FILE_BYTES:,} bytes are"
    except Refused as refused:
        if refused.reason != "missing":
            problem = refused.detail
    if problem and notes is not None:
        notes.add(f"{readable(path)} is not applied: {problem}")
    return content


def explain_walk(root: Path, path: str, selection: Selection) -> Rule | str | None:
    """Why a walk does not reach a path: what holds for the first folder on the way that is out."""
    folder = Folder("", first_rules(root, selection, Notes()))
    names = path.split("/")
    for depth, name in enumerate(names, 1):
        rules = folder.rules
        if not selection.no_ignore:
            rules = rules.within(folder.path, IGNORE_FILES, lambda file: read_rules(root, file))
        inner = "/".join(names[:depth])
        here_is = root / inner
        is_folder = depth < len(names) or (here_is.is_dir() and not here_is.is_symlink())
        out = left_out(inner, name, is_folder, rules, selection)
        if out is not None:
            return out
        folder = Folder(inner, rules)
    return None
