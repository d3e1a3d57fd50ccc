"""The values of every signal for every file that a question finds, written down once.

    python -m benchmarks.ranking.features OUT --indexes DIR --repos DIR [--sets NAME:QRELS ...]

Weights are fitted on what is written here (``benchmarks.ranking.fit``), so that a fit takes
seconds. Of agent63 both halves are kept, each question with its half; of git-mined and mined sets
the questions of both splits.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plait.assembly import open_source
from plait.evaluation.dataset import Dataset, Level, Part, Question
from plait.evaluation.levels import is_met
from plait.evaluation.load import load_dataset
from plait.ranking.ranker import Ranked
from plait.ranking.table import SIGNALS
from plait.settings import Settings
from plait.types import Query, Scope, Span, Text

PAGE = 10
DIGITS = 6
NAMES = tuple(signal.name for signal in SIGNALS)


@dataclass(frozen=True)
class Row:
    """One question: of each file found, the values of all signals, and the targets it meets."""

    dataset: str
    part: str
    language: str
    split: str
    category: str
    question: str
    targets: int
    paths: list[str]
    values: NDArray[np.float32]  # files by signals
    met: list[tuple[int, ...]]  # numbers of the targets that each file meets

    def to_json(self) -> dict[str, object]:
        """What can be written down."""
        values = [[round(float(one), DIGITS) for one in file] for file in self.values]
        return asdict(self) | {"values": values}

    @classmethod
    def from_json(cls, row: dict[str, Any], signals: int) -> Row:
        """What was written down."""
        values = np.array(row["values"], dtype=np.float32).reshape(-1, signals)
        return cls(**row | {"values": values, "met": [tuple(one) for one in row["met"]]})


def main() -> None:
    """Write one file for each set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("out", type=Path)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--indexes", type=Path, required=True)
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--data", type=Path, default=_shared() / "data")
    parser.add_argument("--sets", nargs="*", default=["agent63", "gitloc:dev_files"])
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for named in given.sets:
        name, _, qrels = named.partition(":")
        folder = Path(name) if Path(name).is_dir() else given.data / name
        dataset = load_dataset(folder, qrels=qrels, repos=given.repos)
        rows = list(rows_of(dataset, given.indexes, given.mode))
        target = given.out / f"{folder.name}-{qrels or 'all'}-{given.mode}.json.gz"
        text = json.dumps({"signals": NAMES, "rows": [row.to_json() for row in rows]})
        target.write_bytes(gzip.compress(text.encode(), mtime=0))
        print(f"{target.name}: {len(rows):,} questions")


def rows_of(dataset: Dataset, indexes: Path, mode: str) -> Iterator[Row]:
    """The rows of a dataset, part by part."""
    settings = Settings(per_file=1)
    for part in dataset.parts:
        opened = open_source(part.source, indexes / part.store, settings)
        with closing(opened.reader.store):
            opened.writer.refresh()
            opened.writer.embed()
            with closing(opened.reader.snapshot()) as snapshot:
                searcher = opened.reader.searcher(snapshot, mode)
                scope = Scope(repos=frozenset({part.source.name}))
                for question in part.questions:
                    query = Query(question.text, Text(question.text), scope, PAGE, 1)
                    ranked = searcher.ranked(query)
                    if ranked is not None:
                        yield _row(dataset, part, question, ranked)


def _row(dataset: Dataset, part: Part, question: Question, ranked: Ranked) -> Row:
    targets = [name for name, grade in part.judgements[question.id].items() if grade > 0]
    kept = [row for row in ranked.files.rows if row.candidate.key[1] != question.without]
    ranked = replace(ranked, files=replace(ranked.files, rows=kept))
    paths = [row.candidate.key[1] for row in kept]
    columns = [signal.values(ranked.files) or [0.0] * len(paths) for signal in SIGNALS]
    return Row(
        dataset=dataset.name,
        part=part.name,
        language=part.language,
        split=part.split,
        category=question.category,
        question=question.text,
        targets=len(targets),
        paths=paths,
        values=np.array(columns, dtype=np.float32).T.copy(),
        met=[_met(path, targets, dataset.level) for path in paths],
    )


def _met(path: str, targets: list[str], level: Level) -> tuple[int, ...]:
    if level is not Level.TARGET:
        return tuple(at for at, target in enumerate(targets) if target == path)
    anywhere = Span(1, 1 << 30)
    return tuple(at for at, target in enumerate(targets) if is_met(target, path, anywhere))


def _shared() -> Path:
    return Path(os.environ.get("PLAIT_SHARED", "../shared"))


def read(path: Path) -> tuple[tuple[str, ...], list[Row]]:
    """What ``main`` wrote: the names of the signals, and the rows."""
    written = json.loads(gzip.decompress(path.read_bytes()))
    names = tuple(written["signals"])
    return names, [Row.from_json(row, len(names)) for row in written["rows"]]


if __name__ == "__main__":
    main()
