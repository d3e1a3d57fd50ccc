"""Do the parts of a result add up to its score? ``python -m tools.fuzz.sums --n 10000``.

Random questions are drawn from the files of a tree: names, words side by side, comments, paths,
whole lines, a name within a sentence. Each is put to the Python interface and to the command
(run inside this process), in a mode, with a number of results per file and a limit, all drawn
too. Both have to give the same results, scores must not rise, and what stands below a result must
add up to its score within 1e-9. Anything else is printed and makes the exit code 1. A score that
is one measure alone (a cosine) has no parts; such results are checked, and not counted.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

from plait.answering.index import Index
from plait.assembly import open_index
from plait.errors import PlaitError
from plait.interfaces.cli.main import main as command_main
from plait.interfaces.schemas import SEARCH_SCHEMA
from plait.settings import Settings
from plait.types import Answer
from tools.fuzz.drawn import Asked, questions
from tools.record import ROOT, command_line, write_record

FIXTURES = (ROOT / "tests" / "fixtures" / "corpus", ROOT / "tests" / "fixtures" / "courier")
CACHE = "PLAIT_CACHE_DIR"
CLOSE = 1e-9
MAX_NAMED = 10


class Row(NamedTuple):
    """A result, as either way gives it."""

    rank: int
    first: int
    last: int
    score: float
    value: float  # of its reason
    parts: tuple[float, ...]  # of that


@dataclass(slots=True)
class Tally:
    """What became of the questions."""

    questions: int = 0
    results: int = 0
    refused: int = 0
    by_form: Counter[str] = field(default_factory=Counter)  # results of each mode and number
    single: int = 0  # results whose score is one measure, and has no parts
    exact: int = 0  # results whose parts add up to the last bit
    worst: float = 0.0  # the largest difference
    faults: list[str] = field(default_factory=list)

    @property
    def summed(self) -> int:
        """Results whose score is a sum."""
        return self.results - self.single


def by_python(index: Index, asked: Asked) -> list[Row]:
    """The results of the Python interface."""
    settings = replace(index.settings, mode=asked.mode)
    answer: Answer = index.with_settings(settings).search(
        asked.text, limit=asked.limit, per_file=asked.per_file
    )
    return [
        Row(
            one.rank,
            one.chunk.span.first,
            one.chunk.span.last,
            one.score,
            one.reason.value,
            tuple(part.value for part in one.reason.parts),
        )
        for one in answer.results
    ]


def by_command(tree: Path, asked: Asked) -> list[Row] | None:
    """The results of the command; None if it refuses the question."""
    options = ["--json", "--no-refresh", "--mode", asked.mode, "-n", str(asked.limit)]
    options += ["--per-file", str(asked.per_file), "--", asked.text, str(tree)]
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = command_main(["search", *options])
    if code not in (0, 1):
        return None
    answer: dict[str, Any] = json.loads(out.getvalue())
    assert answer["schema"] == SEARCH_SCHEMA, answer["schema"]
    return [
        Row(
            one["rank"],
            one["start_line"],
            one["end_line"],
            one["score"],
            one["reason"]["value"],
            tuple(part["value"] for part in one["reason"]["parts"]),
        )
        for one in answer["results"]
    ]


def check(tree: Path, count: int, seed: int, tally: Tally) -> None:
    """Ask until there are ``count`` results of a tree that have parts, both ways."""
    until = tally.summed + count
    with indexed(tree) as (code, index):
        for asked in questions(code, seed):
            if tally.summed >= until:
                break
            tally.questions += 1
            told = by_command(code, asked)
            try:
                rows = by_python(index, asked)
            except PlaitError:
                tally.refused += 1
                if told is not None:
                    tally.faults.append(f"refused by one way only: {asked}")
                continue
            if rows != told:
                tally.faults.append(f"the two ways differ: {asked}")
            compare(asked, rows, tally)


@contextmanager
def indexed(tree: Path) -> Iterator[tuple[Path, Index]]:
    """A copy of a tree and its index, which the command finds too."""
    before = os.environ.get(CACHE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[CACHE] = f"{folder}/cache"
        code = shutil.copytree(tree, Path(folder) / tree.name, symlinks=True)
        index = open_index(code, Settings(cache_dir=os.environ[CACHE], refresh=False))
        try:
            index.refresh()
            index.embed()
            yield code, index
        finally:
            index.close()
            del os.environ[CACHE]
            if before is not None:
                os.environ[CACHE] = before


def compare(asked: Asked, rows: Sequence[Row], tally: Tally) -> None:
    """Count results whose parts add up; name those whose do not, and scores that rise."""
    tally.results += len(rows)
    tally.by_form[f"{asked.mode}, {asked.per_file} per file"] += len(rows)
    for row in rows:
        if not row.parts:
            tally.single += 1
            if row.value != row.score:
                tally.faults.append(f"the reason is not of this score: {asked}, {row}")
            continue
        difference = abs(fsum(row.parts) - row.score)
        tally.exact += difference == 0
        tally.worst = max(tally.worst, difference)
        if difference > CLOSE:
            tally.faults.append(f"parts are {difference:g} off the score: {asked}, {row}")
    if any(later.score > row.score for row, later in pairwise(rows)):
        tally.faults.append(f"scores rise: {asked}")


def summary(tally: Tally) -> str:
    """The figures of a run."""
    told = (
        f"{tally.results:,} results of {tally.questions:,} questions ({tally.refused:,} refused), "
        f"each by Python and by the command: {len(tally.faults):,} faults."
    )
    sums = (
        f"Of {tally.summed:,} that have parts, {tally.exact:,} add up to the last "
        f"bit; the largest difference is {tally.worst:.3g} (allowed: {CLOSE:g}). "
        f"{tally.single:,} are one measure, or none."
    )
    lines = [
        told,
        sums,
        "",
        "| mode, results per file | results |",
        "|---|---:|",
        *(f"| {form} | {count:,} |" for form, count in sorted(tally.by_form.items())),
    ]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0 if all parts add up and both ways agree, 1 if not."""
    parser = argparse.ArgumentParser(description="Do parts add up to scores?")
    parser.add_argument("--n", type=int, default=10_000, help="results with parts, of all trees")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tree", type=Path, action="append", help="default: the tests' two")
    parser.add_argument("--no-record", action="store_true", help="only print the figures")
    asked = parser.parse_args(argv)
    trees = asked.tree or FIXTURES
    tally = Tally()
    for tree in trees:
        check(tree, asked.n // len(trees), asked.seed, tally)
    print(summary(tally), end="")
    for fault in tally.faults[:MAX_NAMED]:
        print(f"fault: {fault}")
    if not asked.no_record:
        raw = {
            "seed": asked.seed,
            "trees": [tree.name for tree in trees],
            "questions": tally.questions,
            "results": tally.results,
            "refused": tally.refused,
            "single": tally.single,
            "exact": tally.exact,
            "worst": tally.worst,
            "by_form": tally.by_form,
            "faults": tally.faults,
        }
        command = command_line("tools.fuzz.sums")
        folder = write_record("sums", command, raw, summary(tally), ("plait", "tantivy", "numpy"))
        print(f"record: {folder.relative_to(ROOT)}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
