"""Many threads over one reader, and a writer that commits: ``python -m tools.chaos.threads``.

Threads open snapshots, ask everything a snapshot can be asked, and close them, while a writer
commits one generation after another. After each commit a reader of its own, with nobody beside
it, answers the same questions. Every answer of every thread has to equal that one's for the same
generation; one that differs, or fails, makes the exit status 1.

Both stores are run. The cluster's is a node that is started for it and stopped after.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from plait.errors import SnapshotLost
from plait.index.embed import embed
from plait.stores.embedded.store import EmbeddedStore
from plait.types import (
    And,
    Change,
    Chunk,
    ChunkId,
    Defines,
    Entry,
    Excerpt,
    Field,
    LineQuery,
    Passage,
    Pattern,
    Phrase,
    Scope,
    Snapshot,
    SourceFile,
    Span,
    Store,
    Symbol,
    Tag,
    Term,
)
from tools.chaos.meaning import Hashed
from tools.chaos.record import conclude, say
from tools.opensearch.nodes import QUICK, Cluster

THREADS = 16
FILES = 40
QUESTIONS_EACH = 3  # asked of a snapshot before it is closed
COUNTED = ("generations", "answers", "compared", "snapshots lost")


def change(number: int, turn: int) -> Change:
    """A file that says which commit it is of."""
    repo, path, name = "threads", f"src/file{number}.py", f"name{number}"
    text = f"def {name}():\n    common turn{turn} word{number % 7}\n"
    body = Excerpt(0, len(text), text)
    symbol = Symbol(
        name, "function", Span(1, 2), "", Excerpt(0, len(name) + 6, text[: len(name) + 6])
    )
    key = ChunkId(repo, path, 0)
    chunk = Chunk(key, "python", Span(1, 2), body, symbol)
    words = text.replace("(", " ").replace(")", " ").replace(":", " ").split()
    terms = {Field.WORDS: " ".join(words), Field.NAME: name}
    file = SourceFile(repo, path, "python", text.encode(), f"{number}.{turn}")
    return Change(repo, path, file, (Entry(chunk, terms),))


def passage_of(chunk: Chunk) -> Passage:
    """What is encoded of a chunk."""
    return Passage("", chunk.text)


def questions() -> dict[str, Callable[[Snapshot], Any]]:
    """Every way to ask a snapshot, each with an answer that can be compared."""
    model = Hashed()
    vector = model.questions(["def name3 common"])
    ids = [ChunkId("threads", f"src/file{number}.py", 0) for number in range(FILES)]
    keys = [(key.repo, key.path) for key in ids]
    everywhere, common = Scope(), Term("common")
    return {
        "repos": lambda s: list(s.repos()),
        "roots": lambda s: dict(s.roots(["threads"])),
        "digests": lambda s: dict(s.digests("threads")),
        "outline": lambda s: list(s.outline("threads", "src/file3.py")),
        "files": lambda s: dict(s.files(keys)),
        "definitions": lambda s: dict(s.definitions(["name3", "name4"], everywhere, 10)),
        "fetch": lambda s: dict(s.fetch(ids)),
        "match": lambda s: s.match(common, everywhere, 10),
        "tag": lambda s: s.match(And((common, Tag("lang", "python"))), everywhere, 100),
        "phrase": lambda s: s.match(Phrase("common turn", ("common",)), everywhere, 100),
        "pattern": lambda s: s.match(Pattern(r"turn\d+ word3"), everywhere, 100),
        "explain": lambda s: dict(s.explain(common, ids[:5])),
        "grep": lambda s: list(s.grep(LineQuery((Pattern(r"word\d"),), within_s=60))),
        "count": lambda s: list(s.count([common, Defines("name3"), Tag("kind", "function")])),
        "spellings": lambda s: list(s.spellings("commox", 5)),
        "statistics": lambda s: s.statistics().chunks,
        "nearest": lambda s: s.nearest(model.digest, vector, And(()), everywhere, 10),
        "vectors": lambda s: dict(s.vectors(model.digest, ids[:5])),
        "missing": lambda s: s.missing_vectors(model.digest),
        "embedded": lambda s: sum(len(b) for b, _ in s.embedded(model.digest, And(()), everywhere)),
        "within": lambda s: s.within(frozenset({"nobody"})).match(common, everywhere, 10),
    }


class Trial:
    """One store, its readers and its writer."""

    def __init__(
        self, name: str, reading: Store, writing: Store, alone: Callable[[], Store]
    ) -> None:
        self.name = name
        self._reading = reading
        self._writing = writing
        self._alone = alone
        self._asked = questions()
        self._told: list[tuple[int, str, Any]] = []  # generation, question, answer
        self._expected: dict[int, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.faults: list[str] = []
        self.answers = self.compared = self.lost = 0

    def run(self, seconds: float) -> Self:
        """Read and write for so long."""
        self._commit(0)
        readers = [threading.Thread(target=self._read, args=(n,)) for n in range(THREADS)]
        for reader in readers:
            reader.start()
        end, turn = time.monotonic() + seconds, 1
        try:
            while time.monotonic() < end and not self.faults:
                self._commit(turn)
                turn += 1
        finally:
            self._stop.set()
            for reader in readers:
                reader.join(60)
        self._compare()
        self._writing.clear()
        for store in (self._reading, self._writing):
            store.close()
        return self

    def row(self, seconds: float) -> dict[str, Any]:
        """What was counted."""
        return {
            "store": self.name,
            "seconds": seconds,
            "threads": THREADS,
            "generations": len(self._expected),
            "answers": self.answers,
            "compared": self.compared,
            "snapshots lost": self.lost,
            "faults": self.faults[:20],
        }

    def _commit(self, turn: int) -> None:
        self._writing.commit(
            [change(n, turn) for n in range(FILES) if turn == 0 or n % 5 == turn % 5]
        )
        self._answer_alone()
        embed(self._writing, Hashed(), passage_of)
        self._answer_alone()
        self._compare()

    def _answer_alone(self) -> None:
        """What a reader with nobody beside it says of the newest generation."""
        store = self._alone()
        snapshot = store.snapshot()
        answers = {name: ask(snapshot) for name, ask in self._asked.items()}
        self._expected[snapshot.generation] = answers
        snapshot.close()
        store.close()

    def _read(self, seed: int) -> None:
        draw = random.Random(seed)
        while not self._stop.is_set() and not self.faults:
            try:
                snapshot = self._reading.snapshot()
                for name in draw.sample(sorted(self._asked), QUESTIONS_EACH):
                    given = (snapshot.generation, name, self._asked[name](snapshot))
                    with self._lock:
                        self._told.append(given)
                snapshot.close()
            except SnapshotLost:
                self.lost += 1
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is the finding
                self.faults.append(f"{type(error).__name__}: {error}")

    def _compare(self) -> None:
        with self._lock:
            told, self._told = self._told, []
        for generation, name, answer in told:
            self.answers += 1
            expected = self._expected.get(generation)
            if expected is None:
                continue  # a generation between two that were looked at alone
            self.compared += 1
            if answer != expected[name]:
                self.faults.append(f"{name} of generation {generation} differs")


@contextmanager
def trials(seconds: float, *, cluster: bool) -> Iterator[Iterator[Trial]]:
    """Both stores, each in a place of its own that is taken away after it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="plait-threads-")))

        def run() -> Iterator[Trial]:
            yield embedded_trial(folder).run(seconds)
            if cluster:
                node = Cluster.start(java_options=QUICK)
                stack.callback(node.stop)
                yield cluster_trial(node.addresses).run(seconds)

        yield run()


