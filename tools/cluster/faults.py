"""Hurt a cluster while it is used: ``python -m tools.cluster.faults --minutes 10``.

Three nodes, each in a network of its own, one copy of every shard. Two writers and four
searchers work without a pause while nodes are killed with SIGKILL, stopped with SIGSTOP and cut
off in turn; each time the node comes back and the cluster is green before the next. What must
not happen: a search that fails twice, a wrong answer, a snapshot older than one seen before, a
commit that was acknowledged and is not there. In the end the collection is compared with one
into which the same files were written in peace: every file, every chunk, and rankings.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from plait.index.embed import embed
from plait.stores.cluster.address import Address
from plait.stores.cluster.store import ClusterStore
from plait.types import And, ChunkId, Expression, Scope, Snapshot
from tools.chaos.record import say
from tools.cluster.fault_files import MANY, Drawn, fixed, passage_of, questions, rankings
from tools.cluster.fault_load import Key, Load
from tools.opensearch.nodes import Cluster
from tools.record import command_line, write_record

KINDS = ("kill", "stop", "cut")
HELD_S = {"kill": (2.0, 8.0), "stop": (3.0, 16.0), "cut": (3.0, 16.0)}  # at least, at most
START_S = 900.0
GREEN_S = 600.0
END_S = 600.0  # for the last commits
SHARDS, WRITERS, SEARCHERS = 3, 2, 4
SEARCHED = 3 * SEARCHERS  # answered without a node that is hurt: more than had begun before
COMMITTED = 2 * WRITERS  # the same, once all is green again
RANKINGS, TOP = 50, 100
ANALYSIS = "faults"
BAD = ("search failed", "search wrong", "search went back", "commit broken")
PACKAGES = ("opensearch-py",)


class Fault(NamedTuple):
    """One hurt of one node."""

    at_s: float
    kind: str
    node: int
    held_s: float
    green_s: float  # from its undoing until all is green again


class Outcome(NamedTuple):
    """What a run has shown."""

    faults: list[Fault]
    load: Load
    ended: bool  # every commit was acknowledged in the end
    differences: list[str]  # from the same in peace

    @property
    def counts(self) -> dict[str, int]:
        bad = {name: self.load.counts[name] for name in BAD}
        return {
            "faults": len(self.faults),
            "searches": self.load.counts["searches"],
            "searches repeated once": self.load.counts["search repeated"],
            "commits acknowledged": self.load.counts["commits"],
            "commits repeated": self.load.counts["commit repeated"],
            **bad,
            "differences from the same in peace": len(self.differences),
        }

    @property
    def is_good(self) -> bool:
        return self.ended and not self.differences and not any(self.load.counts[n] for n in BAD)


def run(
    cluster: Cluster, plan: Sequence[str], *, minutes: float, timeout_s: int, seed: int
) -> Outcome:
    """Use a collection, hurt the cluster as planned and for so long, and compare.

    With more than one node every shard has a copy, and a hurt lasts until searches were answered
    without the node. After each hurt it is searched and written again. All of it by counts: how
    long that takes is a matter of the machine.
    """
    address = _address(cluster, timeout_s)
    with _collection(address) as store:
        store.commit(fixed())
        embed(store, Drawn(), passage_of)
        cluster.wait_green(GREEN_S)
        load = Load(
            lambda: ClusterStore(address, ANALYSIS),
            questions(),
            writers=WRITERS,
            searchers=SEARCHERS,
            seed=seed,
        )
        try:
            faults = list(_hurt(cluster, plan, load, minutes, random.Random(seed)))
        finally:
            ended = load.stop(END_S)
        say(f"{dict(load.counts)}")
        with _collection(_address(cluster, timeout_s)) as quiet:
            quiet.commit(fixed())
            embed(quiet, Drawn(), passage_of)
            state = load.ledger.state() if ended else {}
            quiet.commit([load.contents[key] for key in state])
            differences = list(_differences(store.snapshot(), quiet.snapshot(), state))
        differences += store.check()
    return Outcome(faults, load, ended, differences)


def _hurt(
    cluster: Cluster, plan: Sequence[str], load: Load, minutes: float, draw: random.Random
) -> Iterator[Fault]:
    """All of the plan, and again from its beginning until the time is over."""
    done = 0
    while done < len(plan) or load.at_s < minutes * 60:
        kind, node = plan[done % len(plan)], draw.randrange(len(cluster.nodes))
        at_s, held_s = load.at_s, draw.uniform(*HELD_S[kind])
        do, undo = {
            "kill": (cluster.kill, cluster.revive),
            "stop": (cluster.pause, cluster.resume),
            "cut": (cluster.cut, cluster.mend),
        }[kind]
        do(node)
        try:
            time.sleep(held_s)
            if len(cluster.nodes) > 1:
                load.wait_for("searches", SEARCHED, GREEN_S)
        finally:
            undo(node)
        green_s = cluster.wait_green(GREEN_S)
        done += 1
        fault = Fault(round(at_s, 1), kind, node, round(held_s, 1), round(green_s, 1))
        say(f"{done}: {fault} {dict(load.counts)}")
        yield fault
        load.wait_for("searches", SEARCHED, GREEN_S)
        load.wait_for("commits", COMMITTED, GREEN_S)


# ---------------------------------------------------------------- the same in peace


def _differences(hurt: Snapshot, quiet: Snapshot, state: dict[Key, str]) -> Iterator[str]:
    """Sentences about what is not the same."""
    there = {(repo, path): d for repo in hurt.repos() for path, d in hurt.digests(repo).items()}
    lost = [key for key, digest in state.items() if there.get(key) != digest]
    yield from (f"acknowledged and not there: {key}" for key in lost)
    if hurt.repos() != quiet.repos():
        yield f"repositories {hurt.repos()}, not {quiet.repos()}"
    for repo in quiet.repos():
        if hurt.digests(repo) != quiet.digests(repo):
            yield f"the files of {repo} differ"
        if _texts(hurt, repo) != _texts(quiet, repo):
            yield f"the chunks of {repo} differ"
    if hurt.statistics().chunks != quiet.statistics().chunks:
        yield f"{hurt.statistics().chunks} chunks, not {quiet.statistics().chunks}"
    for wanted in rankings(RANKINGS):
        if _top(hurt, wanted) != _top(quiet, wanted):
            yield f"rankings of {wanted} differ"


def _texts(snapshot: Snapshot, repo: str) -> dict[ChunkId, str]:
    """Every chunk of a repository."""
    hits = snapshot.match(And(()), Scope(repos=frozenset([repo])), MANY).hits
    return {key: chunk.text for key, chunk in snapshot.fetch(h.chunk for h in hits).items()}


def _top(snapshot: Snapshot, wanted: Expression) -> list[tuple[object, float]]:
    hits = snapshot.match(wanted, Scope(), TOP).hits
    return [(hit.chunk, round(hit.score, 3)) for hit in hits]


# ---------------------------------------------------------------- collections


def _address(cluster: Cluster, timeout_s: int) -> Address:
    parts = [urlsplit(address) for address in cluster.addresses]
    return Address(
        tuple((part.hostname or "", part.port or 0) for part in parts),
        f"faults-{uuid.uuid4().hex}",
        shards=SHARDS,
        replicas=min(1, len(cluster.nodes) - 1),
        timeout_s=timeout_s,
    )


@contextmanager
def _collection(address: Address) -> Iterator[ClusterStore]:
    store = ClusterStore(address, ANALYSIS)
    try:
        yield store
    finally:
        store.clear()
        store.close()


# ---------------------------------------------------------------- the record


def summary(outcome: Outcome) -> str:
    """The counts, and how long it took to be green again."""
    lines = ["# Three nodes, hurt while they are used", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in outcome.counts.items()]
    for name, took in outcome.load.took_s.items():
        cuts = statistics.quantiles(took, n=20)
        lines.append(
            f"| seconds of a {name}: median, 95 %, most | "
            f"{statistics.median(took):.2f}, {cuts[-1]:.2f}, {max(took):.1f} |"
        )
    lines += ["", "| fault | times | seconds until green: median | most |", "|---|---|---|---|"]
    for kind in KINDS:
        green = [fault.green_s for fault in outcome.faults if fault.kind == kind]
        if green:
            row = (kind, len(green), f"{statistics.median(green):.1f}", f"{max(green):.1f}")
            lines.append("| " + " | ".join(map(str, row)) + " |")
    return "\n".join(lines) + "\n"


def raw(outcome: Outcome) -> dict[str, Any]:
    """Every fault and every trouble."""
    return {
        "counts": outcome.counts,
        "faults": [fault._asdict() for fault in outcome.faults],
        "troubles": [trouble._asdict() for trouble in outcome.load.troubles],
        "differences": outcome.differences,
    }


def main() -> int:
    """Run, write a record; 1 if anything happened that must not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="at least")
    parser.add_argument("--faults", type=int, default=21, help="at least")
    parser.add_argument("--timeout", type=int, default=10, help="of a request, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    plan = [KINDS[number % len(KINDS)] for number in range(told.faults)]
    with Cluster.start(nodes=3, in_namespaces=True, timeout_s=START_S) as cluster:
        outcome = run(cluster, plan, minutes=told.minutes, timeout_s=told.timeout, seed=told.seed)
    command = command_line("tools.cluster.faults")
    where = write_record("cluster-faults", command, raw(outcome), summary(outcome), PACKAGES)
    say(f"{outcome.counts}\n{outcome.differences[:5]}\n{where}")
    return 0 if outcome.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
