"""Pattern fields: by which field of OpenSearch a substring or a regex is found best.

    python -m benchmarks.cluster.patterns_fields --corpus DIR [--every 20] [--node HOST:PORT]

The same files are indexed several times, each time with one field to find patterns by: our
grams of whole files, our grams of pieces, OpenSearch's own ``ngram`` tokeniser, and its
``wildcard`` field. Pieces are whole lines of about the size of a chunk, since a ``wildcard``
field takes no more than 32 KB. What has no such field is the yardstick for its size: all are
merged into one segment first. Every question is asked for all lines there are: candidates come
back with their text and are verified, so all have to find the same lines.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.patterns.questions import Question, read_questions
from benchmarks.speed.clock import measured, percentile
from benchmarks.speed.corpus import Sampled
from plait.patterns.compiled import compiled
from plait.patterns.lines import count_lines
from plait.patterns.needs import Need
from plait.patterns.required import required
from plait.stores.cluster.address import Address
from plait.stores.cluster.bulk import Bulk
from plait.stores.cluster.connection import Connection, Json
from plait.stores.cluster.grams import gram_terms, need_query
from plait.stores.cluster.schema import GRAMS, SPACES
from plait.types import SourceFile
from tools.record import command_line, write_record

PACKAGES = ("plait", "google-re2", "numpy", "opensearch-py")
PIECE_BYTES = 400  # about the size of a chunk
LEASE_S = 62.0  # OpenSearch looks every 30 s what it need not keep any longer
PAGE = 200  # candidates read at a time
TURNS = 3
SLOW_MS = 1_000.0  # asked once only
SUBSTRINGS = {"identifier": 14, "partial": 10, "phrase": 8, "rare": 5, "absent": 3}
REGEXES = {"anchored": 4, "word": 4, "alternation": 3, "class": 4, "dot-star": 3, "absent": 2}
MANY = 10_000_000  # lines counted of one text: all
COLUMNS = (
    "",
    "size",
    "written, s",
    "client CPU, s",
    "substrings p50 / p95",
    "regexes p50 / p95",
    "bytes read p50",
    "unequal",
)
WILDCARD: Json = {"type": "wildcard"}
ANALYSIS: Json = {
    "tokenizer": {
        SPACES: {"type": "whitespace"},
        "three": {"type": "ngram", "min_gram": 3, "max_gram": 3},
    },
    "analyzer": {
        SPACES: {"type": "custom", "tokenizer": SPACES},
        "three": {"type": "custom", "tokenizer": "three", "filter": ["lowercase"]},
    },
}


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to find patterns."""

    name: str
    is_whole: bool  # files as a whole, not pieces of them
    mapping: Json | None  # of the field; None for the yardstick
    value: Callable[[bytes], str]
    query: Callable[[Question], Json]

    @property
    def keeps_text(self) -> bool:
        """Whether the field holds the text itself."""
        return self.mapping == WILDCARD

    @property
    def index(self) -> str:
        return "bench-patterns-" + re.sub(r"\W+", "-", self.name)


def text_of(content: bytes) -> str:
    """A text as JSON can hold it."""
    return content.decode("utf-8", "replace")


def nothing(_: bytes) -> str:
    """No field."""
    return ""


def by_grams(question: Question) -> Json:
    """A query for our grams."""
    pattern = question.pattern
    return need_query(required(pattern.regex, ignore_case=pattern.ignore_case), "field")


def by_ngrams(question: Question) -> Json:
    """The same need, as OpenSearch spells the grams; it knows characters, not bytes."""
    pattern = question.pattern
    return spelled(required(pattern.regex, ignore_case=pattern.ignore_case))


def spelled(need: Need) -> Json:
    """A need as grams of three characters."""
    texts = [gram.decode("utf-8", "ignore").lower() for gram in sorted(need.grams)]
    parts: list[Json] = [{"term": {"field": text}} for text in texts if len(text) == 3]
    parts += [{"bool": {"should": [spelled(one) for one in group]}} for group in need.choices]
    return {"bool": {"filter": parts}} if parts else {"match_all": {}}


