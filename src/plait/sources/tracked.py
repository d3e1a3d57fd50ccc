"""Listing a git work tree: what git tracks, and what it would not ignore.

What is tracked is read from the index, and is always taken. The tree is walked for the rest,
and each untracked file is held to git's ignore rules and to those of a plain walk: hidden ones
and those in folders such as ``node_modules`` are left out even before somebody writes a
``.gitignore``. Git itself takes no part in it: it would open whatever a repository calls an
ignore file, and wait for it if it is a pipe.

Both kinds are then thinned by ``.ignore``, ``.plaitignore`` and the caller's globs. These can
only leave out here: what git ignores cannot be taken back in by a negated line, only by asking
no ignore file at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from plait.beneath import DEEPEST, Refused
from plait.sources.descent import Descent
from plait.sources.ignore import GIT_FILE, OWN_FILES, Allowance, Rule, Rules, parse_rules
from plait.sources.notes import Notes
from plait.sources.place import WorkTree
from plait.sources.selection import Selection
from plait.sources.staged import Unreadable, staged_below
from plait.sources.stamps import horizon
from plait.sources.walk import PRUNED, judged, read_rules, readable, users_rules
from plait.types import Listed, Skipped

BUILT_IN = "built-in: untracked files that are hidden or in a cache folder are not indexed"
ELSEWHERE = "git does not list it: it lies in another repository or a git directory"
NESTED = ("submodule", "a repository of its own")


class Folder(NamedTuple):
    """A folder still to be scanned, and what holds in it."""

    path: str  # "" for the root
    own: Rules  # about paths relative to the root
    git: Rules  # about paths relative to the top of the work tree
    closed: Rule | str = ""  # why nothing untracked is taken, if nothing is
    is_module: bool = False  # tracked as a whole


class TrackedTree:
    """A folder in a work tree, to be listed.

    Args:
        tree: The work tree.
        root: The folder: its top, or one below.
        selection: What to leave out.
        notes: Where it is noted what could not be done.

    Raises:
        Unreadable: The index cannot be read, so nobody knows what is tracked.
    """

    def __init__(
        self, tree: WorkTree, root: Path, selection: Selection, notes: Notes | None = None
    ) -> None:
        inner = root.relative_to(tree.top).as_posix()
        inner = "" if inner == "." else inner
        self._tree = tree
        self._root = root
        self._base = os.path.join(root, "")  # noqa: PTH118  # strings: paths cost four times as much
        self._prefix = f"{inner}/" if inner else ""  # from the top
        self._selection = selection
        self._notes = notes if notes is not None else Notes()
        self._staged = staged_below(tree, inner)
        self._since = horizon()

    def listing(self) -> Iterator[Listed | Skipped]:
        """Every file that no rule leaves out, sorted by path."""
        pending: list[Folder | Listed | Skipped] = [self._first()]
        with Descent(self._root) as descent:
            while pending:
                item = pending.pop()
                if isinstance(item, Folder):
                    pending.extend(self._scan(descent, item))
                else:
                    yield item

    def explain(self, path: str) -> Rule | str | None:
        """Why the listing does not hold a path; None if it does, or there is no such file."""
        names = path.split("/")
        is_tracked = self._staged.holds(path)
        folder = self._first()
        for depth, name in enumerate(names, 1):
            inside = self._names(folder.path)
            if folder.path and ".git" in inside and folder.path not in self._staged.folders:
                return ELSEWHERE
            folder = self._entered(folder, inside)
            inner = "/".join(names[:depth])
            here = self._root / inner
            is_folder = depth < len(names) or (here.is_dir() and not here.is_symlink())
            rule = folder.own.decide(inner, is_folder=is_folder)
            if rule is not None and not rule.negated:
                return rule
            if not is_tracked and name == ".git":
                return ELSEWHERE
            closed = self._closed(folder, inner, name, is_folder=is_folder)
            if closed and not is_tracked and os.path.lexists(self._root / path):
                return closed
            folder = Folder(inner, folder.own, folder.git, closed)
        return None

    def _first(self) -> Folder:
        chosen = self._selection
        own = Rules.start(chosen.exclude, notes=self._notes)
        if chosen.no_ignore:
            return Folder("", own, Rules())
        above = rules_above(self._tree, self._prefix.rstrip("/"), chosen, self._notes)
        return Folder("", own, above)

    def _names(self, path: str) -> set[str]:
        try:
            with os.scandir(self._base + path) as entries:
                return {entry.name for entry in entries}
        except OSError:
            return set()

    def _scan(self, descent: Descent, folder: Folder) -> list[Folder | Listed | Skipped]:
        """One folder's entries, last first: the order in which a stack gives them back."""
        found: list[tuple[str, Folder | Listed | Skipped]] = []
        try:
            with os.scandir(descent.enter(folder.path)) as entries:
                listed = {entry.name: entry for entry in entries}
            if self._is_nested(folder, listed):
                return [Skipped(folder.path, *NESTED)]
            self._judge(self._entered(folder, listed), listed, found)
        except (FileNotFoundError, Refused):
            pass  # gone, or no longer a folder, since its parent was scanned
        except OSError as error:
            shown = readable(folder.path) or "."
            found = [(shown, Skipped(shown, "unreadable", f"cannot be scanned: {error.strerror}"))]
        found.sort(key=itemgetter(0), reverse=True)
        return [item for _, item in found]

    def _is_nested(self, folder: Folder, listed: dict[str, os.DirEntry[str]]) -> bool:
        """Whether a folder is another repository: one that was added as such, or was found."""
        if folder.is_module and not listed:
            return True  # not fetched
        return bool(folder.path) and ".git" in listed and folder.path not in self._staged.folders

    def _entered(self, folder: Folder, names: dict[str, os.DirEntry[str]] | set[str]) -> Folder:
        """What holds in a folder once the ignore files in it are read."""
        if self._selection.no_ignore:
            return folder
        own = [name for name in OWN_FILES if name in names]
        if own:
            rules = folder.own.within(folder.path, own, self._read)
            folder = folder._replace(own=rules)
        if GIT_FILE in names and not folder.closed:
            at = (self._prefix + folder.path).rstrip("/")
            folder = folder._replace(git=rules_in(self._tree, at, folder.git))
        return folder

    def _read(self, path: str) -> bytes:
        return read_rules(self._root, path, self._notes)

    def _judge(
        self,
        folder: Folder,
        listed: dict[str, os.DirEntry[str]],
        found: list[tuple[str, Folder | Listed | Skipped]],
    ) -> None:
        """Sort a folder's entries into what is listed, what is skipped and what is entered."""
        prefix = f"{folder.path}/" if folder.path else ""
        tracked, folders = self._staged.paths, self._staged.folders
        own, selection, since = folder.own, self._selection, self._since
        is_deepest = prefix.count("/") == DEEPEST
        thinned = bool(own.given or own.plaitignore or own.ignore)
        for name, entry in listed.items():
            path = prefix + name
            is_folder = entry.is_dir(follow_symlinks=False)
            is_tracked = path in tracked
            closed: Rule | str = ""
            if name == ".git":
                continue  # even if an index claims to track it
            if is_folder or not is_tracked:
                closed = self._closed(folder, path, name, is_folder=is_folder)
                if closed and not is_tracked and not (is_folder and path in folders):
                    continue
            if thinned:
                rule = own.decide(path, is_folder=is_folder)
                if rule is not None and not rule.negated:
                    continue
            if not path.isascii() and (shown := readable(path)) != path:
                found.append((shown, Skipped(shown, "name", "the name is not valid UTF-8")))
            elif is_folder and is_deepest:
                found.append((path, Skipped(path, "deep", f"more than {DEEPEST} folders deep")))
            elif is_folder:
                found.append((path + "/", Folder(path, own, folder.git, closed, is_tracked)))
            elif (item := judged(path, entry, selection, since)) is not None:
                found.append((path, item))

    def _closed(self, folder: Folder, path: str, name: str, *, is_folder: bool) -> Rule | str:
        """What keeps an untracked entry out, "" if nothing does."""
        if folder.closed:
            return folder.closed
        rule = folder.git.decide(self._prefix + path, is_folder=is_folder)
        if rule is not None and not rule.negated:
            return rule
        is_hidden = name[0] == "." and not self._selection.hidden
        return BUILT_IN if is_hidden or (is_folder and name in PRUNED) else ""


