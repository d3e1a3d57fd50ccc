"""How packs are best filled, as a record: ``python -m benchmarks.packing --repos DIR``.

On the tuning half of agent63: recall within each budget, and how much of the best right chunk is
shown (of its first lines, ``ENOUGH`` at most), while one number of packing is changed at a time.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks.evaluation_page import table
from plait.assembly import open_source
from plait.evaluation.dataset import Dataset, Part
from plait.evaluation.economy.budgets import BUDGETS, ShownLine, budgeted
from plait.evaluation.economy.economy import spread
from plait.evaluation.economy.right import IsRight, Right
from plait.evaluation.economy.tokens import count
from plait.evaluation.load import load_dataset
from plait.interfaces.packed import form_of, packed_lines
from plait.search.packing import pack as packing
from plait.settings import Settings
from plait.types import Answer, Query, Scope, Text
from tools.record import ROOT, command_line, write_record

ENOUGH = 20  # lines of a right chunk; who has seen them knows whether to read on
CHANGES: tuple[tuple[str, Mapping[str, float]], ...] = (
    ("as it is", {}),
    ("no heads before bodies", {"HEADS_SHARE": 0.0}),
    ("heads 0.3 of the tokens", {"HEADS_SHARE": 0.3}),
    ("heads 0.7 of the tokens", {"HEADS_SHARE": 0.7}),
    ("heads alone, then bodies", {"HEADS_SHARE": 1.0}),
    ("a body whatever its score", {"BODY_SCORE": 0.0}),
    ("a body from 0.5 of the score", {"BODY_SCORE": 0.5}),
    ("a body takes all that is left", {"BODY_SHARE": 1.0}),
    ("a sure answer like any other", {"SURE_RESULTS": packing.MOST_RESULTS}),
)


class Asked(NamedTuple):
    """A question, what answers it, and plait's answer for each budget."""

    text: str
    right: Sequence[IsRight]
    answers: Mapping[int, Answer]


class Outcome(NamedTuple):
    """What one pack came to."""

    recall: float
    body: float
    tokens: int  # by the tokeniser
    estimated: int


def main() -> None:
    """Try every change and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--work", type=Path, help="a folder whose indexes are used again")
    parser.add_argument("-n", "--limit", type=int, default=0)
    options = parser.parse_args()
    shared = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared")
    dataset = load_dataset(shared / "data" / "agent63", qrels="tuning", repos=options.repos)
    with tempfile.TemporaryDirectory() as scratch:
        asked = list(_asked(dataset, options.work or Path(scratch), options.limit))
    raw = {label: _tried(asked, numbers) for label, numbers in CHANGES}
    summary = summarised(raw, len(asked))
    packages = ("plait", "rs-bpe")
    print(write_record("packing", command_line("benchmarks.packing"), raw, summary, packages))


def _asked(dataset: Dataset, indexes: Path, limit: int) -> Iterator[Asked]:
    for part in spread(dataset, limit):
        yield from _of_part(part, dataset, indexes)


def _of_part(part: Part, dataset: Dataset, indexes: Path) -> Iterator[Asked]:
    settings = Settings()
    engine = open_source(part.source, indexes / part.store, settings)
    with closing(engine.reader.store):
        engine.writer.refresh()
        engine.writer.embed()
    with closing(engine.reader.snapshot()) as snapshot:
        searcher, rules = engine.reader.searcher(snapshot), Right(part, dataset.level, snapshot)
        scope = Scope(repos=frozenset({part.source.name}))
        for question in part.questions:
            text = question.text
            answers = {
                size: searcher.search(Query(text, Text(text), scope, size, settings.per_file))
                for size in sorted(set(map(packing.pool, BUDGETS)))
            }
            yield Asked(text, rules.each(question), answers)


def _tried(asked: Sequence[Asked], numbers: Mapping[str, float]) -> dict[str, list[Any]]:
    """The outcomes of all questions with some numbers changed, by budget."""
    with ExitStack() as changed:
        for name, number in numbers.items():
            changed.enter_context(patch.object(packing, name, number))
        return {str(budget): [_outcome(one, budget) for one in asked] for budget in BUDGETS}


def _outcome(asked: Asked, budget: int) -> Outcome:
    answer = asked.answers[packing.pool(budget)]
    form = form_of(answer, lambda _, path: path)
    pack = packing.pack(answer, budget, form)
    lines = [ShownLine(*line) for line in packed_lines(pack, form)][1:]
    text = "".join(f"{line.text}\n" for line in lines)
    recall = budgeted(0, lines, asked.right).recalls[BUDGETS.index(budget)]
    return Outcome(recall, _body(answer, lines, asked.right), count(text), pack.tokens)


def _body(answer: Answer, lines: Sequence[ShownLine], right: Sequence[IsRight]) -> float:
    """The share of the best right chunk that is shown, as far as it is wanted."""
    for result in answer.results:
        chunk = result.chunk
        if any(is_right(chunk.path, chunk.span) for is_right in right):
            first, last = chunk.span
            there = sum(line.path == chunk.path and first <= line.number <= last for line in lines)
            return min(1.0, there / min(last - first + 1, ENOUGH))
    return 0.0


def summarised(raw: Mapping[str, Mapping[str, Sequence[Outcome]]], questions: int) -> str:
    """Tables of recall, of bodies and of tokens, and how well tokens are estimated."""
    head = ("change", *(f"{budget:,}" for budget in BUDGETS))
    parts = [f"# Packing, {questions:,} questions of the tuning half\n"]
    for title, what, form in (
        ("Recall", 0, "{:.3f}"),
        (f"Share of the best right chunk, of at most {ENOUGH} lines", 1, "{:.3f}"),
        ("Tokens, mean", 2, "{:,.0f}"),
    ):
        rows = [
            [label, *(form.format(fmean(one[what] for one in some)) for some in made.values())]
            for label, made in raw.items()
        ]
        parts.append(f"## {title}\n\n{table(head, rows)}")
    every = [one for some in raw["as it is"].values() for one in some if one.tokens]
    ratios = [one.estimated / one.tokens for one in every]
    percent = quantiles(ratios, n=100)
    parts.append(
        f"## The estimate\n\nOver {len(ratios):,} packs it is {fmean(ratios):.3f} of what the "
        f"tokeniser counts; 1 % of packs are below {percent[0]:.3f}, 1 % above {percent[-1]:.3f}.\n"
    )
    return "\n".join(parts)


if __name__ == "__main__":
    main()