def embedded_trial(folder: Path) -> Trial:
    """A store in a folder."""

    def opened() -> EmbeddedStore:
        return EmbeddedStore(folder / "store", "threads", wait_s=600)

    return Trial("embedded", opened(), opened(), opened)


def cluster_trial(addresses: Sequence[str]) -> Trial:
    """A collection on a cluster that runs."""
    from plait.stores.cluster.address import Address
    from plait.stores.cluster.store import ClusterStore

    parts = [urlsplit(address) for address in addresses]
    hosts = tuple((part.hostname or "", part.port or 0) for part in parts)
    address = Address(hosts, f"threads-{uuid.uuid4().hex}")

    def opened() -> ClusterStore:
        return ClusterStore(address, "threads")

    return Trial("cluster", opened(), opened(), opened)


def main() -> None:
    """Run and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=300.0, help="for each store")
    parser.add_argument("--no-cluster", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    rows = []
    with trials(options.seconds, cluster=not options.no_cluster) as done:
        for trial in done:
            rows.append(trial.row(options.seconds))
            say(f"{rows[-1]}")
    counts: dict[str, Any] = {f"{row['store']}: {key}": row[key] for row in rows for key in COUNTED}
    faults = sum(len(row["faults"]) for row in rows)
    conclude(
        "threads",
        "tools.chaos.threads",
        {**counts, "answers that differed or failed": faults},
        rows,
        record=options.record,
    )
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
