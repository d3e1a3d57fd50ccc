"""ripgrep over a tree: every line that holds a word, and the lines of a file.

The tree is taken as it is: it holds what the index holds (``trees.py``), so no ignore file
and no user's configuration may take anything away. rg gets an argument list, never a shell,
and a limited time. Its output is sorted by path, so that the same tree costs the same.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from plait import children
from plait.errors import EvaluationError

TIMEOUT_S = 60.0
MAX_COLUMNS = 500  # letters of a line that are shown, here and by plait
OPTIONS = (
    "--no-config --no-ignore --hidden --sort=path --color=never --line-number --no-heading --null "
    f"--max-columns={MAX_COLUMNS} --max-columns-preview --ignore-case --fixed-strings"
).split()
REMEMBERED = 256  # words; questions about one tree repeat each other's


class Match(NamedTuple):
    """A line that holds a word, as ``rg -n --no-heading`` prints it."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.text}"


class Ripgrep:
    """Searches one tree, which must not change meanwhile.

    Args:
        tree: The folder.
        program: What to run.
        timeout_s: How long one search may take.
    """

    def __init__(self, tree: Path, *, program: str = "rg", timeout_s: float = TIMEOUT_S) -> None:
        self._tree = tree.absolute()
        self._program = program
        self._timeout_s = timeout_s
        self.matches = lru_cache(REMEMBERED)(self._matches)
        self.lines = lru_cache(REMEMBERED)(self._lines)

    def _matches(self, word: str) -> Sequence[Match]:
        """Every line that holds a word, case ignored, by path and line.

        Raises:
            EvaluationError: ripgrep is missing, failed or took too long.
        """
        matches = []
        before = os.fsencode(self._tree / "_")[:-1]
        for row in self._run(word).split(b"\n"):
            path, null, rest = row.partition(b"\0")
            number, _, text = rest.partition(b":")
            if null:  # without one it is a remark, such as that a file is binary
                shown = text.decode("utf-8", "replace").rstrip("\r")
                name = os.fsdecode(path.removeprefix(before))
                matches.append(Match(name, int(number), shown))
        return tuple(matches)

    def _run(self, word: str) -> bytes:
        arguments = [*OPTIONS, f"--regexp={word}", "--", str(self._tree)]
        done = _finished(self._program, arguments, self._timeout_s)
        if done.returncode not in (0, 1):  # 1: nothing found
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise EvaluationError(f"ripgrep failed on {word!r}: {said}")
        return done.stdout

    def _lines(self, path: str) -> Sequence[str]:
        """The lines of a file, without their ends."""
        text = (self._tree / path).read_bytes().decode("utf-8", "replace")
        return tuple(line.rstrip("\r") for line in text.removesuffix("\n").split("\n"))


def version(program: str = "rg") -> str:
    """Which ripgrep this is, such as ``ripgrep 14.1.0``.

    Raises:
        EvaluationError: It is not installed.
    """
    done = _finished(program, ["--version"], TIMEOUT_S)
    return done.stdout.decode("utf-8", "replace").partition("\n")[0].strip()


def _finished(
    program: str, arguments: Sequence[str], timeout_s: float
) -> subprocess.CompletedProcess[bytes]:
    path = children.program(program)
    if path is None:
        raise EvaluationError(
            "ripgrep is not installed: plait is to be compared with it",
            hint="install the package ripgrep, so that rg can be run",
        )
    try:
        return children.run([path, *arguments], timeout_s=timeout_s)
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise EvaluationError(f"ripgrep could not be run: {error}") from error
