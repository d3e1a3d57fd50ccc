"""From a simple BM25 to the lexical lane, one difference at a time, over sets of functions.

    python -m benchmarks.words_ladder [--sets csn99-python:test ...]

The simple BM25 counts identifiers and their parts, the name once, Lucene's stop words dropped.
Each step changes one thing and keeps what was changed before; the last is what the lane
did before decision 29. A record goes to
``benchmarks/records/``.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy
from scipy.sparse import csc_matrix

from benchmarks.evaluation_page import table
from benchmarks.plain_bm25 import PART, WORD
from benchmarks.plain_bm25 import STOP_WORDS as FEW_STOP_WORDS
from benchmarks.quality.gate import shared_data
from plait.evaluation.dataset import Part
from plait.evaluation.load import load_dataset
from plait.evaluation.loaders.beir import DocumentSource
from plait.evaluation.measures import scores
from plait.evaluation.statistics import paired
from plait.lanes.tokens import analyser
from plait.words import QUESTION_WORDS, STOP_WORDS
from tools.record import command_line, write_record

PAGE = 10
MEASURE = "nDCG(dcg='exp-log2')@10"
SETS = ("csn99-python:test",)


@dataclass(frozen=True)
class Way:
    """One way to count and ask words."""

    k1: float = 1.5
    b: float = 0.75
    names: int = 1  # how often the name counts besides the body
    is_ours: bool = False  # plait's cut: parts once each, the whole without underscores
    stemming: bool = False
    identifiers: str = "both"
    dropped: frozenset[str] = FEW_STOP_WORDS
    quieter: float = 0.0  # what a question word counts
    quiet: frozenset[str] = frozenset()

    @property
    def cut(self) -> tuple[object, ...]:
        """What the index depends on."""
        return (self.k1, self.b, self.names, self.is_ours, self.stemming, self.identifiers)

    def terms(self, text: str) -> list[str]:
        """The terms of a text, with repeats."""
        if self.is_ours:
            return analyser(self.stemming, self.identifiers).analyse(text).split()
        return list(_simple(text))

    def asked(self, text: str) -> Iterator[tuple[str, float]]:
        """The distinct terms of a question and what each counts."""
        words = [word for word in WORD.findall(text) if word.lower() not in self.dropped]
        telling = [word for word in words if word.lower() not in self.quiet]
        seen: dict[str, float] = {}
        for word in words:
            weight = 1.0 if not telling or word.lower() not in self.quiet else self.quieter
            for term in self.terms(word):
                seen[term] = max(seen.get(term, 0.0), weight)
        yield from seen.items()


def _simple(text: str) -> Iterator[str]:
    for word in WORD.findall(text):
        parts = PART.findall(word)
        yield word.lower()
        if len(parts) > 1:
            yield from (part.lower() for part in parts)


class Words:
    """The words of a part's documents, weighed."""

    def __init__(self, part: Part, way: Way) -> None:
        assert isinstance(part.source, DocumentSource)
        documents = part.source.documents
        self.ids = list(documents)
        counts = [
            Counter(way.terms(one.text) + way.terms(one.title) * way.names)
            for one in documents.values()
        ]
        self._columns = {w: at for at, w in enumerate(dict.fromkeys(w for c in counts for w in c))}
        lengths = numpy.array([count.total() for count in counts])
        norms = way.k1 * (1 - way.b + way.b * lengths / lengths.mean())
        rows, columns, values = [], [], []
        for row, count in enumerate(counts):
            for word, times in count.items():
                rows.append(row)
                columns.append(self._columns[word])
                values.append(times * (way.k1 + 1) / (times + norms[row]))
        shape = (len(counts), len(self._columns))
        self._weights = csc_matrix((values, (rows, columns)), shape=shape)

    def top(self, asked: Iterator[tuple[str, float]]) -> list[str]:
        """The best documents for the terms of a question."""
        found = numpy.zeros(len(self.ids))
        for term, weight in asked:
            at = self._columns.get(term)
            if at is not None and weight:
                begin, end = self._weights.indptr[at : at + 2]
                holders = self._weights.indices[begin:end]
                held = len(holders)
                idf = math.log(1 + (len(self.ids) - held + 0.5) / (held + 0.5))
                found[holders] += weight * idf * self._weights.data[begin:end]
        best = numpy.lexsort((numpy.arange(len(found)), -found))[:PAGE]
        return [self.ids[row] for row in best if found[row] > 0]


STEPS: tuple[tuple[str, Callable[[Way], Way]], ...] = (
    ("simple BM25", lambda way: way),
    ("k1 1.2", lambda way: replace(way, k1=1.2)),
    ("name twice", lambda way: replace(way, names=2)),
    ("plait's cut of identifiers", lambda way: replace(way, is_ours=True)),
    ("stems", lambda way: replace(way, stemming=True)),
    ("plait's stop words", lambda way: replace(way, dropped=STOP_WORDS)),
    ("question words dropped: the lane", lambda way: replace(way, quiet=QUESTION_WORDS)),
)


def ladder() -> Iterator[tuple[str, Way]]:
    """Every step, each on top of those before it."""
    way = Way()
    for name, change in STEPS:
        way = change(way)
        yield name, way


def measured(part: Part, ways: Sequence[tuple[str, Way]]) -> dict[str, dict[str, float]]:
    """Way to question to value."""
    found: dict[str, dict[str, float]] = {}
    indexes: dict[tuple[object, ...], Words] = {}
    for name, way in ways:
        if way.cut not in indexes:
            indexes.clear()
            indexes[way.cut] = Words(part, way)
        index = indexes[way.cut]
        rankings = {q.id: index.top(way.asked(q.text)) for q in part.questions}
        judged = {q.id: part.judgements[q.id] for q in part.questions}
        found[name] = scores(rankings, judged, (MEASURE,))[MEASURE]
    return found


def main() -> None:
    """Climb the ladder on each set and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--sets", nargs="+", default=SETS, help="FOLDER:QRELS of the shared data")
    figures = {}
    rows = []
    for name in parser.parse_args().sets:
        folder, _, qrels = name.partition(":")
        part = load_dataset(shared_data() / folder, qrels=qrels).parts[0]
        figures[name] = measured(part, list(ladder()))
        before: dict[str, float] = {}
        for step, values in figures[name].items():
            mean = sum(values.values()) / len(values)
            change = paired([values[one] - before[one] for one in values]) if before else None
            told = [f"{change.mean:+.4f}", f"{change.p:.3f}"] if change else ["", ""]
            rows.append([name, step, f"{mean:.4f}", *told])
            before = values
    summary = table(("set", "step", "nDCG@10, gains 2^rel-1", "change", "p"), rows)
    command = command_line("benchmarks.words_ladder")
    print(write_record("words-ladder", command, {"figures": figures}, summary, ["plait", "scipy"]))
    print(summary)


if __name__ == "__main__":
    main()