def is_ignored(tree: WorkTree, path: Path) -> bool:
    """Whether the work tree's ignore rules leave out a path in it (never its top).

    A folder with something tracked inside is not ignored, whatever the rules say.
    """
    names = path.relative_to(tree.top).parts
    rules = rules_everywhere(tree, Selection())
    for depth, name in enumerate(names):
        above = "/".join(names[:depth])
        rules = rules_in(tree, above, rules)
        inner = f"{above}/{name}" if above else name
        rule = rules.decide(inner, is_folder=depth + 1 < len(names) or path.is_dir())
        if rule is not None and not rule.negated:
            try:
                return not staged_below(tree).holds("/".join(names))
            except Unreadable:
                return True
    return False


def rules_everywhere(tree: WorkTree, selection: Selection, notes: Notes | None = None) -> Rules:
    """Git's rules for all of a work tree: those in its git directory, and the user's own."""
    notes = notes if notes is not None else Notes()
    content = read_rules(tree.common, "info/exclude", notes)
    excludes = parse_rules(content, ".git/info/exclude", allowance=Allowance(notes))
    return Rules.start((), (excludes, users_rules(selection, notes)), notes)


def rules_above(
    tree: WorkTree, folder: str, selection: Selection, notes: Notes | None = None
) -> Rules:
    """Git's rules that hold in a folder because of files that lie elsewhere."""
    rules = rules_everywhere(tree, selection, notes)
    names = folder.split("/") if folder else []
    for depth in range(len(names)):
        rules = rules_in(tree, "/".join(names[:depth]), rules)
    return rules


def rules_in(tree: WorkTree, folder: str, above: Rules) -> Rules:
    """The rules above and those of a folder's own ``.gitignore``."""
    if not os.path.lexists(tree.top / folder / GIT_FILE):
        return above
    notes = above.allowance.notes
    return above.within(folder, [GIT_FILE], lambda path: read_rules(tree.top, path, notes))
