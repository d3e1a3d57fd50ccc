"""The page of examples and the comparison with a peer, as far as they reckon."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from benchmarks.examples_page import Asked, Example, page
from benchmarks.peers import figures, written
from plait.types import Answer, Chunk, ChunkId, Excerpt, Query, Reason, Result, Span, Symbol, Text

EXAMPLE = Example("log out", ("logout", "View"), ("hybrid",), "**Fusion wins.**")


def answer(*names: str) -> Answer:
    results = []
    for rank, name in enumerate(names, start=1):
        symbol = Symbol(name.rpartition(".")[2], "function", Span(7, 9), name.rpartition(".")[0])
        chunk = Chunk(
            ChunkId("r", f"{name}.py", 0), "python", Span(7, 9), Excerpt(0, 0, ""), symbol
        )
        results.append(Result(rank, chunk, Reason(f"score of {name}", 1.0), "", Span(7, 9)))
    return Answer(Query("log out", Text("log out")), 1, tuple(results))


ASKED = Asked(
    EXAMPLE,
    {
        "lexical": answer("log", "logout"),
        "dense": answer("log", "write"),
        "hybrid": answer("View.get", "logout"),
    },
)


def test_a_part_of_what_is_wanted_counts_and_what_is_not_there_has_no_place() -> None:
    assert ASKED.places() == {"lexical": 2, "dense": 0, "hybrid": 1}
    assert ASKED.best() == ("hybrid",)


def test_the_page_has_every_place_and_the_account_of_the_first_hybrid_result() -> None:
    text = page([ASKED], "Four packages.")
    assert "| `log out` | 2 | not in 20 | **1** |" in text
    assert (
        "| 1 | `log.py:7`<br>`log` | `log.py:7`<br>`log` | `View.get.py:7`<br>`View.get` |" in text
    )
    assert "1.0000  score of View.get\n" in text


def test_of_each_question_the_least_time_counts() -> None:
    found = figures({"way": [[9.0, 1.0], [2.0, 8.0], [3.0, 7.0]]})["way"]
    assert found == {"p50": 2.0, "p95": 3.0, "p99": 3.0, "median of all": 7.0}


def test_functions_go_back_into_their_files_in_order(tmp_path: Path) -> None:
    rows = [
        {"text": "def b(): ...\n", "metadata": {"repo": "o/r", "path": "x/m.py", "start_line": 9}},
        {"text": "def a(): ...", "metadata": {"repo": "o/r", "path": "x/m.py", "start_line": 2}},
    ]
    with gzip.open(tmp_path / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    tree = written(tmp_path / "corpus.jsonl.gz", tmp_path / "tree")
    assert (tree / "o/r/x/m.py").read_text(encoding="utf-8") == "def a(): ...\n\n\ndef b(): ...\n"
