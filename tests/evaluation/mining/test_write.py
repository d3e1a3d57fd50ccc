"""The folder mining leaves behind, and what reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.dataset import Level
from plait.evaluation.load import load_dataset
from plait.evaluation.mining import Case, Mined, Options, mine, write_mined
from tests.evaluation.mining.histories import History


def case(number: int, *, symbols: tuple[str, ...] = ("a.py::f",)) -> Case:
    commit = f"{number:040x}"
    return Case(
        f"r-{number}", f"query {number}", commit, "2024", "s", "go", ("a.py",), symbols, True
    )


def written(folder: Path, *cases: Case) -> Mined:
    made = Mined("r", "somewhere", "f" * 40, Options(), 99, cases, {"merge": 3, "bot": 1})
    write_mined(folder, made)
    return made


def ids(path: Path) -> list[str]:
    return [line.split("\t")[0] for line in path.read_text("utf-8").splitlines()[1:]]


def test_the_summary_says_what_was_mined_and_how(tmp_path: Path) -> None:
    written(tmp_path, case(1))

    assert json.loads((tmp_path / "mined.json").read_text("utf-8")) == {
        "format": 1,
        "from": "history",
        "name": "r",
        "repository": "somewhere",
        "revision": "f" * 40,
        "language": "go",
        "languages": {"go": 1},
        "commits": 99,
        "cases": 1,
        "left_out": {"merge": 3, "bot": 1},
        "options": {
            "limit": 2000,
            "max_files": 20,
            "max_source_files": 5,
            "max_symbols": 10,
            "body": False,
        },
    }


def test_a_query_comes_with_its_commit(tmp_path: Path) -> None:
    written(tmp_path, case(1))

    assert json.loads((tmp_path / "queries.jsonl").read_text("utf-8")) == {
        "_id": "r-1",
        "text": "query 1",
        "metadata": {
            "commit": f"{1:040x}",
            "date": "2024",
            "subject": "s",
            "language": "go",
            "mentions_target": True,
            "split": case(1).split,
        },
    }


def test_answers_are_listed_whole_and_by_split(tmp_path: Path) -> None:
    cases = [case(number) for number in range(200)]
    written(tmp_path, *cases)
    qrels = tmp_path / "qrels"
    dev, test = ids(qrels / "symbols_dev.tsv"), ids(qrels / "symbols_test.tsv")

    assert (
        (qrels / "symbols.tsv")
        .read_text("utf-8")
        .startswith("query-id\tcorpus-id\tscore\nr-0\ta.py::f\t1\n")
    )
    assert ids(qrels / "files.tsv") == [one.id for one in cases]
    assert sorted(dev + test) == sorted(one.id for one in cases)
    assert 40 <= len(dev) <= 80  # three in ten
    assert ids(qrels / "files_dev.tsv") == dev


def test_a_case_without_symbols_is_asked_of_files_only(tmp_path: Path) -> None:
    written(tmp_path, case(1, symbols=()), case(2))

    assert ids(tmp_path / "qrels" / "symbols.tsv") == ["r-2"]
    assert ids(tmp_path / "qrels" / "files.tsv") == ["r-1", "r-2"]


def test_what_was_mined_can_be_loaded_and_every_answer_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(tmp_path / "r")
    history.commit("First", {"a.py": "def load():\n    return 1\n"})
    history.commit("Guard session rows by locks", {"a.py": "def load():\n    return 2\n"})
    repo = history.write()
    write_mined(tmp_path / "out", mine(repo, name="o/r", workers=1))
    monkeypatch.chdir(repo)
    dataset = load_dataset(tmp_path / "out")
    [part] = dataset.parts

    assert dataset.level is Level.SYMBOL
    assert (part.name, part.language) == ("o/r", "python")
    assert [question.text for question in part.questions] == ["Guard session rows by locks"]
    assert list(part.judgements.values()) == [{"a.py::load": 1}]
    assert load_dataset(tmp_path / "out", qrels="files").level is Level.FILE


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")

    with pytest.raises(EvaluationError, match="cannot write"):
        written(tmp_path / "taken")
