"""Small datasets of our own in every layout the harness reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.sources.repositories import repository

DOCUMENTS = [
    ("d1", "open_socket", "def open_socket(host, port):\n    return connect(host, port)\n"),
    ("d2", "parse_date", "def parse_date(text):\n    return strptime(text)\n"),
    ("d3", "read_config", "def read_config(path):\n    return toml.load(path)\n"),
    ("d4", "close", "def close(connection):\n    connection.shutdown()\n"),
]
QUERIES = [
    ("q1", "open a socket to a host"),
    ("q2", "parse a date"),
    ("q3", "zzzz qqqq"),
    ("q4", "shut a connection down"),
]
JUDGED = {"q1": {"d1": 2, "d4": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}, "q4": {"d4": 1}}

SHOP = {
    "shop/cart.py": (
        "class Cart:\n"
        "    def add(self, item):\n        self.items.append(item)\n\n"
        "    def total_price(self):\n        return sum(self.items)\n"
    ),
    "shop/mail.py": "def send_receipt(address):\n    post(address)\n",
    "tests/test_cart.py": "def test_total_price():\n    assert Cart().total_price() == 0\n",
}


def json_lines(path: Path, values: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")


def judge(path: Path, judged: Mapping[str, Mapping[str, int]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{q}\t{a}\t{g}" for q, answers in judged.items() for a, g in answers.items()]
    path.write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n", encoding="utf-8")


def beir(folder: Path) -> Path:
    """Four documents, four questions, one of which nothing can answer."""
    json_lines(
        folder / "corpus.jsonl",
        [
            {"_id": i, "title": t, "text": x, "metadata": {"language": "python"}}
            for i, t, x in DOCUMENTS
        ],
    )
    json_lines(folder / "queries.jsonl", [{"_id": i, "text": t} for i, t in QUERIES])
    judge(folder / "qrels" / "test.tsv", JUDGED)
    judge(folder / "qrels" / "dev.tsv", {"q2": {"d2": 1}})
    return folder


def agent(folder: Path, clones: Path) -> Path:
    """Two repositories in one language, in agent63's layout, and their clones."""
    repos = []
    for name in ("alpha", "beta"):
        repository(clones / f"owner+{name}" / "repo", SHOP)
        repos.append(
            {
                "name": name,
                "language": "python",
                "url": f"https://example.org/owner/{name}.git",
                "revision": "HEAD",
                "benchmark_root": "shop" if name == "alpha" else None,
            }
        )
        cases = [
            {
                "query": "total price of the cart",
                "relevant": [{"path": "shop/cart.py", "start_line": 5, "end_line": 6}],
                "secondary": ["shop/mail.py"],
                "category": "semantic",
            },
            {"query": "send_receipt", "relevant": ["mail.py"], "category": "symbol"},
        ]
        annotations = folder / "annotations" / f"{name}.json"
        annotations.parent.mkdir(parents=True, exist_ok=True)
        annotations.write_text(json.dumps(cases), encoding="utf-8")
    (folder / "repos.json").write_text(json.dumps(repos), encoding="utf-8")
    return folder
