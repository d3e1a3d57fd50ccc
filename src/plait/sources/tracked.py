"""Listing a git work tree: git decides what belongs, plait what is worth reading.

Git knows its own rules best, and its index makes it quick. What it lists - tracked files,
and untracked ones no rule of git's leaves out - is then thinned by ``.ignore``,
``.plaitignore`` and the caller's globs. These can only leave out here: what git does not
list cannot be taken back in by a negated line, only by asking no ignore file at all.

Untracked files are held to the rules of a plain walk as well: hidden ones and those in
folders such as ``node_modules`` are left out even before somebody writes a ``.gitignore``.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plait.sources.git import Reply, run_git
from plait.sources.ignore import OWN_FILES, Rule, Rules
from plait.sources.selection import Selection
from plait.sources.stamps import horizon
from plait.sources.walk import PRUNED, judged, read_rules, readable
from plait.types import Listed, Skipped

UNTRACKED = "?"


class Standing(NamedTuple):
    """What holds for everything in a folder."""

    rules: Rules
    excluded: Rule | None = None
    is_linked: bool = False  # a link on the way: git lists what lies behind, plait does not
    is_plain: bool = True  # no hidden or pruned name on the way


def ask_git(root: Path, selection: Selection, path: str = "") -> Reply:
    """Have git list what lies under ``root``, each path with a letter for its state."""
    standard = () if selection.no_ignore else ("--exclude-standard",)
    where = ("--", path) if path else ("--",)
    command = ("--literal-pathspecs", "ls-files", "-z", "-t", "-c", "-o")
    return run_git(root, *command, *standard, *where)


def listed_paths(reply: Reply) -> dict[str, str]:
    """Path to state letter. A path in conflict is listed several times and kept once."""
    return {
        record[2:]: record[0] for record in os.fsdecode(reply.out).split("\0") if len(record) > 2
    }


def list_tracked(root: Path, selection: Selection, reply: Reply) -> Iterator[Listed | Skipped]:
    """Every file git listed and no further rule leaves out, sorted by path."""
    since = horizon()
    states = listed_paths(reply)
    folders = Folders(root, selection)
    base = folders.base
    lstat = os.lstat
    last, standing = "", folders.standing("")
    for path in sorted(states, key=readable) if not reply.out.isascii() else sorted(states):
        parent, _, name = path.rstrip("/").rpartition("/")
        if parent != last:
            last, standing = parent, folders.standing(parent)
        if is_out(path, name, standing, states[path], selection):
            continue
        if not path.isascii() and (shown := readable(path)) != path:
            yield Skipped(shown, "name", "the name is not valid UTF-8")
            continue
        if standing.is_linked:
            yield Skipped(path, "symlink", "a folder on the way is a link")
            continue
        try:
            status = lstat(base + path)
        except (FileNotFoundError, NotADirectoryError):
            continue  # tracked, but deleted from the work tree
        except OSError as error:
            yield Skipped(path, "unreadable", f"cannot be looked at: {error.strerror}")
            continue
        if stat.S_ISDIR(status.st_mode):
            yield Skipped(path.rstrip("/"), "submodule", "a repository of its own")
        else:
            yield judged(path, status, selection, since)


def is_out(path: str, name: str, standing: Standing, state: str, selection: Selection) -> bool:
    """Whether plait's own rules leave out what git listed."""
    if standing.excluded is not None:
        return True
    if state == UNTRACKED:
        if not standing.is_plain or (path.endswith("/") and name in PRUNED):
            return True
        if name[0] == "." and not selection.hidden:
            return True
    rule = standing.rules.decide(path.rstrip("/"), is_folder=path.endswith("/"))
    return rule is not None and not rule.negated


class Folders:
    """The standing of each folder, found once, on the way down."""

    def __init__(self, root: Path, selection: Selection) -> None:
        self._root = root
        self.base = os.path.join(root, "")  # noqa: PTH118  # strings: paths cost four times as much
        self._selection = selection
        self._known: dict[str, Standing] = {}

    def standing(self, folder: str) -> Standing:
        """What holds in a folder; "" is the root."""
        known = self._known.get(folder)
        if known is None:
            known = self._known[folder] = self._find(folder)
        return known

    def _find(self, folder: str) -> Standing:
        if not folder:
            return self._entered("", Standing(Rules.start(self._selection.exclude)))
        parent, _, name = folder.rpartition("/")
        above = self.standing(parent)
        if above.excluded is not None or above.is_linked:
            return above
        rule = above.rules.decide(folder, is_folder=True)
        if rule is not None and not rule.negated:
            return above._replace(excluded=rule)
        try:
            mode = os.lstat(self.base + folder).st_mode
        except OSError:
            return above  # gone; so are its files
        if not stat.S_ISDIR(mode):
            return above._replace(is_linked=True)
        hidden = name[0] == "." and not self._selection.hidden
        plain = above.is_plain and not hidden and name not in PRUNED
        return self._entered(folder, above._replace(is_plain=plain))

    def _entered(self, folder: str, above: Standing) -> Standing:
        if self._selection.no_ignore:
            return above
        here = f"{self.base}{folder}/" if folder else self.base
        present = [name for name in OWN_FILES if os.path.lexists(here + name)]
        if not present:
            return above
        rules = above.rules.within(folder, present, lambda path: read_rules(self._root, path))
        return above._replace(rules=rules)


def explain_tracked(root: Path, path: str, selection: Selection) -> Rule | str | None:
    """Why a listing of the work tree does not hold a path; None if it does."""
    listed = listed_paths(ask_git(root, selection, path))
    here = root / path
    if here.is_dir() and not here.is_symlink() and listed:
        return Folders(root, selection).standing(path).excluded
    state = listed.get(path)
    if state is None:
        if not os.path.lexists(here):
            return None
        asked = os.fsencode(f"./{path}") + b"\0"
        verdict = run_git(root, "check-ignore", "-v", "-n", "-z", "--stdin", stdin=asked)
        fields = os.fsdecode(verdict.out).split("\0")
        if len(fields) >= 4 and fields[1] and not fields[2].startswith("!"):
            return Rule(fields[0], int(fields[1]), fields[2], False)
        return "git does not list it: it lies in another repository or a git directory"
    parent, _, name = path.rpartition("/")
    standing = Folders(root, selection).standing(parent)
    if standing.excluded is not None:
        return standing.excluded
    if is_out(path, name, standing._replace(rules=Rules()), state, selection):
        return "built-in: untracked files that are hidden or in a cache folder are not indexed"
    rule = standing.rules.decide(path, is_folder=False)
    return rule if rule is not None and not rule.negated else None
