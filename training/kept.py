"""Kept: what one package gave, as a file that says it is done.

The file's first line is the package's account, the rest its pairs. It is written all at once,
so a run that was stopped never leaves half a package behind.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.fetch import Fetched

RECIPE = 1  # raise it to have every package extracted anew


@dataclass(slots=True)
class Extracted:
    """What one package gave."""

    licences: Counter[str] = field(default_factory=Counter)  # of the files used
    choices: int = 0  # files used under one arm of a choice
    left_out: Counter[str] = field(default_factory=Counter)  # files and functions, by reason
    files: int = 0
    pairs: list[dict[str, Any]] = field(default_factory=list)


def kept_file(work: Path, fetched: Fetched) -> Path:
    """Where the candidates of a package are kept."""
    return work / "extracted" / f"{fetched.package.key}.jsonl.gz"


def rows(work: Path, fetched: Fetched) -> Iterator[dict[str, Any]]:
    """What was kept of a package: its account first, then its pairs."""
    with gzip.open(kept_file(work, fetched), "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def is_done(work: Path, fetched: Fetched, wanted: frozenset[str]) -> bool:
    """Whether a package has been extracted: this version, this recipe, these languages."""
    try:
        head = next(rows(work, fetched))
    except (OSError, EOFError, ValueError, StopIteration):
        return False
    made = (head["version"], head["recipe"], head["languages"])
    return bool(made == (fetched.package.version, RECIPE, sorted(wanted)))


def keep(work: Path, fetched: Fetched, done: Extracted, wanted: frozenset[str]) -> None:
    """Write the candidates of a package, all or nothing."""
    head = {
        "recipe": RECIPE,
        "languages": sorted(wanted),
        **fetched.package._asdict(),
        "archives": fetched.archives,
        "licences": dict(sorted(done.licences.items())),
        "choices": done.choices,
        "files": done.files,
        "left_out": dict(sorted(done.left_out.items())),
    }
    file = kept_file(work, fetched)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    with gzip.open(partial, "wt", encoding="utf-8", compresslevel=4) as stream:
        for row in (head, *done.pairs):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    partial.replace(file)
