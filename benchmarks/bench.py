"""Speed and size of the words: ingest, query, opening, one changed file.

    python -m benchmarks.bench [--corpus DIR] [--sizes 13000,100000,1000000] [--only PART]

The corpus is what ``python tools/corpora/fetch.py mixed`` puts together. A record goes
to ``benchmarks/records/``. Figures are CPU time: the machine may be shared.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.speed.corpus import Sampled, comment_queries
from benchmarks.speed.incremental import one_changed_file
from benchmarks.speed.ingest import side_by_side, whole_path
from benchmarks.speed.query import open_times, query_times
from benchmarks.speed.summary import summary
from tools.corpora.fetch import default_root
from tools.record import command_line, write_record

PACKAGES = ("plait", "tantivy", "tree-sitter", "google-re2", "PyStemmer")
PARTS = ("ingest", "query", "incremental")
BYTES_PER_CHUNK = 480  # of the mixed corpus, to choose how much of it makes a size
BARE_SHARE = 12  # the bare stages run on every n-th file


def thinning(corpus: Path, chunks: int) -> int:
    """Which share of the corpus gives about so many chunks: 1 for all of it."""
    total: int = json.loads((corpus / "corpus.json").read_text(encoding="utf-8"))["bytes"]
    return max(1, round(total / BYTES_PER_CHUNK / chunks))


def say(line: str) -> None:
    """Tell how far the run is."""
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    """Run the parts asked for and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=default_root() / "mixed")
    parser.add_argument("--sizes", default="13000,100000,1000000")
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--changed-among", type=int, default=50_000)
    options = parser.parse_args()
    parts = options.only or PARTS
    raw: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="plait-bench-") as scratch:
        work = Path(scratch)
        if "ingest" in parts:
            say("bare stages and the whole path over the same files, in turns ...")
            raw.update(side_by_side(Sampled(options.corpus, BARE_SHARE), work, 3))
        queries = comment_queries(list(Sampled(options.corpus, 40).files()), options.queries)
        sizes = [int(size) for size in options.sizes.split(",")]
        for size in sizes if {"query", "ingest"} & set(parts) else ():
            say(f"index of about {size:,} chunks ...")
            folder = work / f"index{size}"
            source = Sampled(options.corpus, thinning(options.corpus, size))
            raw[f"ingest_{size}"] = whole_path(source, folder)
            say(f"  {json.dumps(raw[f'ingest_{size}'])}")
            if "query" in parts:
                timed = query_times(folder, queries, options.rounds)
                raw[f"query_{size}"] = {**timed, **open_times(folder, options.rounds)}
                say(f"  {timed['plait_p50_ms']} ms, bare {timed['bare_p50_ms']} ms")
        if "incremental" in parts:
            say("one changed file ...")
            raw["incremental"] = one_changed_file(
                options.corpus, work / "incremental", options.changed_among
            )
    folder = write_record(
        "words-speed", command_line("benchmarks.bench"), raw, summary(raw), PACKAGES
    )
    print(summary(raw))
    say(f"record: {folder}")


if __name__ == "__main__":
    main()
