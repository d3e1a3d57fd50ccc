"""Hybrid: words and meaning together, against each lane's engine alone.

    OMP_NUM_THREADS=1 python -m benchmarks.speed.hybrid [--model DIR] [--sizes 13k 100k 1m]
        [--work DIR]

In one process, query by query and in turns: bare tantivy, the best hundred documents and
nothing else; a bare scan of the vectors in plain numpy; plait by meaning; plait by both,
from the text of a question to results with reasons and snippets. Figures are CPU time, the
best of several rounds. Then what the scan finds of what exact multiplication would, what
embedding costs beside the encoder, and, in a process of its own, what stays in memory.
With ``--work`` the indexes are kept, and found again by the next run. Without the setting the
bare scan's library would start threads that wait by computing, and CPU time would mean nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy

from benchmarks.bench import say, thinning
from benchmarks.speed.clock import best_cpu_ms, measured, percentile
from benchmarks.speed.corpus import Sampled, comment_queries
from benchmarks.speed.hybrid_summary import summary
from benchmarks.speed.ingest import whole_path
from benchmarks.speed.opened import Opened, added_file
from benchmarks.speed.vectors import DEPTH, TIED, BareScan, Recording, exact, least_scores
from plait.index.embed import embed
from plait.lanes import tokens
from plait.models.bundle import BUNDLED
from plait.search.parse import parse
from plait.stores.embedded.words import open_index, translate
from plait.types import And, Expression, Or, Query, Scope, Term
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

SIZES = {"13k": 13_000, "100k": 100_000, "1m": 1_000_000}
WAYS = ("tantivy", "tantivy_same_terms", "scan", "dense", "hybrid")
PACKAGES = ("plait", "tantivy", "numpy")


def query_times(opened: Opened, queries: list[str], rounds: int) -> dict[str, object]:
    """CPU milliseconds of each query by each way, the best of several rounds, in turns."""
    snapshot, lexical, encoder = opened.snapshot, opened.lexical, opened.dense.encoder
    generation = f"{snapshot.generation:06d}"
    words = open_index(opened.store.root / "generations" / generation / "words").searcher()
    scan = BareScan(opened.files())
    by_meaning, by_both = opened.asker(opened.dense), opened.asker(lexical, opened.dense)

    def bare_words(wanted: Expression) -> Callable[[], object]:
        asked = translate(wanted)
        return lambda: words.search(asked, DEPTH, count=False).hits

    times: dict[str, dict[str, float]] = {}
    for text in queries:
        every_word = Or(tuple(Term(t) for t in dict.fromkeys(tokens.analyse(text).split())))
        same_terms = lexical.ask(Query(text, parse(text).wanted), snapshot).wanted
        question = numpy.frombuffer(encoder.questions([text]).data, "<f4")
        ways: dict[str, Callable[[], object]] = {
            "tantivy": bare_words(every_word),
            "tantivy_same_terms": bare_words(same_terms),
            "scan": lambda: scan.nearest(question),  # noqa: B023 - called at once
            "dense": lambda: by_meaning(text),  # noqa: B023
            "hybrid": lambda: by_both(text),  # noqa: B023
        }
        times[text] = _in_turns(ways, rounds)
    found: dict[str, object] = {"queries": times}
    for name in WAYS:
        values = [least[name] for least in times.values()]
        found[f"{name}_p50_ms"] = percentile(values, 0.5)
        found[f"{name}_p99_ms"] = percentile(values, 0.99)
    return found


def exact_ms(truth: Path, opened: Opened, queries: list[str], rounds: int) -> float:
    """CPU milliseconds of multiplying all vectors as floats: the middle of a few queries."""
    floats = numpy.load(truth / "floats.npy")
    asked = [opened.dense.encoder.questions([text]) for text in queries]
    questions = [numpy.frombuffer(vector.data, "<f4") for vector in asked]
    times = [best_cpu_ms(partial(exact, floats, question), rounds) for question in questions]
    return percentile(times, 0.5)


def _in_turns(ways: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, work in ways.items():
            start = time.process_time_ns()
            work()
            least[name] = min(least[name], (time.process_time_ns() - start) / 1e6)
    return least


def recall(opened: Opened, truth: Path, queries: list[str]) -> dict[str, float]:
    """How much of the exact best hundred is found; chunks of equal score are as good."""
    encoder, snapshot = opened.dense.encoder, opened.snapshot
    asked = encoder.questions(queries)
    questions = numpy.frombuffer(asked.data, "<f4").reshape(len(queries), -1)
    least = least_scores(truth, opened.files(), questions)
    shares = []
    for at, question in enumerate(questions):
        hits = snapshot.nearest(encoder.digest, asked.rows([at]), And(()), Scope(), DEPTH).hits
        chunks = snapshot.fetch([hit.chunk for hit in hits]).values()
        made = encoder.passages([opened.dense.passage(chunk) for chunk in chunks])
        scores = numpy.frombuffer(made.data, "<f4").reshape(-1, len(question)) @ question
        wanted = DEPTH if least[at] > 0 else max(int((scores > 0).sum()), 1)
        shares.append(min(float((scores >= least[at] - TIED).sum()) / wanted, 1.0))
    return {"recall": sum(shares) / len(shares), "recall_p10": percentile(shares, 0.1)}


def embedding(folder: Path, model: Path, truth: Path) -> None:
    """Give every chunk a vector, then again after one small file was added; keep what it cost."""
    opened = Opened(folder, model)
    recording = Recording(opened.dense.encoder)
    _, cpu, _ = measured(lambda: embed(opened.store, recording, opened.dense.passage))
    truth.mkdir(parents=True)
    recording.save(truth)
    opened.store.commit([added_file(opened.snapshot.repos()[0])])
    encoder = opened.dense.encoder
    _, again, _ = measured(lambda: embed(opened.store, encoder, opened.dense.passage))
    found = {"embed_cpu_s": cpu, "encoder_cpu_s": recording.cpu_s, "one_file_cpu_s": again}
    (truth / "embedding.json").write_text(json.dumps(found), encoding="utf-8")


def one_size(options: argparse.Namespace, size: str, queries: list[str]) -> dict[str, object]:
    """Everything about one size; what was built before is used again."""
    folder = options.work / f"index{SIZES[size]}"
    figures: dict[str, object] = {}
    if not (folder / "CURRENT").exists():
        say(f"index of about {SIZES[size]:,} chunks ...")
        whole_path(Sampled(options.corpus, thinning(options.corpus, SIZES[size])), folder)
    model = Opened(folder, options.model).dense.encoder.digest
    truth = options.work / f"truth{SIZES[size]}-{model[:8]}"
    if not truth.exists():
        say("vectors ...")
        embedding(folder, options.model, truth)
    figures |= json.loads((truth / "embedding.json").read_text(encoding="utf-8"))
    opened = Opened(folder, options.model)
    statistics = opened.snapshot.statistics()
    figures |= {
        "model": model,
        "chunks": statistics.chunks,
        "megabytes": statistics.source_bytes / 1e6,
    }
    figures["vector_megabytes"] = opened.vector_bytes() / 1e6
    say("queries ...")
    figures |= query_times(opened, queries, options.rounds)
    figures |= recall(opened, truth, queries)
    figures["exact_p50_ms"] = exact_ms(truth, opened, queries[:20], 2)
    command = [sys.executable, "-m", "benchmarks.speed.opened", str(folder), str(options.model)]
    asked = json.dumps(queries)
    run = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return figures | {"memory": json.loads(run.stdout)}


def main() -> None:
    """Run the sizes asked for and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=default_root() / "mixed")
    parser.add_argument("--model", type=Path, default=BUNDLED)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("run it with OMP_NUM_THREADS=1")
    queries = comment_queries(list(Sampled(options.corpus, 40).files()), options.queries)
    raw: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="plait-bench-") as scratch:
        options.work = options.work or Path(scratch)
        for size in options.sizes:
            raw[size] = one_size(options, size, queries)
            say(summary({size: raw[size]}))
    folder = write_record(
        "vectors-speed", command_line("benchmarks.speed.hybrid"), raw, summary(raw), PACKAGES
    )
    print(summary(raw))
    say(f"record: {folder}")


if __name__ == "__main__":
    main()
