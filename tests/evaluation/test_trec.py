"""TREC files: what is written reads back, and other tools' files are read as they are meant."""

from __future__ import annotations

from pathlib import Path

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.errors import EvaluationError
from plait.evaluation.measures import per_question
from plait.evaluation.runs import Outcome, Run
from plait.evaluation.trec import (
    escape,
    export,
    import_run,
    read_qrels,
    read_run,
    unescape,
    write_qrels,
    write_run,
)

FOUND = Outcome(
    *("lexical", "flask", "python", "dev", "symbol", "q 1", "where is it"),
    {"a b.py": 2, "c.py": 0},
    ("x.py", "a b.py"),
    {},
    (),
    1.5,
    2.5,
)
MISSED = FOUND._replace(question="q2", ranking=())


def run_of(*outcomes: Outcome, level: str = "file") -> Run:
    return Run(Path("runs/one"), {"dataset": {"level": level}}, outcomes)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8", newline="")
    return path


# ---------------------------------------------------------------- ids


@given(st.text(min_size=1))
def test_an_escaped_id_is_one_word_and_reads_back(name: str) -> None:
    assert escape(name).split() == [escape(name)]
    assert unescape(escape(name)) == name


@pytest.mark.parametrize(
    ("name", "word"),
    [("a b", "a%20b"), ("50%", "50%25"), ("a%20b", "a%2520b"), ("\u3000", "%E3%80%80")],
)
def test_white_space_and_percent_signs_are_escaped(name: str, word: str) -> None:
    assert escape(name) == word


def test_other_percent_signs_of_other_tools_are_left_alone() -> None:
    assert unescape("%41%zz%2") == "%41%zz%2"


def test_an_empty_id_is_refused() -> None:
    with pytest.raises(EvaluationError, match="empty id"):
        escape("")


# ---------------------------------------------------------------- runs

names = st.text(min_size=1, max_size=6)


@given(st.dictionaries(names, st.lists(names, min_size=1, max_size=4, unique=True), max_size=4))
def test_rankings_read_back(
    tmp_path_factory: pytest.TempPathFactory, rankings: dict[str, list[str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "rankings"
    write_run(path, rankings, "my tag")

    assert read_run(path) == rankings


def test_a_run_is_written_as_others_read_it(tmp_path: Path) -> None:
    write_run(tmp_path / "run", {"q1": ["a", "b c"]}, "plait lexical")

    assert (tmp_path / "run").read_text("utf-8") == (
        "q1 Q0 a 1 2 plait%20lexical\nq1 Q0 b%20c 2 1 plait%20lexical\n"
    )
    theirs = ir_measures.read_trec_run(str(tmp_path / "run"))  # type: ignore[no-untyped-call]
    assert [tuple(line) for line in theirs] == [("q1", "a", 2.0), ("q1", "b%20c", 1.0)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param("q Q0 b 2 9.5 t\nq Q0 a 1 9.5 t\n", "ab", id="rank-decides"),
        pytest.param("q Q0 b 1 1 t\nq Q0 a 1 3e0 t\n", "ab", id="score-where-ranks-tie"),
        pytest.param("q Q0 b 0 1 t\nq Q0 a 0 1 t\n", "ba", id="line-where-both-tie"),
        pytest.param("q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n", "ab", id="listed-twice"),
        pytest.param(
            "\ufeffq\tQ0\ta  1 2 t\r\n\r\nq Q0 b 2 1 t", "ab", id="tabs-and-other-endings"
        ),
        pytest.param("q Q0 b 10 1 t\nq Q0 a 9 1 t\n", "ab", id="ranks-are-numbers"),
    ],
)
def test_another_tools_run_is_put_in_order(tmp_path: Path, lines: str, expected: str) -> None:
    assert read_run(written(tmp_path, lines)) == {"q": list(expected)}


@pytest.mark.parametrize(
    "line", ["q Q0 a 1 2", "q Q0 a first 2 t", "q Q0 a 1 nan t", "q Q0 a 1 x t"]
)
def test_a_malformed_line_of_a_run_is_named(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"q Q0 b 1 2 t\n\n{line}\n")

    with pytest.raises(EvaluationError, match=r"file, line 3: expected .*, got 'q Q0 a") as caught:
        read_run(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"cannot be read: .*No such file"):
        read_run(tmp_path / "none")


def test_a_file_that_is_no_text_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"q 0 \xff 1\n")

    with pytest.raises(EvaluationError, match="cannot be read"):
        read_qrels(tmp_path / "file")


# ---------------------------------------------------------------- judgements

grades = st.dictionaries(names, st.integers(-2, 5), min_size=1, max_size=4)


@given(st.dictionaries(names, grades, max_size=4))
def test_judgements_read_back(
    tmp_path_factory: pytest.TempPathFactory, judgements: dict[str, dict[str, int]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "judgements"
    write_qrels(path, judgements)

    assert read_qrels(path) == judgements


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("q1 0 a%20b 2\nq2 0 c 0\n", id="trec"),
        pytest.param("query-id\tcorpus-id\tscore\nq1\ta b\t2\nq2\tc\t0\n", id="beir"),
    ],
)
def test_both_forms_of_judgements_are_read(tmp_path: Path, lines: str) -> None:
    assert read_qrels(written(tmp_path, lines)) == {"q1": {"a b": 2}, "q2": {"c": 0}}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("q 0 a 1\nq 0 b", "line 2: expected question 0 document grade, got 'q 0 b'"),
        ("q 0 a high", "line 1: expected question 0 document grade"),
        ("query-id\tcorpus-id\tscore\nq 0 a 1", "line 2: expected question, document, grade betw"),
        ("q 0 a 1\nq 0 a 2", "line 2: expected grade 1 as before"),
    ],
)
def test_a_malformed_judgement_is_named(tmp_path: Path, lines: str, complaint: str) -> None:
    with pytest.raises(EvaluationError, match=f"file, {complaint}"):
        read_qrels(written(tmp_path, lines))


# ---------------------------------------------------------------- whole runs


def test_an_exported_run_can_be_imported_and_measures_the_same(tmp_path: Path) -> None:
    run = run_of(FOUND, MISSED, FOUND._replace(mode="dense/v1"))
    files = export(run, tmp_path / "new" / "folder")
    imported = import_run(files[1], files[0], like=run.outcomes, mode="lexical")

    assert [file.name for file in files] == ["qrels.trec", "lexical.trec", "dense%2Fv1.trec"]
    assert [o._replace(cpu_ms=1.5, wall_ms=2.5) for o in imported] == [FOUND, MISSED]
    assert per_question(imported, "RR") == {"q 1": 1 / 2, "q2": 0.0}


def test_an_imported_run_needs_nothing_but_its_files(tmp_path: Path) -> None:
    files = export(run_of(FOUND, MISSED), tmp_path)
    imported = import_run(files[1], files[0])

    assert [(o.mode, o.question, o.part) for o in imported] == [
        ("lexical", "q 1", ""),
        ("lexical", "q2", ""),
    ]


def test_targets_cannot_be_exported(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="run one cannot be written as TREC files"):
        export(run_of(FOUND, level="target"), tmp_path)
