"""Diffs: the lines a commit took away and the lines it put there.

White space and line breaks are ignored, and a file that moved is compared with what it
was, so that only lines somebody wrote count. Files are told by their blobs, never by the
paths in a patch, which git quotes and cuts in ways that cannot be undone.

A history may come from anyone, and one commit of it can keep git busy for ever. So git has so
many seconds for some commits and so many for all. Some that fail are asked about again in
halves, until those are left that are to blame; they have no diffs.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from plait.sources.git import Bounds, run_git

COMMIT = re.compile(rb"[0-9a-f]{40,64}")
INDEX = re.compile(rb"index ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})")
HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
BATCH = 64  # commits asked for at once; a patch is text, and a batch is held in memory
BATCH_BYTES = 1 << 24  # of patches
BATCH_SECONDS = 60.0
ALL_SECONDS = 600.0


class Line(NamedTuple):
    """A line that is only on one side, with its row there, from 0.

    ``around`` are the rows of the other side's lines right above and below the stretch.
    """

    row: int
    text: bytes
    around: tuple[int, int]


class FileDiff(NamedTuple):
    """How the content of one file changed."""

    before: str  # blob; "" if there was no file
    after: str
    removed: list[Line]
    added: list[Line]


def read_diffs(repo: Path, commits: Sequence[str]) -> Iterator[tuple[str, list[FileDiff] | None]]:
    """Every commit with its diffs, in order; None if git cannot read them, or not in time."""
    clock = _Clock(ALL_SECONDS)
    for start in range(0, len(commits), BATCH):
        yield from _batch(repo, commits[start : start + BATCH], clock)


class _Clock:
    """The seconds that git has left."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def ask(self, repo: Path, *args: str, stdin: bytes) -> bytes | None:
        """What git says; None if it fails, or has no time left."""
        if self.left <= 0:
            return None
        began = time.monotonic()
        bounds = Bounds(min(BATCH_SECONDS, self.left), BATCH_BYTES)
        reply = run_git(repo, *args, stdin=stdin, bounds=bounds)
        self.left -= time.monotonic() - began
        return reply.out if reply.code == 0 else None


def _batch(
    repo: Path, commits: Sequence[str], clock: _Clock
) -> Iterator[tuple[str, list[FileDiff] | None]]:
    patches = clock.ask(
        repo,
        "diff-tree",
        "--stdin",
        "-r",
        "--root",
        "--patch",
        "--unified=0",
        "--inter-hunk-context=0",
        "--ignore-all-space",
        "--ignore-blank-lines",
        "--find-renames",
        "--full-index",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        stdin="".join(f"{commit}\n" for commit in commits).encode(),
    )
    if patches is not None:
        diffs = _parsed(patches)
        for commit in commits:
            yield commit, diffs.get(commit, [])
    elif len(commits) == 1:
        yield commits[0], None
    else:  # a snapshot may lack a blob: find the commit that needs it, keep the others
        middle = len(commits) // 2
        yield from _batch(repo, commits[:middle], clock)
        yield from _batch(repo, commits[middle:], clock)


def _parsed(patches: bytes) -> dict[str, list[FileDiff]]:
    diffs: dict[str, list[FileDiff]] = {}
    current: list[FileDiff] = []
    lines = (line.removesuffix(b"\n") for line in io.BytesIO(patches))
    for line in lines:
        if line.startswith(b"@@"):
            hunk = HUNK.match(line)
            if hunk is not None and current:
                _read_hunk(lines, hunk, current[-1])
        elif found := INDEX.match(line):
            before, after = (blob.decode().lstrip("0") and blob.decode() for blob in found.groups())
            current.append(FileDiff(before, after, [], []))
        elif COMMIT.fullmatch(line):
            current = diffs.setdefault(line.decode(), [])
    return diffs


def _read_hunk(lines: Iterator[bytes], hunk: re.Match[bytes], diff: FileDiff) -> None:
    """Take as many lines as the hunk announces, so that none can pass for a header."""
    before, left_before, after, left_after = (
        1 if number is None else int(number) for number in hunk.groups()
    )
    # Of an empty side git names the row above, of any other its first, both from 1.
    removed, added = before - (left_before > 0), after - (left_after > 0)
    stretch = FileDiff("", "", [], [])
    around_removed = (added - 1, added + left_after)
    around_added = (removed - 1, removed + left_before)
    while left_before or left_after:
        line = next(lines, b"")
        mark = line[:1]
        if mark == b"\\":  # no newline at the end of the file
            continue
        if mark == b"-":
            stretch.removed.append(Line(removed, line[1:], around_removed))
        elif mark == b"+":
            stretch.added.append(Line(added, line[1:], around_added))
        if mark != b"+":  # one side has it, or both: a blank line between two changes
            removed, left_before = removed + 1, left_before - 1
        if mark != b"-":
            added, left_after = added + 1, left_after - 1
    if _squeezed(stretch.removed) != _squeezed(
        stretch.added
    ):  # else the lines were only broken anew
        diff.removed.extend(stretch.removed)
        diff.added.extend(stretch.added)


def _squeezed(lines: Sequence[Line]) -> bytes:
    return b"".join(b"".join(line.text.split()) for line in lines)
