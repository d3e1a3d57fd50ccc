"""What proofs cost a warm query: ``python -m tools.chaos.proof_cost``.

The same questions with proofs and without (sizes are looked at, as before there were any), in
turns, by processor time, the best of several rounds: of a snapshot that is open, and of an index
that is opened for each question, by words and by both lanes. And what a proof is made of: how fast
bytes are summed, and how long a look at the files of an open snapshot takes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from plait.answering.index import Index
from plait.search.plan import HYBRID, LEXICAL
from plait.stores.embedded.proofs import Files, Proofs
from plait.stores.embedded.snapshot import EmbeddedSnapshot
from plait.stores.embedded.store import EmbeddedStore
from plait.stores.embedded.watching import EVERY_S, Watch
from tools.chaos.asking import QUESTIONS, in_mode
from tools.chaos.contents import opened
from tools.chaos.record import conclude
from tools.chaos.tree import edit, grow

SUMMED_BYTES = 64 << 20
ASKS = 3  # of every question in a turn


@contextmanager
def without_proofs() -> Iterator[None]:
    """Only sizes are looked at, once."""
    prove, look = Proofs.prove, Watch.look

    def sizes(self: Proofs, files: Files) -> dict[str, os.stat_result]:
        return {name: (self._root / name).stat() for name in files}

    def no_look(self: Watch, *, at_once: bool = False) -> None: ...

    Proofs.prove, Watch.look = sizes, no_look  # type: ignore[method-assign]  # for the comparison
    try:
        yield
    finally:
        Proofs.prove, Watch.look = prove, look  # type: ignore[method-assign]  # the same


def cost_s(ask: Callable[[], object]) -> float:
    """Processor time of a turn, for one question."""
    began = time.process_time()
    ask()
    return (time.process_time() - began) / (ASKS * len(QUESTIONS))


def best_s(do: Callable[[], object], rounds: int) -> float:
    """The shortest processor time of something."""
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        do()
        taken.append(time.process_time() - began)
    return min(taken)


def parts(snapshot: EmbeddedSnapshot, root: Path, rounds: int) -> dict[str, str]:
    """How fast bytes are summed and files are looked at."""
    raw = random.Random(0).randbytes(SUMMED_BYTES)
    seen = Proofs(root).prove(snapshot.manifest.files)

    def look() -> None:
        watch = Watch(root, snapshot.manifest.files, seen)
        watch._next = 0.0  # noqa: SLF001 - it looks at once, not after its pause
        watch.look()

    sums: dict[str, Callable[[bytes], object]]
    sums = {"SHA-256": hashlib.sha256, "CRC-32": zlib.crc32}
    told = {
        name: f"{SUMMED_BYTES / best_s(partial(one, raw), rounds) / 1e9:.2f} GB/s"
        for name, one in sums.items()
    }
    told[f"a look at {len(seen)} files"] = f"{best_s(look, 20 * rounds) * 1e3:.3f} ms"
    return told


def ways(index: Index) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is timed."""
    for mode in (LEXICAL, HYBRID):
        one = in_mode(index, mode)

        def of_open(one: Index = one) -> None:
            snapshot = one.snapshot()
            for text in QUESTIONS * ASKS:
                one.ask(snapshot, text)

        def of_index(one: Index = one) -> None:
            for text in QUESTIONS * ASKS:
                one.search(text, fresh=False)

        yield f"{mode}, a snapshot that is open", of_open
        yield f"{mode}, opened for each question", of_index


def main() -> None:
    """Time all ways in turns and record them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory("-plait-proofs") as name:
        tree, rng = Path(name, "tree"), random.Random(0)
        grow(tree, asked.files, 0)
        index = opened(tree, Path(name, "cache"))
        for _ in range(4):
            index.refresh()
            index.embed()
            edit(tree, rng)
        time.sleep(5 * EVERY_S)
        index.snapshot().close()
        store = index.reader.store
        assert isinstance(store, EmbeddedStore)
        made_of = parts(store.snapshot().whole, store.root, asked.rounds)
        files = len(store.snapshot().whole.manifest.files)
        rows = []
        for number in range(asked.rounds):
            for label, ask in ways(index):
                row: dict[str, object] = {"round": number, "way": label}
                for with_proofs in (True, False) if number % 2 else (False, True):
                    if with_proofs:
                        row["with_s"] = cost_s(ask)
                    else:
                        with without_proofs():
                            row["without_s"] = cost_s(ask)
                rows.append(row)
    counts: dict[str, object] = {"files of the index": files, "rounds": asked.rounds, **made_of}
    for label, _ in ways(index):
        taken = [row for row in rows if row["way"] == label]
        with_s, without_s = (
            sorted(float(str(r[k])) for r in taken) for k in ("with_s", "without_s")
        )
        medians = [f"{statistics.median(taken) * 1e3:.3f}" for taken in (without_s, with_s)]
        counts[label] = (
            f"{without_s[0] * 1e3:.3f} ms without, {with_s[0] * 1e3:.3f} ms with proofs "
            f"({with_s[0] / without_s[0] - 1:+.1%}); medians {' and '.join(medians)} ms"
        )
    conclude("proof-cost", "tools.chaos.proof_cost", counts, rows)


if __name__ == "__main__":
    main()
