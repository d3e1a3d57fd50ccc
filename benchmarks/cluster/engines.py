"""Do both engines rank alike? The same chunks and questions, asked of both in every mode.

    python -m benchmarks.cluster.engines --store opensearch://HOST:PORT/agree --work DIR
        [--repos CLONES] [--parts requests flask click] [--questions 1000]

Each part is indexed in the embedded store and in a collection of its own on the cluster (two
shards, so that frequencies have to be gathered). For every mode the record has nDCG@10 on both,
how many questions differ, how many of the first ten results are the same, and which questions
differ most. Collections are deleted in the end.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.evaluation_page import table
from plait.assembly import Opened, open_source
from plait.evaluation.asking import Asking
from plait.evaluation.dataset import Dataset, Level, Part
from plait.evaluation.load import load_dataset
from plait.evaluation.measures import per_question
from plait.evaluation.runs import Outcome
from plait.search.plan import MODES
from plait.settings import Settings
from plait.stores.cluster.address import Address
from plait.stores.cluster.store import ClusterStore
from tools.record import ROOT, command_line, write_record

ENGINES = ("embedded", "cluster")
MEASURE = "nDCG@10"
PACKAGES = ("plait", "tantivy", "numpy", "opensearch-py")
SHOWN = 10
MOST_DIFFERENT = 5
ALLOWED = 0.01


def main() -> None:
    """Index, ask, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--store", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--parts", nargs="*", default=["requests", "flask", "click"])
    parser.add_argument("--questions", type=int, default=1_000)
    options = parser.parse_args()
    address = Address.parse(options.store, os.environ)
    compared = []
    for title, dataset in _datasets(options):
        settings = Settings(cache_dir=str(options.work))
        if dataset.level is Level.DOCUMENT:  # as the runner does: an id says nothing
            settings = replace(settings, weight_path=0)
        print(f"{title} ...", flush=True)
        outcomes: dict[tuple[str, str], list[Outcome]] = {}
        for part in dataset.parts:
            own = replace(part, questions=part.questions[: options.questions])
            for engine, mode, outcome in _asked(own, dataset, settings, options.work, address):
                outcomes.setdefault((engine, mode), []).append(outcome)
        compared += [_compared(title, dataset, mode, outcomes) for mode in MODES]
    text = _summary(compared)
    print(text)
    command = command_line("benchmarks.cluster.engines")
    print(write_record("cluster-engines", command, {"rows": compared}, text, PACKAGES))


def _datasets(options: argparse.Namespace) -> Iterator[tuple[str, Dataset]]:
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    yield "CodeSearchNet Python", load_dataset(data / "csn-python", qrels="test_1k")
    if options.repos:
        whole = load_dataset(data / "agent63", repos=options.repos)
        for name in options.parts:
            parts = [part for part in whole.parts if part.name == name]
            if not parts:
                known = ", ".join(sorted(part.name for part in whole.parts))
                raise SystemExit(f"no repository {name} in agent63; there are {known}")
            yield f"agent63 {name}", replace(whole, parts=parts)


def _asked(
    part: Part, dataset: Dataset, settings: Settings, work: Path, address: Address
) -> Iterator[tuple[str, str, Outcome]]:
    """Every question to both engines in every mode."""
    embedded = open_source(part.source, work / "embedded" / part.store, settings)
    analysis = f"{embedded.reader.lexical.analysis} comments={int(settings.comments)}"
    collection = f"{address.collection}-{''.join(c for c in part.name.lower() if c.isalnum())}"
    store = ClusterStore(replace(address, collection=collection, shards=2), analysis)
    cluster = Opened(
        replace(embedded.reader, store=store),
        replace(embedded.writer, store=store, folder=work / "cluster" / part.store),
    )
    try:
        for name, engine in zip(ENGINES, (embedded, cluster), strict=True):
            yield from ((name, *asked) for asked in _outcomes(engine, part, dataset, settings))
    finally:
        store.clear()
        store.close()


def _outcomes(
    engine: Opened, part: Part, dataset: Dataset, settings: Settings
) -> Iterator[tuple[str, Outcome]]:
    engine.writer.refresh(anew=True)
    engine.writer.embed()
    snapshot = engine.reader.snapshot()
    for mode in MODES:
        searcher = engine.reader.searcher(snapshot, mode)
        asking = Asking(mode, part, dataset.level, searcher, snapshot, settings.per_file)
        yield from ((mode, outcome) for outcome in asking.outcomes(part.questions))
    snapshot.close()


def _compared(
    title: str,
    dataset: Dataset,
    mode: str,
    outcomes: Mapping[tuple[str, str], Sequence[Outcome]],
) -> dict[str, Any]:
    """Both engines in one mode."""
    is_target = dataset.level is Level.TARGET
    both = [outcomes[engine, mode] for engine in ENGINES]
    values = [per_question(own, MEASURE, is_target) for own in both]
    differing = {q: values[1][q] - values[0][q] for q in values[0] if values[0][q] != values[1][q]}
    same = [
        len({*one.ranking[:SHOWN]} & {*other.ranking[:SHOWN]})
        / max(len(one.ranking[:SHOWN]), len(other.ranking[:SHOWN]), 1)
        for one, other in zip(*both, strict=True)
    ]
    most = sorted(differing, key=lambda question: -abs(differing[question]))[:MOST_DIFFERENT]
    return {
        "title": title,
        "mode": mode,
        "questions": len(values[0]),
        "embedded": mean(values[0].values()),
        "cluster": mean(values[1].values()),
        "differing": len(differing),
        "shared_of_ten": mean(same),
        "most_different": {question: differing[question] for question in most},
        "wall_ms": {e: mean(o.wall_ms for o in own) for e, own in zip(ENGINES, both, strict=True)},
    }


def _summary(rows: Sequence[Mapping[str, Any]]) -> str:
    cells = [
        [
            row["title"],
            row["mode"],
            str(row["questions"]),
            f"{row['embedded']:.4f}",
            f"{row['cluster']:.4f}",
            f"{row['cluster'] - row['embedded']:+.4f}",
            str(row["differing"]),
            f"{row['shared_of_ten']:.3f}",
        ]
        for row in rows
    ]
    heads = ["", "mode", "questions", "embedded", "cluster", "difference", "differ", "same of ten"]
    worst = max(abs(row["cluster"] - row["embedded"]) for row in rows)
    return (
        f"# Both engines, {MEASURE}\n\n{table(heads, cells)}\n\n"
        f"The largest difference is {worst:.4f}; allowed is {ALLOWED}.\n"
    )


if __name__ == "__main__":
    main()
