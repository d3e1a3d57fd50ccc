"""Do both stores put files in the same order, and what does that cost on a cluster?

    python -m benchmarks.cluster.ranking --store opensearch://HOST:PORT/ranking --work DIR
        [--parts NAME ...] [--record]

The questions of ``benchmarks/quality/package_cases.toml``, over packages each of which is indexed
in the embedded store and in a collection of its own (two shards). Every question is asked four
times: of both stores, with files ranked by their signals and as fused; and all of it twice, when
the words are new to the snapshot and when it has met them. Told are nDCG@10, MRR and Hit@1, the
requests of a search, and its CPU and wall milliseconds. Collections are deleted in the end.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from statistics import mean, median
from typing import TypeVar

from benchmarks.cluster.requests_sent import Recording
from benchmarks.evaluation_page import table
from benchmarks.quality.packages import HALVES, load_packages
from plait.assembly import Opened, open_source
from plait.evaluation.dataset import Part
from plait.evaluation.measures import scores
from plait.settings import Settings
from plait.stores.cluster.address import Address
from plait.stores.cluster.points import Orphans
from plait.stores.cluster.schema import alias_of
from plait.stores.cluster.snapshot import ClusterSnapshot
from plait.stores.cluster.store import ClusterStore
from plait.stores.cluster.view import View
from plait.stores.leases import Held, LeasedSnapshot
from plait.types import ChunkId, FileFacts, FileKey, Query, Scope, Snapshot, SymbolName, Text
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

T = TypeVar("T")
EMBEDDED, CLUSTER = "embedded", "cluster"
RANKED, FUSED = "by signals", "as fused"
ROUNDS = ("new", "known")
ALLOWED = 0.003  # nDCG@10 between the stores
MEASURES = {"nDCG@10": "nDCG@10", "RR@10": "MRR@10", "Success@1": "Hit@1"}  # and as they are called
SHOWN = 10
PACKAGES = ("plait", "tantivy", "numpy", "opensearch-py")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, asked once."""

    question: str
    store: str
    order: str
    words: str  # whether the snapshot had met its words before
    measures: Mapping[str, float]
    files: tuple[str, ...]
    requests: int
    for_ranking: int  # of the requests, those by which files are ranked
    cpu_ms: float
    wall_ms: float


class Counted(ClusterSnapshot):
    """A snapshot that tells how many requests were sent, and how many of them by a ranker.

    Args:
        connection: The way to the cluster.
        alias: The name of the collection there.
    """

    def __init__(self, connection: Recording, alias: str) -> None:
        super().__init__(View(connection, alias, Orphans()))
        self._connection = connection
        self._for_ranking = 0

    @property
    def sent(self) -> tuple[int, int]:
        return len(self._connection.sent), self._for_ranking

    def _counted(self, work: Callable[[], T]) -> T:
        """Lanes have answered when a ranker asks, so what is sent meanwhile is its own."""
        before = len(self._connection.sent)
        try:
            return work()
        finally:
            self._for_ranking += len(self._connection.sent) - before

    def files(self, keys: Iterable[FileKey], until: float = inf) -> Mapping[FileKey, FileFacts]:
        return self._counted(lambda: super(Counted, self).files(keys, until))

    def roots(self, repos: Iterable[str], until: float = inf) -> Mapping[str, str]:
        return self._counted(lambda: super(Counted, self).roots(repos, until))

    def definitions(
        self, names: Sequence[str], scope: Scope, limit: int, until: float = inf
    ) -> Mapping[ChunkId, SymbolName]:
        return self._counted(lambda: super(Counted, self).definitions(names, scope, limit, until))


