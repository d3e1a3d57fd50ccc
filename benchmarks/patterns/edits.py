"""Edits: the same lines as ripgrep after a thousand changes to a working copy.

Lines are put in, taken out and replaced, files are added, renamed, emptied and removed, a
hundred at a time, with a refresh after each hundred as a user's next search would do it.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.patterns.engines import Plait, Ripgrep
from benchmarks.patterns.questions import Question
from benchmarks.patterns.same_lines import compared
from benchmarks.patterns.tree import files_of, link_tree
from plait.assembly import open_index
from plait.settings import Settings
from plait.stores.embedded.manifest import read_current

EDITS = 1_000
BATCHES = 10
MOST_LINES = 40  # put in or taken out at once


class Editor:
    """Random edits of a tree, from a seed."""

    def __init__(self, tree: Path, rng: random.Random) -> None:
        self._rng = rng
        self._paths = sorted(path for path in tree.rglob("*") if path.is_file())
        self._made = 0
        self.done: Counter[str] = Counter()

    def edit(self) -> None:
        """One edit; changes of lines are as likely as all others together."""
        edits: Sequence[Callable[[Path], None]] = (
            *(self._insert, self._remove, self._replace, self._insert),
            *(self._rename, self._delete, self._add, self._empty),
        )
        chosen = self._rng.choice(edits)
        chosen(self._rng.choice(self._paths))
        self.done[chosen.__name__.strip("_")] += 1

    def _insert(self, path: Path) -> None:
        lines, new = _lines(path), self._some(_lines(self._rng.choice(self._paths)))
        at = self._rng.randint(0, len(lines))
        path.write_bytes(b"".join([*lines[:at], *new, *lines[at:]]))

    def _remove(self, path: Path) -> None:
        lines = _lines(path)
        at = self._rng.randint(0, len(lines))
        path.write_bytes(b"".join(lines[:at] + lines[at + self._rng.randint(1, MOST_LINES) :]))

    def _replace(self, path: Path) -> None:
        """The same number of bytes: only the time and the bytes tell."""
        content = path.read_bytes()
        path.write_bytes(content.replace(b"e", b"o") if b"e" in content else content.swapcase())

    def _rename(self, path: Path) -> None:
        self._paths.remove(path)
        self._paths.append(path.rename(self._new_name(path)))

    def _delete(self, path: Path) -> None:
        self._paths.remove(path)
        path.unlink()

    def _add(self, path: Path) -> None:
        self._paths.append(Path(shutil.copyfile(path, self._new_name(path))))

    def _empty(self, path: Path) -> None:
        path.write_bytes(b"")

    def _some(self, lines: list[bytes]) -> list[bytes]:
        at = self._rng.randint(0, len(lines))
        return lines[at : at + self._rng.randint(1, MOST_LINES)]

    def _new_name(self, path: Path) -> Path:
        self._made += 1
        folder = self._rng.choice(self._paths).parent
        return folder / f"edited{self._made}{path.suffix}"


def _lines(path: Path) -> list[bytes]:
    """Lines with their newlines: the last may lack its own."""
    return [line for line in path.read_bytes().splitlines(keepends=True) if line]


def run(
    tree: Path, work: Path, questions: Sequence[Question], *, files: int, seed: int
) -> dict[str, object]:
    """Edit a copy of some files of a tree, refresh between batches, compare at the end."""
    rng = random.Random(seed)
    copy = work / "edited"
    paths = sorted(path for path in tree.rglob("*") if path.is_file())
    for path in rng.sample(paths, min(files, len(paths))):
        target = copy / path.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    index = open_index(copy, Settings(cache_dir=str(work / "edited-cache")))
    index.refresh()
    editor = Editor(copy, rng)
    for _ in range(BATCHES):
        for _ in range(EDITS // BATCHES):
            editor.edit()
        index.refresh()
    snapshot = index.snapshot()
    linked = link_tree(files_of(index.source), copy, work / "edited-tree")
    rows = compared(Plait(snapshot), Ripgrep(work / "edited-tree"), questions)
    return {
        "files": linked.files,
        "megabytes": linked.size_bytes / 1e6,
        "edits": editor.done,
        "generation": snapshot.generation,
        "layers": len(read_current(index.writer.folder).layers),
        "questions": rows,
    }
