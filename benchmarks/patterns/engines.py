"""The engines that are asked: plait in this process, zoekt and ripgrep in processes of their own.

zoekt is asked through a program of one's own (``--zoekt``) that opens the shards in its
process once, reads a question per line, as JSON, and writes an answer per line:

    {"regex", "is_text", "ignore_case", "limit", "rounds"}  ->  {"cpu_ms", "lines", "error"}

``limit`` is what zoekt's ShardMaxMatchCount, TotalMaxMatchCount, MaxDocDisplayCount and
MaxMatchDisplayCount are set to, or no limit if 0; ``cpu_ms`` is the process's CPU clock, from
the text of the pattern to lines with their text (LineMatches), the least of the rounds.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.patterns.questions import Question
from plait.patterns.compiled import compiled
from plait.types import LineQuery, Order, Snapshot, Tally

Found = dict[str, list[int]]  # numbers of matching lines by path

FIRST = 100  # lines a user sees
SLOW_MS = 1_000.0  # what takes this long is not run again for a better figure
AT_MOST = 1_000_000_000  # lines: all there are
PATIENCE_S = 600.0
RIPGREP = (
    *("rg", "--no-config", "--no-unicode", "--no-ignore", "--hidden", "--text", "-j1"),
    *("--encoding=none", "--line-number", "--with-filename", "--no-heading", "--null"),
    *("--color=never",),
)
RIPGREP_LINE = re.compile(rb"(?m)^\./([^\0\n]+)\0(\d+):")
NO_MATCH = 1


class Timed(NamedTuple):
    """What an engine took, and how many lines it gave or counted."""

    cpu_ms: float
    lines: int
    error: str = ""


class Plait:
    """A snapshot that is asked for lines."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def first(self, question: Question, rounds: int) -> Timed:
        """The first hundred lines by rank."""
        return self._timed(LineQuery((question.pattern,), limit=FIRST), rounds)

    def count(self, question: Question) -> Timed:
        """The first hundred lines, and how many there are in all."""
        asked = LineQuery((question.pattern,), limit=FIRST, count_to=AT_MOST, within_s=PATIENCE_S)
        return self._timed(asked, 1)

    def lines(self, question: Question) -> Found:
        """All lines."""
        return all_lines(
            self.snapshot,
            LineQuery((question.pattern,), order=Order.PATH, is_marked=False, within_s=PATIENCE_S),
        )

    def _timed(self, asked: LineQuery, rounds: int) -> Timed:
        least, lines = float("inf"), 0
        for _ in range(rounds):
            compiled.cache_clear()  # a question is new to whoever asks it
            start = time.process_time_ns()
            *_, tally = self.snapshot.grep(asked)
            least = min(least, (time.process_time_ns() - start) / 1e6)
            assert isinstance(tally, Tally)
            lines = tally.lines
            if tally.is_partial:
                return Timed(least, lines, "partial")
            if least > SLOW_MS:
                break
        return Timed(least, lines)


def all_lines(snapshot: Snapshot, asked: LineQuery) -> Found:
    """The numbers of all lines a snapshot finds, by path; the answer must be whole."""
    found: Found = {}
    for item in snapshot.grep(asked):
        if isinstance(item, Tally):
            assert item.is_exact
            assert not item.is_partial, item.notes
            return found
        assert item.path not in found, f"{item.path} was given twice"
        found[item.path] = [line.number for line in item.lines]
    raise AssertionError("there was no tally")


class Zoekt:
    """A process that answers from zoekt's shards, asked line by line."""

    def __init__(self, program: Path, shards: Path, settings: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [str(program), str(shards)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **settings},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def first(self, question: Question, rounds: int) -> Timed:
        """The first hundred matches."""
        return self._ask(question, FIRST, rounds)

    def count(self, question: Question) -> Timed:
        """All matching lines."""
        return self._ask(question, 0, 1)

    def _ask(self, question: Question, limit: int, rounds: int) -> Timed:
        asked = {
            "regex": question.text,
            "is_text": question.is_text,
            "ignore_case": question.ignore_case,
            "limit": limit,
            "rounds": rounds,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        told = json.loads(self._process.stdout.readline())
        return Timed(told["cpu_ms"], told["lines"], told.get("error", ""))


class Ripgrep:
    """ripgrep over a tree, a process for each question."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree

    def first(self, question: Question, rounds: int) -> Timed:
        """Every matching line: it has no other way to the first hundred."""
        least = float("inf")
        for _ in range(rounds):
            process = subprocess.Popen(
                _ripgrep(question), cwd=self._tree, stdout=subprocess.DEVNULL
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            _check(process.returncode, question)
            least = min(least, (usage.ru_utime + usage.ru_stime) * 1e3)
            if least > SLOW_MS:
                break
        return Timed(least, 0)

    def lines(self, question: Question) -> Found:
        """The numbers of all matching lines, by path."""
        run = subprocess.run(
            [*_ripgrep(question), "--max-columns=1"],
            cwd=self._tree,
            stdout=subprocess.PIPE,
            check=False,
        )
        _check(run.returncode, question)
        matches = RIPGREP_LINE.finditer(run.stdout)
        return {
            os.fsdecode(path): [int(match[2]) for match in group]
            for path, group in groupby(matches, key=itemgetter(1))
        }


def _ripgrep(question: Question) -> list[str]:
    how = ["--ignore-case"] if question.ignore_case else []
    return [*RIPGREP, *how, "-e", question.for_ripgrep, "./"]


def _check(status: int, question: Question) -> None:
    if status not in (0, NO_MATCH):
        raise RuntimeError(f"ripgrep ended with {status}: {question.name}")
