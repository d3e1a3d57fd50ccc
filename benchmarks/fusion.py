"""Which fusion, with which weights: every way over the dev splits, none of the test splits.

    python -m benchmarks.fusion [--model DIR] [--built DIR] [--repos DIR] [--most 400]

Each lane is asked once for each question; the ways of fusing then differ only in what they
make of the same two rankings. Where a set has no dev split, its test questions that are not
among ``test_1k`` serve; of agent63 only the tuning half is asked. The record says, for every
way, each set's figure, the mean over sets, and the same for questions of each shape.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import inf
from pathlib import Path
from typing import NamedTuple

from benchmarks.evaluation_page import table
from plait.assembly import open_source
from plait.engine.reader import planner, required
from plait.evaluation.asking import Asking
from plait.evaluation.dataset import Dataset, Level
from plait.evaluation.load import load_dataset
from plait.evaluation.measures import per_question
from plait.evaluation.runs import Outcome
from plait.search.fusion import Fusion
from plait.search.plan import Planner
from plait.search.searcher import Searcher
from plait.search.shape import shape_of
from plait.settings import Settings
from plait.types import Asked, ChunkId, Lane, Query, Ranking, Reason, Snapshot, Text
from tools.record import ROOT, command_line, write_record

WEIGHTS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)  # of the dense lane; words count 1
WEIGHED = ((2.0, 0.5), (1.5, 0.5), (2.0, 1.0))  # usually, and where the words decide
WAYS = ("rrf", "intersection", "minmax", "max")
PACKAGES = ("plait", "tantivy", "numpy")


class DevSet(NamedTuple):
    """Questions to tune on."""

    title: str
    folder: str
    qrels: str = "dev"
    minus: str = ""  # qrels whose questions are left out
    corpus: str = ""
    is_built: bool = False
    needs_repos: bool = False
    split: str = ""


SETS = (
    DevSet("csn-python", "csn-python"),
    DevSet("csn-go", "csn-go", "test", "test_1k"),
    DevSet("csn-java", "csn-java", "test", "test_1k"),
    DevSet("csn-javascript", "csn-javascript", "test", "test_1k"),
    DevSet("csn-php", "csn-php", "test", "test_1k"),
    DevSet("cosqa", "cosqa"),
    DevSet("cosqa, docstrings cut", "cosqa", corpus="corpus_nodoc"),
    DevSet("pypi-docstring small", "small", is_built=True),
    DevSet("gitloc", "gitloc", needs_repos=True),
    DevSet("agent63, tuning half", "agent63", "", needs_repos=True, split="tuning"),
)


@dataclass(frozen=True)
class Remembered:
    """A lane that is asked each question once."""

    lane: Lane

    @property
    def name(self) -> str:
        return self.lane.name

    def waits(self, snapshot: Snapshot) -> bool:
        """As the lane itself."""
        return self.lane.waits(snapshot)

    def ask(self, query: Query, snapshot: Snapshot, until: float = inf) -> Asked:
        """The question as it was put the first time; nothing hurries here."""
        del until
        return self._asked(replace(query, limit=1), snapshot)  # type: ignore[arg-type]  # hashed by identity

    @cache  # noqa: B019 - both live as long as the part they are asked of
    def _asked(self, query: Query, snapshot: Snapshot) -> Asked:
        return _Kept(self.lane.ask(query, snapshot))


class _Kept:
    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self.roots = asked.roots
        self.ranking = cache(self._ranking)

    def _ranking(self, limit: int) -> Ranking:
        return self._asked.ranking(limit)

    def reasons(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, Reason]:
        """The lane's own."""
        return self._asked.reasons(ids)


