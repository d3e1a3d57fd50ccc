"""Query: from the text of a question to results with reasons and snippets, against tantivy.

Bare tantivy is the same engine over the same index, asked for its best hundred documents and
nothing else: no parsing, no folding, no text, no reasons. It is asked twice: with every word
of the question, as who calls it directly would ask it, and with just the terms plait asks
for, which leave out words that tell nothing.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.speed.clock import best_cpu_ms, percentile
from plait.assembly import lexical_lane
from plait.lanes import tokens
from plait.search.parse import parse
from plait.search.searcher import Searcher
from plait.settings import Settings
from plait.stores.embedded.store import EmbeddedStore
from plait.stores.embedded.words import open_index, translate
from plait.types import Answer, Expression, Or, Query, Term

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

    def bare_ms(wanted: Expression) -> float:
        asked = translate(wanted)
        return best_cpu_ms(lambda: bare.search(asked, BARE_DEPTH, count=False).hits, rounds)

    raw: list[tuple[str, float, float, float]] = []
    for text in queries:
        every_word = dict.fromkeys(tokens.analyse(text).split())
        same_terms = lexical.ask(Query(text, parse(text).wanted), snapshot).wanted
        raw.append(
            (
                text,
                best_cpu_ms(lambda: answer(text), rounds),  # noqa: B023 - called at once
                bare_ms(Or(tuple(Term(word) for word in every_word))),
                bare_ms(same_terms),
            )
        )
    times = {
        "plait": [row[1] for row in raw],
        "bare": [row[2] for row in raw],
        "bare_same_terms": [row[3] for row in raw],
    }
    shares = {"p50": 0.5, "p99": 0.99}
    found = {
        f"{name}_{label}_ms": percentile(values, share)
        for name, values in times.items()
        for label, share in shares.items()
    }
    ratios = {
        f"{label}_ratio{suffix}": found[f"plait_{label}_ms"] / found[f"bare{suffix}_{label}_ms"]
        for label in shares
        for suffix in ("", "_same_terms")
    }
    return {
        "chunks": snapshot.statistics().chunks,
        "segments": bare.num_segments,
        **found,
        **ratios,
        "query_plait_bare_same": raw,
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