def by_wildcard(question: Question) -> Json:
    """A query for OpenSearch's field: what its syntax cannot say is left to the verification."""
    if question.is_text:
        text = re.sub(r"([*?\\])", r"\\\1", question.text)
        return {"wildcard": {"field": {"value": f"*{text}*"}}}
    regex = re.sub(r"\\b|^\^|\$$", "", question.text)
    return {"regexp": {"field": {"value": f".*({regex}).*", "flags": "NONE"}}}


def contenders() -> list[Contender]:
    """All ways, the yardsticks before what they measure."""
    ngrams = {"type": "text", "analyzer": "three", "index_options": "docs", "norms": False}
    return [
        Contender("files alone", True, None, nothing, by_grams),
        Contender("our grams of files", True, GRAMS, gram_terms, by_grams),
        Contender("ngram of files", True, ngrams, text_of, by_ngrams),
        Contender("pieces alone", False, None, nothing, by_grams),
        Contender("our grams of pieces", False, GRAMS, gram_terms, by_grams),
        Contender("wildcard of pieces", False, WILDCARD, text_of, by_wildcard),
    ]


def pieces(content: bytes) -> Iterator[bytes]:
    """Whole lines, about as much as a chunk."""
    begin = 0
    while begin < len(content):
        end = content.find(b"\n", begin + PIECE_BYTES) + 1 or len(content)
        yield content[begin:end]
        begin = end


class Bench:
    """The contenders on one node."""

    def __init__(self, connection: Connection, files: Sequence[SourceFile]) -> None:
        self._connection = connection
        self._files = files
        self.source = sum(len(file.content) for file in files)

    def build(self, contender: Contender) -> Json:
        """Index all files for a contender; what that cost."""
        connection, index = self._connection, contender.index
        connection.ask("DELETE", f"/{index}", allowed={404})
        field = {"field": contender.mapping} if contender.mapping else {}
        connection.ask(
            "PUT",
            f"/{index}",
            {
                "settings": {
                    "index": {
                        "number_of_shards": 1,
                        "number_of_replicas": 0,
                        "refresh_interval": "-1",
                        "codec": "best_compression",
                        "analysis": ANALYSIS,
                    }
                },
                "mappings": {
                    "dynamic": False,
                    "_source": {} if contender.keeps_text else {"excludes": ["field"]},
                    "properties": field,
                },
            },
        )
        _, cpu_s, wall_s = measured(lambda: self._write(contender))
        connection.ask("POST", f"/{index}/_flush", params={"force": "true"})
        return {"cpu_s": cpu_s, "wall_s": wall_s}

    def merge(self, contender: Contender) -> int:
        """Merge into one segment; its bytes. For some time after a write OpenSearch keeps what
        a field was made of, in case a copy has to be brought up to date: only what is merged
        after that is as small as it stays."""
        connection, index = self._connection, contender.index
        connection.ask("PUT", f"/{index}/_doc/last", {"text": "", "field": ""})  # so it merges
        connection.ask("POST", f"/{index}/_refresh")
        connection.ask("POST", f"/{index}/_forcemerge", params={"max_num_segments": "1"})
        connection.ask("POST", f"/{index}/_refresh")
        store = connection.ask("GET", f"/{index}/_stats/store")["_all"]["primaries"]["store"]
        return int(store["size_in_bytes"])

    def _write(self, contender: Contender) -> None:
        bulk = Bulk(self._connection, contender.index)
        number = 0
        for file in self._files:
            texts = [file.content] if contender.is_whole else pieces(file.content)
            for text in texts:
                number += 1
                document = {"field": contender.value(text)}
                if not contender.keeps_text:
                    document["text"] = text_of(text)
                bulk.put(str(number), document)
        bulk.flush()

    def ask(self, contender: Contender, question: Question) -> Json:
        """One question, complete: every candidate read and verified."""
        matcher = compiled((question.pattern,))
        kept = "field" if contender.keeps_text else "text"
        body: Json = {
            "query": {"bool": {"filter": [contender.query(question)]}},
            "sort": ["_doc"],
            "_source": [kept],
            "size": PAGE,
            "track_total_hits": False,
        }
        began, cpu = time.perf_counter(), time.process_time()
        lines = candidates = read = 0
        after: Json = {}
        while True:
            answer = self._connection.ask("POST", f"/{contender.index}/_search", {**body, **after})
            hits = answer["hits"]["hits"]
            for hit in hits:
                content = hit["_source"][kept].encode()
                read += len(content)
                lines += count_lines(matcher, content, MANY)
            candidates += len(hits)
            if len(hits) < PAGE:
                break
            after = {"search_after": hits[-1]["sort"]}
        return {
            "ms": 1_000 * (time.perf_counter() - began),
            "cpu_ms": 1_000 * (time.process_time() - cpu),
            "lines": lines,
            "candidates": candidates,
            "read": read,
        }

    def times(
        self, contenders: Sequence[Contender], questions: Sequence[Question]
    ) -> dict[str, Json]:
        """The least of several runs of every question to every contender, in turns."""
        found: dict[str, Json] = {contender.name: {} for contender in contenders}
        for question in questions:
            for _ in range(TURNS):
                for contender in contenders:
                    known = found[contender.name]
                    before = known.get(question.name)
                    if before is None or before["ms"] < SLOW_MS:
                        now = self.ask(contender, question)
                        known[question.name] = min(before or now, now, key=lambda one: one["ms"])
        return found