def main() -> None:
    """Sweep and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--model", default="")
    parser.add_argument("--built", type=Path)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--indexes", type=Path)
    parser.add_argument("--most", type=int, default=400, help="questions of each set")
    parser.add_argument("--only", default="")
    parser.add_argument("--ways", nargs="*", default=WAYS)
    options = parser.parse_args()
    settings = replace(Settings(), model=options.model, mode="hybrid")
    figures: dict[str, dict[str, dict[str, float]]] = {}  # set, configuration, question
    shapes: dict[str, dict[str, str]] = {}
    for chosen in SETS:
        dataset = _loaded(chosen, options)
        if dataset is None or options.only not in chosen.title:
            continue
        with tempfile.TemporaryDirectory() as folder:
            indexes = options.indexes or Path(folder)
            figures[chosen.title], shapes[chosen.title] = _swept(
                dataset, chosen, settings, indexes, options
            )
        print(chosen.title, flush=True)
    summary = "\n".join(_tables(figures, shapes))
    raw = {"figures": figures, "shapes": shapes}
    print(write_record("fusion", command_line("benchmarks.fusion"), raw, summary, PACKAGES))
    print(summary)


def _loaded(chosen: DevSet, options: argparse.Namespace) -> Dataset | None:
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    folder = (options.built or Path("/nowhere")) if chosen.is_built else data
    if not (folder / chosen.folder).is_dir() or (chosen.needs_repos and not options.repos):
        return None
    return load_dataset(
        folder / chosen.folder, qrels=chosen.qrels, corpus=chosen.corpus, repos=options.repos
    )


def _swept(
    dataset: Dataset,
    chosen: DevSet,
    settings: Settings,
    indexes: Path,
    options: argparse.Namespace,
) -> tuple[dict[str, dict[str, float]], dict[str, str]]:
    left_out = _ids(chosen, options) if chosen.minus else frozenset()
    parts = [part for part in dataset.parts if chosen.split in ("", part.split)]
    share = max(options.most // len(parts), 5)
    outcomes: dict[str, list[Outcome]] = {}
    shapes: dict[str, str] = {}
    for part in parts:
        asked = [question for question in part.questions if question.id not in left_out]
        asked = sorted(asked, key=lambda question: question.id)[:: max(len(asked) // share, 1)]
        shapes |= {one.id: shape_of(Query(one.text, Text(one.text))).name for one in asked}
        engine = open_source(part.source, indexes / part.store, settings)
        engine.writer.refresh()
        engine.writer.embed()
        snapshot = engine.reader.snapshot()
        lanes = [Remembered(engine.reader.lexical), Remembered(required(engine.reader.dense))]
        for name, searcher in _searchers(snapshot, lanes, options.ways):
            asking = Asking(name, part, dataset.level, searcher, snapshot, settings.per_file)
            outcomes.setdefault(name, []).extend(asking.outcomes(asked))
        snapshot.close()
    is_target = dataset.level is Level.TARGET
    measure = "nDCG@10" if is_target else "RR@10"
    values = {name: per_question(own, measure, is_target) for name, own in outcomes.items()}
    return values, shapes


def _ids(chosen: DevSet, options: argparse.Namespace) -> frozenset[str]:
    other = _loaded(chosen._replace(qrels=chosen.minus), options)
    assert other is not None
    return frozenset(question.id for part in other.parts for question in part.questions)


def _searchers(
    snapshot: Snapshot, lanes: Sequence[Lane], ways: Iterable[str]
) -> Iterable[tuple[str, Searcher]]:
    for lane in lanes:
        yield f"{lane.name} alone", Searcher(snapshot, [lane])
    for way, weight in product(ways, WEIGHTS):
        fusion = Fusion(way, {"lexical": 1.0, "dense": weight})
        names = tuple(lane.name for lane in lanes)
        yield f"{way}, dense x {weight:g}", Searcher(snapshot, lanes, Planner(names, fusion))
    for usual, decided in WEIGHED:
        chosen = planner(replace(Settings(), lane_dense=usual, lane_dense_decided=decided))
        yield f"weighed, dense x {usual:g} or {decided:g}", Searcher(snapshot, lanes, chosen)


def _tables(
    figures: Mapping[str, Mapping[str, Mapping[str, float]]],
    shapes: Mapping[str, Mapping[str, str]],
) -> Iterable[str]:
    titles = list(figures)
    names = list(next(iter(figures.values())))
    for shape in ("", *sorted({shape for own in shapes.values() for shape in own.values()})):
        rows, counts = [], {}
        for title in titles:
            counts[title] = sum(1 for own in shapes[title].values() if shape in ("", own))
        kept = [title for title in titles if counts[title] >= 20]
        for name in names:
            cells = []
            for title in kept:
                own = [
                    value
                    for question, value in figures[title][name].items()
                    if shape in ("", shapes[title][question])
                ]
                cells.append(sum(own) / len(own))
            mean = sum(cells) / len(cells) if cells else 0.0
            rows.append([name, *(f"{cell:.3f}" for cell in cells), f"{mean:.4f}"])
        heads = [f"{title} ({counts[title]})" for title in kept]
        yield f"### {'Questions that are ' + shape if shape else 'All questions'}\n"
        yield table(("fusion", *heads, "mean"), rows)


if __name__ == "__main__":
    main()
