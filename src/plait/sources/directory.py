"""A directory as a source: a git work tree, part of one, or any folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plait.beneath import Refused, components, read_beneath
from plait.errors import SourceError
from plait.sources.classify import classify
from plait.sources.names import refused_name
from plait.sources.notes import Notes
from plait.sources.place import place_of
from plait.sources.selection import Selection
from plait.sources.staged import Unreadable
from plait.sources.tracked import TrackedTree, is_ignored
from plait.sources.walk import explain_walk, walk
from plait.types import Listed, Skipped, SourceFile
from plait.types.notes import Note


class DirectorySource:
    """The files below a folder.

    Inside a git work tree what is tracked belongs, hidden or not; elsewhere, and in a folder
    its repository ignores, hidden files are left out.

    Args:
        root: An existing folder. No file outside it is ever opened.
        name: The repository's name in the index.
        selection: What to leave out.

    Raises:
        SourceError: ``root`` is not a folder that can be read.
    """

    def __init__(self, root: Path, *, name: str = "", selection: Selection | None = None) -> None:
        try:
            self._root = root.resolve(strict=True)
            is_folder = self._root.is_dir()
        except (OSError, ValueError, RuntimeError) as error:
            raise SourceError(
                f"cannot read folder {str(root)!r}: {error}", hint="name an existing folder"
            ) from None
        if not is_folder:
            raise SourceError(f"not a folder: {root}", hint="name the folder the file lies in")
        self._name = name
        self._selection = selection or Selection()
        self._notes = Notes()

    @property
    def name(self) -> str:
        return self._name

    @property
    def root(self) -> Path:
        """The folder, absolute and without links."""
        return self._root

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the last listing could not do as it should, a sentence each."""
        return self._notes.all()

    def listing(self) -> Iterator[Listed | Skipped]:
        """Every file there is, in path order, without reading any.

        What ignore rules leave out does not appear; ``explain_ignore`` tells of it.
        """
        tracked = self._tracked()
        if tracked is not None:
            return tracked.listing()
        return walk(self._root, self._selection, self._notes)

    def read(self, path: str) -> SourceFile | Skipped:
        """Read one listed file, or say why it is not worth indexing.

        Any path may be asked for; one that leads out of the root, or through a link, is
        skipped without anything being opened outside.
        """
        try:
            components(path)
            refused = refused_name(path, self._selection)
            if refused is not None:
                return Skipped(path, *refused)
            raw = read_beneath(self._root, path, self._selection.max_bytes)
            return classify(self._name, path, raw, self._selection)
        except Refused as refusal:
            return Skipped(path, refusal.reason, refusal.detail)

    def explain_ignore(self, path: str) -> str:
        """One sentence: the rule or built-in reason that leaves a path out, or that it is indexed.

        Args:
            path: Relative to the root, with forward slashes.
        """
        path = path.removeprefix("./").rstrip("/")
        try:
            components(path)
        except Refused as refusal:
            return f"{path!r} is left out: {refusal.detail}"
        tracked = self._tracked()
        out = (
            tracked.explain(path)
            if tracked is not None
            else explain_walk(self._root, path, self._selection)
        )
        if out is not None:
            return f"{path} is left out by {out}"
        found = self.read(path)
        if isinstance(found, Skipped) and found.reason == "folder":
            return f"{path} is a folder that no rule leaves out"
        if isinstance(found, Skipped):
            way = "; --include-secrets shows it" if found.reason == "secret" else ""
            return f"{path} is skipped as {found.reason}: {found.detail}{way}"
        return f"{path} is indexed as {found.language or 'text of unknown language'}"

    def _tracked(self) -> TrackedTree | None:
        """The folder as part of a work tree; None if it is to be walked, with a note if need be."""
        place = place_of(self._root)
        self._notes = Notes()
        if place.note:
            self._notes.add(place.note)
        if place.tree is None or is_ignored(place.tree, self._root):
            return None
        try:
            return TrackedTree(place.tree, self._root, self._selection, self._notes)
        except Unreadable as error:
            note = f"the git index of {place.tree.top} cannot be used: {error}"
            self._notes.add(f"{note}; plait's own ignore rules apply")
            return None
