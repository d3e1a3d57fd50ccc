"""CodeSearchNet: docstrings to functions (the test split), and the 99 judged queries.

The split, cleaned for GraphCodeBERT, comes as two files of JSON lines that agree by ``url``:

    test.jsonl       the docstrings of the functions asked for; their code is blank
    codebase.jsonl   the code of every function searched, test and valid; docstrings blank

The challenge comes as tables; its judgements name functions by address and line:

    queries.csv           query
    annotationStore.csv   Language, Query, GitHubUrl, Relevance
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plait.evaluation.fetch.docstrings import cut_docstring
from plait.evaluation.fetch.writing import write_judgements, write_lines

SAMPLE = 1000  # questions of the smaller set
Row = dict[str, Any]


def convert_split(raw: Path, made: Path) -> tuple[str, ...]:
    """Write every function, every query, and the judgements: all, and a sample of 1,000."""
    uncut = 0
    known: set[str] = set()

    def documents() -> Iterator[Row]:
        nonlocal uncut
        for function in _lines(raw / "codebase.jsonl"):
            code = function["code"]
            if function["language"] == "python":
                without = cut_docstring(code)
                uncut += without is None
                code = code if without is None else without
            key = _document_id(function["url"])
            if key not in known:
                known.add(key)
                yield _document(key, function, code)

    write_lines(made / "corpus.jsonl", documents())
    asked = {_query_id(case["url"]): case for case in _lines(raw / "test.jsonl")}
    texts = {key: summary(case["docstring"]) for key, case in asked.items()}
    pairs = {key: _document_id(case["url"]) for key, case in asked.items()}
    kept = [key for key in asked if texts[key] and pairs[key] in known]
    repeated = Counter(texts[key] for key in kept)
    write_lines(made / "queries.jsonl", ({"_id": key, "text": texts[key]} for key in kept))
    write_judgements(made, "test", ((key, pairs[key], 1) for key in kept))
    # The ids are hashes, so the first thousand in their order are a sample that never changes.
    sample = sorted(key for key in kept if repeated[texts[key]] == 1)[:SAMPLE]
    write_judgements(made, "test_1k", ((key, pairs[key], 1) for key in sample))
    notes = [f"{len(kept):,} of {len(asked):,} queries have a text and a function to find"]
    if uncut:
        notes.append(f"{uncut:,} functions have no docstring that could be cut out")
    return tuple(notes)


def summary(docstring: str) -> str:
    """What a docstring says first: its first paragraph, or all before the first ``@`` tag."""
    paragraph, gap, _ = docstring.partition("\n\n")
    if not gap:
        paragraph = docstring.partition("@")[0]
    return " ".join(paragraph.split())


def convert_challenge(raw: Path, made: Path) -> tuple[str, ...]:
    """Write the 99 queries, and the judgements of each language by address of the function.

    A grade is the mean over the people who gave one, rounded half up.
    """
    with (raw / "queries.csv").open(encoding="utf-8", newline="") as table:
        queries = [row["query"] for row in csv.DictReader(table)]
    ids = {text: f"q{number:02}" for number, text in enumerate(queries)}
    write_lines(made / "queries.jsonl", ({"_id": ids[text], "text": text} for text in queries))
    grades: defaultdict[str, defaultdict[tuple[str, str], list[int]]]
    grades = defaultdict(lambda: defaultdict(list))
    with (raw / "annotationStore.csv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            pair = ids[row["Query"]], row["GitHubUrl"]
            grades[row["Language"].lower()][pair].append(int(row["Relevance"]))
    for language, given in grades.items():
        rows = sorted((*pair, _rounded_mean(marks)) for pair, marks in given.items())
        write_judgements(made, language, rows)
    return ("there is no corpus: the judgements name functions by their addresses on GitHub",)


def _rounded_mean(marks: list[int]) -> int:
    return (2 * sum(marks) + len(marks)) // (2 * len(marks))


def _document(key: str, function: Row, code: str) -> Row:
    about = {name: function[name] for name in ("language", "repo", "path", "url")}
    return {"_id": key, "title": function["func_name"], "text": code, "metadata": about}


def _document_id(url: str) -> str:
    return f"c-{_hash(url)[:16]}"


def _query_id(url: str) -> str:
    return f"q-{_hash(url)[:10]}"


def _hash(url: str) -> str:
    """Ids by address stay the same whatever else a file holds."""
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


def _lines(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield json.loads(line)
