"""Words that are one here and two there (autodetector, file system): does it help to look for both?

    python -m benchmarks.compounds [--repos DIR] [--indexes DIR] [--functions N]

The corpus itself says what is a word: one is split where both parts are words of at least
``MIN_COUNT`` chunks, and two adjacent ones are joined where some chunk has that word. What is added
counts less than what was typed. The gate's sets are asked by words alone, in each way; of agent63
the tuning half, where its clones are named.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.evaluation_page import table
from benchmarks.quality.gate import shared_data
from benchmarks.quality.sets import Places, functions, packages
from plait.assembly import open_source
from plait.evaluation.asking import Asking
from plait.evaluation.dataset import Dataset, Level
from plait.evaluation.load import load_dataset
from plait.evaluation.measures import per_question
from plait.evaluation.runs import Outcome
from plait.lanes.lexical import Lexical
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.types import Counting, Term
from plait.types.notes import Note
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

MIN_WORD, MIN_PART = 7, 3  # letters
MAX_WORDS = 8  # of a question
MIN_COUNT = 5  # chunks that have a part
# What a part may not be: it is a beginning or an ending of one word.
AFFIXES = frozenset(
    """able age ance ation ations ator ators ence ent ents ers ful ible ics ies ing ings ion ions
    ise ish ism ist ity ive ize ized izer izers less ling ment ments ness ous sion sions tion tions
    ted ter ters ting tor tors ture ures ally ate ated ates ating con com pre pro sub dis per int
    exp imp ins app par the def ret res ass all and for""".split()
)


@dataclass(frozen=True)
class Compounded(Lexical):
    """The lane of words, with words split or joined besides.

    Args:
        split: What the parts of a word count; 0 for not at all.
        join: What two words as one count.
    """

    split: float = 0.0
    join: float = 0.0

    def _terms_of(self, text: str, snapshot: Counting, notes: list[Note] | None) -> Iterator[Term]:
        asked = list(super()._terms_of(text, snapshot, notes))
        yield from asked
        known = {term.text for term in asked}
        words = [t.word.lower() for t in asked if t.weight == 1 and t.word.isascii()]
        words = [word for word in dict.fromkeys(words) if word.isalpha()][:MAX_WORDS]
        if self.split:
            for word in words:
                for part in self._parts(word, snapshot):
                    if part not in known:
                        yield Term(part, weight=self.split, word=word)
        if self.join:
            joined = {self._analyser.analyse(a + b): f"{a} {b}" for a, b in pairwise(words)}
            for term, count in _counts(sorted(joined), snapshot).items():
                if count and term not in known:
                    yield Term(term, weight=self.join, word=joined[term])

    def _parts(self, word: str, snapshot: Counting) -> Sequence[str]:
        """The two words that a word is; none if it is one."""
        if len(word) < MIN_WORD:
            return ()
        stem = self._analyser.analyse
        cuts = range(MIN_PART, len(word) - MIN_PART + 1)
        pairs = [(word[:at], word[at:]) for at in cuts]
        pairs = [(stem(a), stem(b)) for a, b in pairs if a not in AFFIXES and b not in AFFIXES]
        counts = _counts(sorted({part for pair in pairs for part in pair}), snapshot)
        best = max(pairs, key=lambda pair: min(counts[pair[0]], counts[pair[1]]), default=None)
        is_two = best is not None and min(counts[part] for part in best) >= MIN_COUNT
        return best if best is not None and is_two else ()


def _counts(terms: Sequence[str], snapshot: Counting) -> dict[str, int]:
    if not terms:
        return {}
    return dict(zip(terms, snapshot.count([Term(term) for term in terms]), strict=True))


WAYS: Mapping[str, Lexical] = {
    "as it is": Lexical(),
    "split x 0.5": Compounded(split=0.5),
    "split x 0.2": Compounded(split=0.2),
    "join x 0.5": Compounded(join=0.5),
    "join x 0.25": Compounded(join=0.25),
    "both x 0.25": Compounded(split=0.25, join=0.25),
}


def main() -> None:
    """Ask every set in every way, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path, help="a folder with clones of agent63's repositories")
    parser.add_argument("--indexes", type=Path, help="keep indexes here")
    parser.add_argument("--functions", type=int, default=6, help="sets of functions")
    options = parser.parse_args()
    places = Places(shared_data(), default_root(), options.repos)
    datasets = [*packages(places), *functions(places)[: options.functions]]
    if options.repos is not None:
        half = load_dataset(places.data / "agent63", qrels="tuning", repos=options.repos)
        datasets.insert(0, half)
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for number, dataset in enumerate(datasets):
        with tempfile.TemporaryDirectory() as folder:
            indexes = (options.indexes or Path(folder)) / str(number)
            figures[f"{dataset.name}-{number}"] = asked(dataset, indexes)
        print(summarised(figures), flush=True)
    told = summarised(figures)
    raw = {"figures": figures}
    print(write_record("compounds", command_line("benchmarks.compounds"), raw, told, ("plait",)))


def asked(dataset: Dataset, indexes: Path) -> dict[str, dict[str, float]]:
    """The nDCG@10 of every question, in each way."""
    settings = Settings()
    outcomes: dict[str, list[Outcome]] = {}
    for part in dataset.parts:
        engine = open_source(part.source, indexes / part.store, settings)
        engine.writer.refresh()
        snapshot = engine.reader.snapshot()
        for way, lane in WAYS.items():
            searcher = Searcher(snapshot, [lane])
            asking = Asking(way, part, dataset.level, searcher, snapshot, settings.per_file)
            outcomes.setdefault(way, []).extend(asking.outcomes(part.questions))
        snapshot.close()
    is_target = dataset.level is Level.TARGET
    return {way: per_question(own, "nDCG@10", is_target) for way, own in outcomes.items()}


def summarised(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """The mean of each set in each way, and how many questions got better and worse."""
    rows = []
    for title, ways in figures.items():
        before = ways["as it is"]
        cells = []
        for values in ways.values():
            mean = sum(values.values()) / len(values)
            better = sum(values[one] > before[one] for one in before)
            worse = sum(values[one] < before[one] for one in before)
            cells.append(f"{mean:.4f}" + (f" (+{better} -{worse})" if better + worse else ""))
        rows.append([title, str(len(before)), *cells])
    return table(["set", "questions", *WAYS], rows)


if __name__ == "__main__":
    main()