def main() -> None:
    """Index, ask, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--store", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--parts", nargs="*", default=[])
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    address = Address.parse(options.store, os.environ)
    rows: list[Asked] = []
    parts = [part for half in HALVES for part in load_packages(default_root(), half).parts]
    for part in parts:
        if not options.parts or part.name in options.parts:
            print(f"{part.name} ...", flush=True)
            rows += asked(part, options.work, address)
    text = summary(rows)
    print(text)
    if options.record:
        command = command_line("benchmarks.cluster.ranking")
        raw = {"rows": [asdict(row) for row in rows]}
        print(write_record("cluster-ranking", command, raw, text, PACKAGES))


def asked(part: Part, work: Path, address: Address) -> Iterator[Asked]:
    """Every question of a package, asked of both stores in both orders."""
    settings = Settings(cache_dir=str(work))
    embedded = open_source(part.source, work / EMBEDDED / part.store, settings)
    name = "".join(letter for letter in part.name.lower() if letter.isalnum())
    own = replace(address, collection=f"{address.collection}-{name}", shards=2)
    store = ClusterStore(own, "ranking")
    there = Opened(
        replace(embedded.reader, store=store),
        replace(embedded.writer, store=store, folder=work / CLUSTER / part.store),
    )
    try:
        for engine in (embedded, there):
            engine.writer.refresh(anew=True)
            engine.writer.embed()
        for order in (RANKED, FUSED):
            yield from _round(embedded, part, order, embedded.reader.snapshot(), None)
            connection = Recording(own)
            there_now = Counted(connection, alias_of(own.collection))
            yield from _round(there, part, order, LeasedSnapshot(Held(there_now)), there_now)
            there_now.view.close()
    finally:
        store.clear()
        store.close()


def _round(
    engine: Opened, part: Part, order: str, snapshot: Snapshot, counted: Counted | None
) -> Iterator[Asked]:
    settings = replace(engine.reader.settings, file_ranking=order == RANKED)
    searcher = replace(engine.reader, settings=settings).searcher(snapshot)
    scope = Scope(repos=frozenset({part.source.name}))
    for words in ROUNDS:
        for question in part.questions:
            query = Query(question.text, Text(question.text), scope, SHOWN, 1)
            before = counted.sent if counted else (0, 0)
            wall, cpu = time.perf_counter(), time.process_time()
            results = searcher.search(query).results
            sent = counted.sent if counted else (0, 0)
            cpu_ms, wall_ms = (time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3
            files = tuple(result.chunk.path for result in results)
            yield Asked(
                question.id,
                CLUSTER if counted else EMBEDDED,
                order,
                words,
                _measures(files, part.judgements[question.id]),
                files,
                sent[0] - before[0],
                sent[1] - before[1],
                cpu_ms,
                wall_ms,
            )


def _measures(files: Sequence[str], relevant: Mapping[str, int]) -> dict[str, float]:
    found = scores({"one": files}, {"one": relevant}, tuple(MEASURES))
    return {name: values["one"] for name, values in found.items()}


def summary(rows: Sequence[Asked]) -> str:
    """The tables of a record."""
    quality, cost = [], []
    ways = [(store, order) for store in (EMBEDDED, CLUSTER) for order in (FUSED, RANKED)]
    for store, order in ways:
        own = [row for row in rows if (row.store, row.order) == (store, order)]
        known = [row for row in own if row.words == ROUNDS[-1]]
        values = [mean(row.measures[name] for row in known) for name in MEASURES]
        quality.append([f"{store}, {order}", *(f"{value:.4f}" for value in values)])
        cost.append([f"{store}, {order}", *_cost(own)])
    ranked = {
        store: {
            row.question: row
            for row in rows
            if (row.store, row.order, row.words) == (store, RANKED, ROUNDS[-1])
        }
        for store in (EMBEDDED, CLUSTER)
    }
    pairs = [(one, ranked[CLUSTER][name]) for name, one in ranked[EMBEDDED].items()]
    apart = [other.measures["nDCG@10"] - one.measures["nDCG@10"] for one, other in pairs]
    same = sum(one.files == other.files for one, other in pairs)
    first = sum(one.files[:1] == other.files[:1] for one, other in pairs)
    return (
        f"# Files in order on both stores, {len(pairs)} questions\n\n"
        f"{table(['', *MEASURES.values()], quality)}\n"
        f"By signals, nDCG@10 on the cluster differs by {mean(apart):+.4f} (allowed: {ALLOWED}); "
        f"the first ten files are the same in the same order for {same} questions, the first for "
        f"{first}.\n\n"
        f"{table(['of a search', *COSTS], cost)}\n"
        "Requests are means, milliseconds medians of searches whose words are known. Besides "
        "what ranks files, ranking by file looks questions up as messages, which is a lane.\n"
    )


COSTS = ("requests, new words", "known words", "of them for ranking", "most", "CPU ms", "wall ms")


def _cost(rows: Sequence[Asked]) -> list[str]:
    new, known = ([row for row in rows if row.words == words] for words in ROUNDS)
    return [
        f"{mean(row.requests for row in new):.2f}",
        f"{mean(row.requests for row in known):.2f}",
        f"{mean(row.for_ranking for row in known):.2f}",
        str(max(row.for_ranking for row in known)),
        f"{median(row.cpu_ms for row in known):.1f}",
        f"{median(row.wall_ms for row in known):.1f}",
    ]


if __name__ == "__main__":
    main()
