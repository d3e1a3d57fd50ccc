"""What links cost: two builds of plait index the same files, in turns.

    python -m benchmarks.speed.links --before DIR [--turns 3]

``DIR`` is a checkout of the older build. Both run in processes of their own, on this
interpreter; compared are CPU seconds of a first index (words only, workers included), bytes of
the index by chunk, CPU time of fetching chunks, and bytes that workers send. The best of the
turns counts, since machines are shared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from tools.corpora.fetch import default_root
from tools.record import ROOT, command_line, write_record

# The folder below the corpora, and which files of it: every n-th.
CORPORA = (
    ("languages/python", 1),
    ("languages/go", 1),
    ("languages/java", 1),
    ("languages", 20),
)
LARGER_IS_WORSE = {
    "cpu_s": "first index, CPU s",
    "index_bytes": "index, bytes a chunk",
    "table_bytes": "of that tables, bytes a chunk",
    "fetch_us": "fetch, CPU us a chunk",
    "reply_bytes": "workers' replies, bytes a chunk",
    "largest_reply": "largest reply, bytes",
}
# Run by the build that is measured.
INSIDE = """
import gc, json, sys, tempfile, time
from pathlib import Path
from benchmarks.speed.corpus import Sampled
from benchmarks.speed.ingest import whole_path
from plait.assembly import lexical_lane
from plait.index import prepare
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.types import ChunkId

FETCHED, ROUNDS, REPLIES = 2_000, 15, 200
source = Sampled(Path(sys.argv[1]), int(sys.argv[2]))
lexical = lexical_lane(Settings())
with tempfile.TemporaryDirectory() as folder:
    built = whole_path(source, Path(folder) / "store")
    source_bytes = built["megabytes"] * 1e6
    snapshot = EmbeddedStore(Path(folder) / "store", lexical.analysis).snapshot()
    ids = [key for repo in snapshot.repos() for path in snapshot.digests(repo)
           for key in snapshot.outline(repo, path)]
    ids = ids[:: max(len(ids) // FETCHED, 1)]
    gc.disable()
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        snapshot.fetch(ids)
        best = min(best, time.process_time() - began)
sizes, chunks = [], 0
files = list(source.files())
for file in files[:: max(len(files) // REPLIES, 1)]:
    reply = prepare.answer(prepare.request(file, lexical, is_plain=False))
    sizes.append(len(json.dumps(reply.value)) + len(reply.payload))
    chunks += len(prepare.entries(file, reply))
print(json.dumps({
    "cpu_s": built["cpu_s"],
    "chunks": built["chunks"],
    "index_bytes": built["index_to_source"] * source_bytes / built["chunks"],
    "table_bytes": built["share_tables"] * source_bytes / built["chunks"],
    "fetch_us": best / len(ids) * 1e6,
    "reply_bytes": sum(sizes) / chunks,
    "largest_reply": max(sizes),
}))
"""

Figures = dict[str, float]


def measure(build: Path, corpus: Path, every: int) -> Figures:
    """One turn of one build."""
    done = subprocess.run(
        [sys.executable, "-c", INSIDE, str(corpus), str(every)],
        env={**os.environ, "PYTHONPATH": f"{build / 'src'}{os.pathsep}{build}"},
        capture_output=True,
        check=True,
        cwd=build,
    )
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def compare(before: Path, corpus: Path, every: int, turns: int) -> dict[str, list[Figures]]:
    """The figures of every turn, by build."""
    taken: dict[str, list[Figures]] = {"before": [], "after": []}
    for turn in range(turns):
        builds = [("before", before), ("after", ROOT)]
        for name, build in builds if turn % 2 == 0 else reversed(builds):
            taken[name].append(measure(build, corpus, every))
            print(corpus.name, name, taken[name][-1], flush=True)
    return taken


def table(corpus: str, taken: dict[str, list[Figures]]) -> list[str]:
    """The best of each build, and their ratio."""
    rows = [
        f"## {corpus}, {taken['after'][0]['chunks']:,.0f} chunks",
        "",
        "| | before | after | after / before | turns, before | turns, after |",
        "|---|--:|--:|--:|---|---|",
    ]
    for key, words in LARGER_IS_WORSE.items():
        old, new = ([turn[key] for turn in taken[name]] for name in ("before", "after"))
        spread = " | ".join(", ".join(f"{v:,.1f}" for v in sorted(turns)) for turns in (old, new))
        best = f"{min(old):,.2f} | {min(new):,.2f} | {min(new) / min(old):.3f}"
        rows.append(f"| {words} | {best} | {spread} |")
    return [*rows, ""]


def main() -> None:
    """Compare two builds on every corpus, print the tables and write a record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the older build")
    parser.add_argument("--turns", type=int, default=3)
    told = parser.parse_args()
    raw: dict[str, object] = {}
    lines = ["# What links cost", ""]
    for name, every in CORPORA:
        taken = compare(told.before.resolve(), default_root() / name, every, told.turns)
        raw[name] = taken
        lines += table(name if every == 1 else f"{name}, every {every}th file", taken)
    print("\n".join(lines))
    command = command_line("benchmarks.speed.links")
    write_record("links", command, raw, "\n".join(lines), ["plait", "tree-sitter", "tantivy"])


if __name__ == "__main__":
    main()