def chosen(questions: Sequence[Question]) -> list[Question]:
    """40 substrings and 20 regexes: those for which an index can do something."""
    kept = []
    for kind, shapes in (("substring", SUBSTRINGS), ("regex", REGEXES)):
        for shape, count in shapes.items():
            kept += [one for one in questions if (one.kind, one.shape) == (kind, shape)][:count]
    return kept


def summary(raw: Json) -> str:
    """The table of a record."""
    head = f"{raw['files']:,} files, {raw['source']:,} bytes. Sizes are shares of that, of the "
    rows = [
        f"{head}field alone where there is one; times are ms for all lines.\n",
        f"| {' | '.join(COLUMNS)} |",
        "|---" * len(COLUMNS) + "|",
    ]
    alone, truth = 0, next(row["times"] for row in raw["contenders"].values() if row["times"])
    for name, row in raw["contenders"].items():
        if not row["times"]:
            alone = row["bytes"]
        size = row["bytes"] - (alone if row["times"] else 0)
        cells = []
        for kind in ("substring", "regex"):
            ms = [one["ms"] for ask, one in row["times"].items() if ask.startswith(kind)]
            cells.append(f"{statistics.median(ms):.1f} / {percentile(ms, 0.95):.0f}" if ms else "")
        reads = [one["read"] for one in row["times"].values()]
        cells.append(f"{statistics.median(reads):,.0f}" if reads else "")
        unequal = sum(one["lines"] != truth[ask]["lines"] for ask, one in row["times"].items())
        cells.append(f"{unequal}" if reads else "")
        share = f"{size / raw['source']:.3f}"
        costs = f"{row['wall_s']:.1f} | {row['cpu_s']:.1f}"
        rows.append(f"| {name} | {share} | {costs} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Measure and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder of source files")
    parser.add_argument("--every", type=int, default=20, help="take every n-th file")
    parser.add_argument("--node", default="127.0.0.1:9200")
    parser.add_argument("--dry", action="store_true", help="write no record")
    options = parser.parse_args()
    host, _, port = options.node.partition(":")
    connection = Connection(Address(((host, int(port)),), "bench", timeout_s=300.0))
    files = list(Sampled(options.corpus, options.every).files())
    bench, questions = Bench(connection, files), chosen(read_questions())
    raw: Json = {"files": len(files), "source": bench.source, "contenders": {}}
    try:
        for contender in contenders():
            raw["contenders"][contender.name] = bench.build(contender)
        time.sleep(LEASE_S)
        for contender in contenders():
            raw["contenders"][contender.name]["bytes"] = bench.merge(contender)
        asked = [contender for contender in contenders() if contender.mapping]
        times = bench.times(asked, questions)
        for name, row in raw["contenders"].items():
            row["times"] = times.get(name, {})
    finally:
        for contender in contenders():
            connection.ask("DELETE", f"/{contender.index}", allowed={404})
    if not options.dry:
        command = command_line("benchmarks.cluster.patterns_fields")
        write_record("pattern-fields", command, raw, summary(raw), PACKAGES)
    print(summary(raw))


if __name__ == "__main__":
    main()
