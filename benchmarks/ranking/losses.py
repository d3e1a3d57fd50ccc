"""The questions that the ranking answers worst, and what spoke for which file.

    python -m benchmarks.ranking.losses FEATURES... [--most N] [--held-out] [--shares]

For each question: its nDCG@10, the first two files, and the right ones with their places, each
with what every signal gives it. What a reading of them found is in ``losses.tsv``: a class and a
note of few words for each question (``--shares`` counts them). Questions that nothing is tuned on
are not to be read one by one: ``--held-out`` only counts how they are lost.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.ranking.features import Row, read
from benchmarks.ranking.fit import FIXED, PAGE, WEIGHTS, Array, ndcg, scores_of, tuning

VERDICTS = Path(__file__).with_suffix(".tsv")
MOST = 60
FIRST = 2  # files shown that stand before the right ones
LEAST = 0.25  # of what a signal gives, to be shown
LOST = 0.999  # nDCG@10 below which a question counts as lost


@dataclass(frozen=True)
class Loss:
    """A question with its files in the order they are ranked in."""

    row: Row
    scores: Array
    ndcg: float

    @property
    def id(self) -> str:
        """Repository and question: unique in a set."""
        return f"{self.row.part}: {self.row.question}"

    @property
    def order(self) -> list[int]:
        """The files, best first."""
        return [int(at) for at in np.lexsort((np.array(self.row.paths), -self.scores))]

    @property
    def places(self) -> dict[int, int]:
        """Of each right file that was found, the place."""
        return {at: place for place, at in enumerate(self.order, 1) if self.row.met[at]}

    @property
    def how(self) -> str:
        """How it is lost, as far as places tell."""
        places = sorted(self.places.values())
        if not places or places[0] > PAGE:
            return "not on the page" if places else "not found"
        if places[0] == 1:
            return "first is right, others are late"
        return "second is right" if places[0] == FIRST else "right one is third to tenth"


def losses(rows: Sequence[Row], signals: Sequence[str]) -> list[Loss]:
    """The questions that are not answered in full, worst first."""
    scored = [(row, scores_of(row, WEIGHTS, signals)) for row in rows]
    given = [Loss(row, scores, ndcg(row, scores)) for row, scores in scored]
    return sorted((one for one in given if one.ndcg < LOST), key=lambda one: (one.ndcg, one.id))


def told(loss: Loss, signals: Sequence[str]) -> Iterator[str]:
    """A question in lines."""
    row, places = loss.row, loss.places
    yield f"{loss.ndcg:.2f} [{row.category}] {loss.id}"
    shown = {at: place for place, at in enumerate(loss.order[:FIRST], 1)} | places
    for at, place in sorted(shown.items(), key=lambda one: one[1]):
        mark = "right" if row.met[at] else "     "
        parts = " ".join(_parts(row, at, signals))
        yield f"    {mark} {place:3} {loss.scores[at]:6.2f} {row.paths[at]}  {parts}"
    if missing := row.targets - len({target for at in places for target in row.met[at]}):
        yield f"    not found: {missing} of {row.targets}"


def _parts(row: Row, at: int, signals: Sequence[str]) -> Iterator[str]:
    for name, value in zip(signals, row.values[at], strict=True):
        given = float(value) * WEIGHTS.get(name, FIXED.get(name, 0.0))
        if abs(given) >= LEAST:
            yield f"{name.replace(' ', '_')}={given:+.1f}"


def verdicts() -> list[dict[str, str]]:
    """What the reading found: set, question, class, note."""
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def shares() -> str:
    """A table of the classes, the most frequent first, by set."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in verdicts():
        counts[one["class"]][one["set"]] += 1
    sets = sorted({one["set"] for one in verdicts()})
    lines = [f"| class | {' | '.join(sets)} | all |", "|---|" + "--:|" * (len(sets) + 1)]
    for name, own in sorted(counts.items(), key=lambda one: (-one[1].total(), one[0])):
        cells = " | ".join(str(own[key]) for key in sets)
        lines.append(f"| {name} | {cells} | {own.total()} |")
    return "\n".join(lines)


def main() -> None:
    """List the losses, or count them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("features", type=Path, nargs="*")
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--held-out", action="store_true", help="count those not tuned on")
    parser.add_argument("--shares", action="store_true", help="count what the reading found")
    given = parser.parse_args()
    if given.shares:
        print(shares())
    for path in given.features:
        signals, rows = read(path)
        splits = {row.split for row in tuning(rows)}
        asked = [row for row in rows if (row.split in splits) is not given.held_out]
        found = losses(asked, signals)
        print(f"{path.name}: {len(found):,} of {len(asked):,} questions are not answered in full")
        for how, count in Counter(loss.how for loss in found).most_common():
            print(f"  {count:4} {how}")
        for loss in () if given.held_out else found[: given.most]:
            print("\n".join(told(loss, signals)))


if __name__ == "__main__":
    main()
