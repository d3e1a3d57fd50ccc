"""Query: from the text of a question to results with reasons and snippets, against tantivy.

Bare tantivy is the same engine over the same index and the same terms, asked for its best
hundred documents and nothing else: no parsing, no folding, no text, no reasons.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.speed.clock import best_cpu_ms, percentile
from plait.assembly import lexical_lane
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.stores.embedded.words import open_index, translate
from plait.types import Answer, Query

BARE_DEPTH = 100


def query_times(folder: Path, queries: list[str], rounds: int) -> dict[str, object]:
    """CPU milliseconds of each query, whole and bare, best of several rounds."""
    lexical = lexical_lane(Settings())
    snapshot = EmbeddedStore(folder, lexical.analysis).snapshot()
    searcher = Searcher(snapshot, [lexical])
    words = next((folder / "generations").iterdir()) / "words"
    bare = open_index(words).searcher()

    def answer(text: str) -> Answer:
        parsed = parse(text)
        return searcher.search(Query(text, parsed.wanted), parsed.hints)

    raw: list[tuple[str, float, float]] = []
    for text in queries:
        asked = translate(lexical.ask(Query(text, parse(text).wanted), snapshot).wanted)
        whole = best_cpu_ms(lambda: answer(text), rounds)  # noqa: B023 - called at once
        alone = best_cpu_ms(
            lambda: bare.search(asked, BARE_DEPTH, count=False).hits,  # noqa: B023 - at once
            rounds,
        )
        raw.append((text, whole, alone))
    ours = [whole for _, whole, _ in raw]
    theirs = [alone for _, _, alone in raw]
    return {
        "chunks": snapshot.statistics().chunks,
        "segments": bare.num_segments,
        "plait_p50_ms": percentile(ours, 0.5),
        "plait_p99_ms": percentile(ours, 0.99),
        "bare_p50_ms": percentile(theirs, 0.5),
        "bare_p99_ms": percentile(theirs, 0.99),
        "p50_ratio": percentile(ours, 0.5) / percentile(theirs, 0.5),
        "p99_ratio": percentile(ours, 0.99) / percentile(theirs, 0.99),
        "query_plait_bare": raw,
    }


def open_times(folder: Path, rounds: int) -> dict[str, float]:
    """CPU milliseconds to open an index and answer a first query."""
    lexical = lexical_lane(Settings())

    def opened() -> None:
        EmbeddedStore(folder, lexical.analysis).snapshot().close()

    def first_answer() -> None:
        snapshot = EmbeddedStore(folder, lexical.analysis).snapshot()
        wanted = parse("parse the configuration file").wanted
        Searcher(snapshot, [lexical]).search(Query("", wanted))

    return {
        "open_cpu_ms": best_cpu_ms(opened, rounds),
        "open_and_answer_cpu_ms": best_cpu_ms(first_answer, rounds),
    }
