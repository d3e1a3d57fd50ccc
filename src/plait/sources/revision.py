"""A repository at a revision as a source: nothing is checked out, a bare one will do."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from plait.beneath import Refused
from plait.errors import SourceError
from plait.sources.blobs import Blobs
from plait.sources.classify import classify
from plait.sources.git import run_git
from plait.sources.ignore import OWN_FILES, Rules
from plait.sources.names import refused_name
from plait.sources.selection import Selection
from plait.sources.walk import readable
from plait.types import Listed, Skipped, SourceFile

PATH_CHARS = 4096
MAX_FOLDERS = 1000  # on the way to a file
TOO_DEEP = f"too long, or more than {MAX_FOLDERS} folders deep"
KNOWN_FOLDERS = 50_000  # kept at a time: folders that are deep and many add up
LINK, MODULE = "120000", "160000"  # git's modes


class Tracked(NamedTuple):
    """A file as the tree of a revision has it."""

    mode: str
    blob: str
    size: int


def resolve(repo: Path, revision: str) -> str:
    """The full id of a commit.

    Raises:
        SourceError: The repository has no such commit.
    """
    # --end-of-options: a revision may come from a file, and must not be read as an option.
    asked = f"{revision}^{{commit}}"
    reply = run_git(repo, "rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    lines = reply.out.decode().split()
    if reply.code != 0 or not lines:
        raise SourceError(
            f"{repo} has no commit {revision!r}" + (f": {reply.complaint}" * bool(reply.complaint)),
            hint="name a repository and a commit, branch or tag it has",
        )
    return lines[-1]


class RevisionSource:
    """The files of one commit.

    Its own ``.ignore`` and ``.plaitignore`` files apply; ``.gitignore`` does not, since
    what is committed belongs. The blob's id is the stamp: going from one revision to
    another reads only what differs.

    Args:
        repo: The repository's folder, bare or not.
        revision: A commit, branch or tag.
        name: The repository's name in the index.
        under: Only what lies below this folder; "" for everything.
        selection: What to leave out.

    Raises:
        SourceError: There is no such commit.
    """

    def __init__(
        self,
        repo: Path,
        revision: str,
        *,
        name: str,
        under: str = "",
        selection: Selection | None = None,
    ) -> None:
        self._repo = repo
        self._name = name
        self._under = f"{under.strip('/')}/" if under.strip("/") else ""
        self._selection = selection or Selection()
        self._blobs = Blobs(repo)
        self._tree: dict[str, Tracked] | None = None
        self.revision = resolve(repo, revision)

    @property
    def name(self) -> str:
        return self._name

    def listing(self) -> Iterator[Listed | Skipped]:
        """Every file of the commit, in path order."""
        tree = self._files()
        rules = _Folders(self._selection, tree, lambda path: self.bytes_of(path) or b"")
        for path in sorted(tree, key=readable):
            if not path.startswith(self._under):
                continue
            if len(path) > PATH_CHARS or path.count("/") > MAX_FOLDERS:
                yield Skipped(readable(path), "path", TOO_DEEP)
                continue
            if rules.leave_out(path):
                continue
            if (shown := readable(path)) != path:
                yield Skipped(shown, "name", "the name is not valid UTF-8")
                continue
            yield self._judged(path, tree[path])

    def _judged(self, path: str, file: Tracked) -> Listed | Skipped:
        if file.mode == LINK:
            return Skipped(path, "symlink", "links are not followed")
        if file.mode == MODULE:
            return Skipped(path, "submodule", "a repository of its own")
        refused = refused_name(path, self._selection)
        if refused is not None:
            return Skipped(path, *refused)
        limit = self._selection.max_bytes
        if file.size > limit:
            return Skipped(path, "oversized", f"{file.size} bytes, more than {limit}")
        if not file.size:
            return Skipped(path, "empty", "the file is empty")
        return Listed(path, file.blob)

    def read(self, path: str) -> SourceFile | Skipped:
        """Read one listed file, or say why it is not worth indexing."""
        file = self._files().get(path)
        raw = self.bytes_of(path)
        if file is None or raw is None or file.mode == LINK:
            return Skipped(path, "gone", "the commit has no such file")
        try:
            return classify(self._name, path, raw, self._selection)
        except Refused as refusal:
            return Skipped(path, refusal.reason, refusal.detail)

    def bytes_of(self, path: str) -> bytes | None:
        """A file as it was committed; None if there is none."""
        file = self._files().get(path)
        return self._blobs.read(file.blob) if file is not None else None

    def close(self) -> None:
        """End the git process behind it."""
        self._blobs.close()

    def _files(self) -> dict[str, Tracked]:
        if self._tree is None:
            self._tree = dict(_tree(self._repo, self.revision))
        return self._tree


def _tree(repo: Path, revision: str) -> Iterator[tuple[str, Tracked]]:
    reply = run_git(repo, "ls-tree", "-r", "-z", "--full-tree", "--long", revision)
    if reply.code != 0:
        raise SourceError(f"git cannot list {revision} of {repo}: {reply.complaint}")
    for record in os.fsdecode(reply.out).split("\0"):
        if record:
            entry, _, path = record.partition("\t")
            mode, _, blob, size = entry.split()
            yield path, Tracked(mode, blob, int(size) if size.isdecimal() else 0)


class _Folders:
    """Which folders and files plait's own ignore files leave out, each found once."""

    def __init__(
        self, selection: Selection, tree: Iterable[str], read: Callable[[str], bytes]
    ) -> None:
        self._selection = selection
        self._read = read
        self._known: dict[str, Rules | None] = {}  # None: left out
        self._present: dict[str, set[str]] = {}
        for path in tree:
            folder, _, name = path.rpartition("/")
            if name in OWN_FILES and not selection.no_ignore:
                self._present.setdefault(folder, set()).add(name)

    def leave_out(self, path: str) -> bool:
        if len(self._known) > KNOWN_FOLDERS:
            self._known.clear()
        if not self._present and not self._selection.exclude:
            return False
        rules = self._rules(path.rpartition("/")[0])
        return rules is None or _is_out(rules, path, is_folder=False)

    def _rules(self, folder: str) -> Rules | None:
        """What holds in a folder, found from the nearest folder above that is known."""
        unknown: list[str] = []
        while folder not in self._known:
            unknown.append(folder)
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        for inner in reversed(unknown):
            self._known[inner] = self._found(inner)
        return self._known[unknown[0] if unknown else folder]

    def _found(self, folder: str) -> Rules | None:
        """What holds in a folder; what holds above it is known."""
        above: Rules | None = Rules.start(self._selection.exclude)
        if folder:
            above = self._known[folder.rpartition("/")[0]]
        if above is None or (folder and _is_out(above, folder, is_folder=True)):
            return None
        present = self._present.get(folder, ())
        return above.within(folder, [name for name in OWN_FILES if name in present], self._read)


def _is_out(rules: Rules, path: str, *, is_folder: bool) -> bool:
    rule = rules.decide(path, is_folder=is_folder)
    return rule is not None and not rule.negated
