"""A check of the harness: a plain BM25 that shares nothing with plait's engine, on agent63.

    python -m benchmarks.plain_bm25 --repos DIR

Others publish 0.675 and 0.673 for BM25 on this set. Here files are cut into windows of about
1,500 characters, words are identifiers and their parts, the file's stem counts twice and its
folders once more, stop words of a question are dropped, and BM25 (k1 1.5, b 0.75) ranks the
windows; nothing is folded by file.
Only the dataset's loader, the rule of what meets a target, and the measure are the
harness's. A record goes to ``benchmarks/records/``.
"""

from __future__ import annotations

import argparse
import math
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import numpy
from scipy.sparse import csc_matrix

from benchmarks.evaluation_page import table
from plait.evaluation.dataset import Level, Part
from plait.evaluation.levels import met
from plait.evaluation.load import load_dataset
from plait.evaluation.measures import averaged, target_ndcg
from plait.evaluation.runs import Outcome
from plait.types import Skipped, Span
from tools.record import ROOT, command_line, write_record

WINDOW = 1_500  # characters
K1, B = 1.5, 0.75
PAGE = 10
WORD = re.compile(r"[A-Za-z_]\w*|\d+")
STOP_WORDS = frozenset(  # Lucene's
    """a an and are as at be but by for if in into is it no not of on or such that the their then
    there these they this to was will with""".split()
)
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> Iterator[str]:
    """Identifiers as they are and, where they are compound, their parts; all lower-cased."""
    for word in WORD.findall(text):
        parts = PART.findall(word)
        yield word.lower()
        if len(parts) > 1:
            yield from (part.lower() for part in parts)


def windows(text: str) -> Iterator[tuple[Span, str]]:
    """Whole lines, as many as fit."""
    lines = text.splitlines(keepends=True)
    begin, size = 0, 0
    for at, line in enumerate(lines):
        if size and size + len(line) > WINDOW:
            yield Span(begin + 1, at), "".join(lines[begin:at])
            begin, size = at, 0
        size += len(line)
    if size:
        yield Span(begin + 1, len(lines)), "".join(lines[begin:])


class Bm25:
    """The windows of one repository and their words, weighed."""

    def __init__(self, part: Part) -> None:
        self.places: list[tuple[str, Span]] = []
        counts: list[Counter[str]] = []
        for item in part.source.listing():
            file = part.source.read(item.path)
            if isinstance(file, Skipped):
                continue
            path = PurePosixPath(file.path)
            named = f"{path.stem} {path.stem} {' '.join(path.parts[:-1][-3:])}"
            for span, text in windows(file.content.decode()):
                self.places.append((file.path, span))
                counts.append(Counter(words(f"{text} {named}")))
        self._columns = {
            word: at for at, word in enumerate(dict.fromkeys(w for c in counts for w in c))
        }
        lengths = numpy.array([count.total() for count in counts])
        norms = K1 * (1 - B + B * lengths / lengths.mean())
        rows, columns, values = [], [], []
        for row, count in enumerate(counts):
            for word, times in count.items():
                rows.append(row)
                columns.append(self._columns[word])
                values.append(times * (K1 + 1) / (times + norms[row]))
        shape = (len(counts), len(self._columns))
        self._weights = csc_matrix((values, (rows, columns)), shape=shape)

    def top(self, query: str) -> list[tuple[str, Span]]:
        """The best windows for a query."""
        scores = numpy.zeros(len(self.places))
        for word in dict.fromkeys(words(query)):
            at = None if word in STOP_WORDS else self._columns.get(word)
            if at is not None:
                begin, end = self._weights.indptr[at : at + 2]
                holders = self._weights.indices[begin:end]
                found = len(holders)
                idf = math.log(1 + (len(self.places) - found + 0.5) / (found + 0.5))
                scores[holders] += idf * self._weights.data[begin:end]
        best = numpy.lexsort((numpy.arange(len(scores)), -scores))[:PAGE]
        return [self.places[row] for row in best if scores[row] > 0]


def main() -> None:
    """Measure it and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path, required=True)
    options = parser.parse_args()
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    dataset = load_dataset(data / "agent63", repos=options.repos)
    assert dataset.level is Level.TARGET
    outcomes, values = [], {}
    for part in dataset.parts:
        engine = Bm25(part)
        for question in part.questions:
            targets = part.judgements[question.id]
            ranking, ranks = met(engine.top(question.text), targets)
            values[question.id] = target_ndcg(ranks, len(targets))
            outcomes.append(
                Outcome("plain", part.name, part.language, part.split, question.category,
                        question.id, question.text, targets, tuple(ranking), ranks, (), 0.0, 0.0)
            )  # fmt: skip
    found = {"all": averaged(values, outcomes, dataset.average)}
    for split in ("tuning", "held_out"):
        own = [outcome for outcome in outcomes if outcome.split == split]
        found[split] = averaged(values, own, dataset.average)
    rows = [[name, f"{value:.4f}"] for name, value in found.items()]
    summary = f"nDCG@10, {len(outcomes):,} questions\n\n{table(('', 'plain BM25'), rows)}"
    raw = {"nDCG@10": found, "questions": values, "notes": list(dataset.notes)}
    print(
        write_record(
            "plain-bm25", command_line("benchmarks.plain_bm25"), raw, summary, ["plait", "scipy"]
        )
    )
    print(summary)


if __name__ == "__main__":
    main()
