"""Scale: what a million chunks cost on OpenSearch, on one node and on three.

    python -m benchmarks.cluster.scale --index DIR --work DIR [--parts ingest embed ...]

``--index`` is an embedded index of many packages (``python -m benchmarks.patterns.run`` keeps
one with ``--work``); ``--work`` keeps nodes, snapshots and figures, so that a part can be run
again. The parts, in their order:

    ingest   whole packages into an empty collection on one node, until there are enough chunks
    embed    a vector to each chunk
    settle   what was replaced on the way is merged away
    one      searches on that node, by one client and by many, beside bare requests
    copy     a snapshot of it, restored by three nodes with a replica
    three    the same searches on three nodes
    split    one shard on one node, two shards on two, without replicas, on the same nodes
    record   all that was measured, as a record
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.bench import say
from benchmarks.cluster import clients, copies, ingest
from benchmarks.cluster.asking import Asking, figures
from benchmarks.cluster.engine import Place
from benchmarks.cluster.scale_questions import query_of, read_questions
from benchmarks.cluster.scale_summary import summary
from plait.search.plan import MODES
from plait.stores.cluster.connection import Connection
from plait.types import Scope
from tools.opensearch import account
from tools.opensearch.nodes import Cluster
from tools.record import ROOT, command_line, write_record

PACKAGES = ("plait", "opensearch-py", "numpy")
COLLECTION = "scale"
MEASURED = ("ingest", "embed", "settle", "one", "copy", "three", "split")


class Scale:
    """One run: what it was asked for, and its parts."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.work: Path = options.work
        self.parts: dict[str, Callable[[], object]] = {
            "ingest": self.ingest,
            "embed": self.embed,
            "settle": self.settle,
            "one": self.one,
            "copy": self.copy,
            "three": self.three,
            "split": self.split,
        }

    # ------------------------------------------------------------ nodes

    def one_node(self) -> Any:
        """The node that everything was written to."""
        return self._cluster("one", nodes=1, heap=self.options.heap)

    def three_nodes(self) -> Any:
        """Those it was copied to."""
        return self._cluster("three", nodes=3, heap=self.options.heap_of_three)

    @contextmanager
    def _cluster(self, name: str, nodes: int, heap: str) -> Iterator[Place]:
        account.prepare()
        self.archive.mkdir(parents=True, exist_ok=True)
        account.hand_over(self.archive)
        settings = {"path.repo": str(self.archive)}
        with Cluster.start(
            folder=self.work / name, nodes=nodes, heap=heap, settings=settings
        ) as cluster:
            hosts = ",".join(address.partition("//")[2] for address in cluster.addresses)
            pids = tuple(node.process.pid for node in cluster.nodes if node.process)
            yield Place(f"opensearch://{hosts}/{COLLECTION}?timeout=120", pids)

    @property
    def archive(self) -> Path:
        return self.work / "snapshots"

    # ------------------------------------------------------------ parts

    def ingest(self) -> dict[str, Any]:
        """Everything into an empty collection."""
        options = self.options
        with self.one_node() as place:
            return ingest.ingest(place, options.index, options.chunks, options.processes)

    def embed(self) -> dict[str, Any]:
        """Vectors to what has none."""
        with self.one_node() as place:
            return ingest.embed(place, self.options.embed_s)

    def settle(self) -> dict[str, Any]:
        """What is left of the writing."""
        with self.one_node() as place:
            return ingest.settle(place)

    def one(self) -> dict[str, Any]:
        """Searches on one node."""
        with self.one_node() as place:
            return self._searched(place)

    def copy(self) -> dict[str, Any]:
        """From one node to three."""
        with self.one_node() as place:
            made: dict[str, Any] = {"snapshot": copies.snapshot(place, str(self.archive))}
        with self.three_nodes() as place:
            made["restore"] = copies.restore(place, str(self.archive), replicas=1)
        return made

    def three(self) -> dict[str, Any]:
        """Searches on three nodes."""
        with self.three_nodes() as place:
            return self._searched(place)

    def split(self) -> dict[str, Any]:
        """One shard against two, on the same three nodes."""
        with self.three_nodes() as place:
            connection = Connection(place.address)
            whole = place.index_name(connection)
            connection.ask("PUT", f"/{whole}/_settings", {"index.number_of_replicas": 0})
            copies.spread(connection, whole, "node-0")
            made = {"one shard": self._searched(place)}
            made["two shards"] = {"split": copies.split(place, 2, "node-0,node-1")}
            made["two shards"] |= self._searched(place)
            connection.close()
            return made

    # ------------------------------------------------------------ searches

    def _searched(self, place: Place) -> dict[str, Any]:
        """Every mode by one client and by many."""
        options = self.options
        texts = read_questions(options.data, options.questions)
        queries = [query_of(text, Scope()) for text in texts]
        made: dict[str, Any] = {
            "index": ingest.figures_of(place),
            "questions": len(queries),
            "rounds": options.rounds,
            "clients": options.client_processes * options.client_threads,
            "load": os.getloadavg(),  # of a machine that others may use
        }
        for mode in options.modes:
            asking = Asking(place, mode)
            held, new, known = asking.recorded(queries)
            rounds = [asking.timed(queries, new, known) for _ in range(options.rounds)]
            single = {
                kind: figures([one for each in rounds for one in each[kind]])
                for kind in ("new", "known")
            }
            say(f"{mode}: {json.dumps(single)}")
            requests = [[one for call in calls for one in call.requests] for calls in known]
            job = clients.Job(
                place,
                mode,
                queries,
                requests,
                options.client_processes,
                options.client_threads,
                options.phase_s,
            )
            many = clients.run(job)
            say(f"{mode}: {json.dumps(many)}")
            made[mode] = {"single": single, "many": many}
            held.view.close()
        return made


def main() -> None:
    """Run the parts asked for, keep what each gave, and write the record."""
    data = Path(os.environ.get("PLAIT_SHARED") or ROOT.parent / "shared") / "data"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=data, help="where the evaluation sets are")
    everything = (*MEASURED, "record")
    parser.add_argument("--parts", nargs="+", choices=everything, default=everything)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--heap", default="4g")
    parser.add_argument("--heap-of-three", default="2g")
    parser.add_argument("--embed-s", type=float, default=3_600.0)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--client-processes", type=int, default=4)
    parser.add_argument("--client-threads", type=int, default=4)
    parser.add_argument("--phase-s", type=float, default=15.0)
    options = parser.parse_args()
    scale = Scale(options)
    for part in options.parts:
        if part != "record":
            say(f"{part} ...")
            kept = json.dumps(scale.parts[part](), indent=1)
            (scale.work / f"{part}.json").write_text(kept, encoding="utf-8")
    if "record" in options.parts:
        files = [scale.work / f"{part}.json" for part in MEASURED]
        raw = {file.stem: json.loads(file.read_text("utf-8")) for file in files if file.exists()}
        command = command_line("benchmarks.cluster.scale")
        folder = write_record("cluster-scale", command, raw, summary(raw), PACKAGES)
        print(summary(raw))
        say(f"record: {folder}")


if __name__ == "__main__":
    main()
