"""The layout: a fault is named by file and line before anything is installed."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.fetch.layout import check_layout
from tests.sources.repositories import tree

BEIR = {
    "queries.jsonl": '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "two"}\n',
    "corpus.jsonl": '{"_id": "d1", "text": "a"}\n{"_id": "d2", "text": "b"}\n',
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t0\n",
}
REPO = {
    "name": "tea",
    "language": "python",
    "url": "https://github.com/o/tea.git",
    "revision": "a" * 40,
}
ANNOTATED = {
    "repos.json": json.dumps([REPO]),
    "annotations/tea.json": json.dumps([{"query": "q", "relevant": ["a.py"], "secondary": []}]),
}


def test_what_a_dataset_holds_is_counted(tmp_path: Path) -> None:
    assert check_layout(tree(tmp_path / "beir", BEIR)) == (2, 2, 2)
    assert check_layout(tree(tmp_path / "annotated", ANNOTATED)) == (1, 0, 1)


def test_a_collection_is_the_sum_of_its_folders(tmp_path: Path) -> None:
    both = {f"{name}/{path}": text for name in ("x", "y") for path, text in BEIR.items()}

    assert check_layout(tree(tmp_path, both | {"README.md": "# Both"})) == (4, 4, 4)


def test_without_a_corpus_answers_are_names_of_something_elsewhere(tmp_path: Path) -> None:
    files = {path: text for path, text in BEIR.items() if path != "corpus.jsonl"}

    assert check_layout(tree(tmp_path, files)) == (2, 0, 2)


def test_compressed_files_are_read(tmp_path: Path) -> None:
    tree(tmp_path, BEIR)
    (tmp_path / "corpus.jsonl").unlink()
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(BEIR["corpus.jsonl"].encode()))

    assert check_layout(tmp_path) == (2, 2, 2)


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq9\td1\t1\n", "line 3.*'q9'"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td9\t1\n", "line 2.*document 'd9'"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\tyes\n", "line 2: not question"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\n", "line 2: not question"),
        ("qrels/test.tsv", "q1\td1\t1\n", "line 1: not the header"),
        ("qrels/test.tsv", "", "line 1: not the header"),
        ("queries.jsonl", '{"_id": "q1", "text": "one"}\n{"_id": ', r"queries\.jsonl, line 2"),
        ("queries.jsonl", '{"_id": "q1"}\n', "line 1: no _id and text"),
        ("queries.jsonl", '{"_id": 1, "text": "one"}\n', "line 1: no _id and text"),
        ("corpus.jsonl", '{"_id": "d1", "text": "a"}\n' * 2, "line 2: the id 'd1' is there twice"),
        ("corpus_nodoc.jsonl", '{"_id": "d1", "text": "a"}\n', r"corpus_nodoc\.jsonl has no"),
        ("corpus.jsonl.gz", "not compressed", r"corpus\.jsonl\.gz, line 0"),
    ],
)
def test_a_fault_is_named_by_file_and_line(
    tmp_path: Path, path: str, text: str, words: str
) -> None:
    tree(tmp_path, BEIR | {path: text})

    with pytest.raises(EvaluationError, match=words):
        check_layout(tmp_path)


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("repos.json", "[", "cannot read"),
        ("repos.json", "{}", "not a list"),
        ("repos.json", json.dumps([REPO | {"revision": "main"}]), "'main' is no commit"),
        ("repos.json", json.dumps([REPO | {"url": None}]), "repository 1: it has no url"),
        ("repos.json", json.dumps([REPO, REPO]), "tea is there twice"),
        ("repos.json", json.dumps([REPO, REPO | {"name": "x"}]), r"cannot read .*x\.json"),
        ("annotations/tea.json", '[{"query": "q"}]', "question 1: it has no query or no relevant"),
        ("annotations/stray.json", "[]", "does not name stray"),
    ],
)
def test_annotations_and_repositories_must_agree(
    tmp_path: Path, path: str, text: str, words: str
) -> None:
    tree(tmp_path, ANNOTATED | {path: text})

    with pytest.raises(EvaluationError, match=words):
        check_layout(tmp_path)


def test_a_folder_that_is_no_dataset_is_told_what_one_is(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="is no dataset"):
        check_layout(tmp_path)
    with pytest.raises(EvaluationError, match="has no judgements"):
        check_layout(tree(tmp_path, {"queries.jsonl": BEIR["queries.jsonl"]}))


@pytest.mark.parametrize("name", ["agent63", "csn99-ruby", "gitloc", "swebench-lite-loc"])
def test_shared_datasets_have_the_layout(shared: Path, name: str) -> None:
    assert check_layout(shared / "data" / name).questions > 0
