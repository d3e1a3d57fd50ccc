"""Converters: from what publishers publish to what runs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plait.evaluation.fetch.convert import CONVERTERS
from plait.evaluation.fetch.convert_codesearchnet import summary
from plait.evaluation.fetch.convert_swebench import changed_files
from plait.evaluation.fetch.docstrings import cut_docstring, function_name
from plait.evaluation.fetch.layout import check_layout
from plait.evaluation.load import load_dataset
from tests.sources.repositories import tree


@pytest.fixture
def made(tmp_path: Path) -> Path:
    folder = tmp_path / "made"
    folder.mkdir()
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def lines(values: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


# ---------------------------------------------------------------- CoSQA

DOCUMENTED = 'def add(a, b):\n    """Add two numbers."""\n    return a + b'
OLD = 'def shout(text):\n    """Print text."""\n    print text.upper()'
SILENT = "def nothing():\n    pass"


def test_cosqa_keeps_functions_with_and_without_docstrings(tmp_path: Path, made: Path) -> None:
    pair = {"idx": "cosqa-train-7", "doc": "sum python", "retrieval_idx": 1, "label": 1}
    other = {"idx": "cosqa-train-8", "doc": "print", "retrieval_idx": 0, "label": 1}
    raw = tree(
        tmp_path / "raw",
        {
            "code_idx_map.txt": json.dumps({DOCUMENTED: 1, SILENT: 2, OLD: 0}),
            "cosqa-retrieval-test-500.json": json.dumps([pair]),
            "cosqa-retrieval-dev-500.json": json.dumps([other]),
        },
    )
    (note,) = CONVERTERS["cosqa"](raw, made)
    whole, bare = rows(made / "corpus.jsonl"), rows(made / "corpus_nodoc.jsonl")

    assert [row["_id"] for row in whole] == ["c0", "c1", "c2"]
    assert [row["text"] for row in whole] == [OLD, DOCUMENTED, SILENT]
    assert [row["title"] for row in bare] == ["shout", "add", "nothing"]
    assert bare[0]["text"] == "def shout(text):\n    print text.upper()"
    assert bare[1]["text"] == "def add(a, b):\n    return a + b"
    assert bare[2]["text"] == SILENT
    assert note.startswith("1 of 3 functions")
    assert (made / "qrels/test.tsv").read_text().splitlines()[1:] == ["q-cosqa-train-7\tc1\t1"]
    assert (made / "qrels/dev.tsv").read_text().splitlines()[1:] == ["q-cosqa-train-8\tc0\t1"]
    assert check_layout(made) == (2, 3, 2)
    assert [question.text for _, question in load_dataset(made).questions()] == ["sum python"]


@pytest.mark.parametrize(
    ("code", "without"),
    [
        pytest.param('def f():\n  """one\n  two"""\n\n  go()', "def f():\n\n  go()", id="lines"),
        pytest.param('def f(): "doc"', "def f(): ", id="nothing-else"),
        pytest.param('def f(): "doc"; go()', "def f(): go()", id="one-line"),
        pytest.param('def f():\n  "doc"; go()', "def f():\n  go()", id="before-a-statement"),
        pytest.param("def f():\n  'é' 'ü' # c\n  go()", "def f():\n  # c\n  go()", id="bytes"),
        pytest.param('def f():\n  """d"""\n  exec x in y', "def f():\n  exec x in y", id="old"),
        pytest.param("async def f():\n  'd'\n  go()", "async def f():\n  go()", id="async"),
        pytest.param("def f():\n  '\\d'\n  go()", "def f():\n  go()", id="odd-escape"),
        pytest.param("def f():\n  go()", None, id="none"),
        pytest.param("def f((a, b)):\n  'd'\n  go()", None, id="unparsable-head"),
        pytest.param("x = 1", None, id="no-function"),
        pytest.param("", None, id="empty"),
    ],
)
def test_docstrings_are_cut(code: str, without: str | None) -> None:
    assert cut_docstring(code) == without


def test_a_function_is_named_even_if_only_its_head_parses() -> None:
    assert function_name("async def go(x):\n  'd'\n  print x") == "go"
    assert function_name("][") == ""


# ---------------------------------------------------------------- SWE-bench

PATCH = """\
diff --git a/src/old.py b/src/old.py
--- a/src/old.py
+++ b/src/old.py
@@ -1,2 +1,2 @@
--- a/not/a/name.py
+++ b/neither.py
 kept
diff --git a/src/new.py b/src/new.py
new file mode 100644
--- /dev/null
+++ b/src/new.py
@@ -0,0 +1 @@
+x = 1
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x = 1
\\ No newline at end of file
diff --git a/setup.cfg b/setup.cfg
--- a/setup.cfg
+++ b/setup.cfg
@@ -1 +1 @@
-a
+b
"""


def test_a_patch_changes_files_that_were_there() -> None:
    assert list(changed_files(PATCH)) == ["src/old.py", "gone.py", "setup.cfg"]


def test_swebench_keeps_issues_and_file_names_and_no_patch(tmp_path: Path, made: Path) -> None:
    published = {
        "instance_id": "o__n-1",
        "repo": "o/n",
        "base_commit": "f" * 40,
        "problem_statement": "It breaks\r\nwhen asked.\n",
        "patch": PATCH,
        "test_patch": "secret",
        "hints_text": "secret",
    }
    raw = tree(tmp_path / "raw", {"instances.jsonl": lines([published])})
    notes = CONVERTERS["swebench"](raw, made)
    (instance,) = rows(made / "instances.jsonl")
    (query,) = rows(made / "queries.jsonl")

    assert instance["relevant_files"] == ["gone.py", "src/old.py"]
    assert (instance["id"], instance["source"], instance["commit"]) == ("o__n-1", "o/n", "f" * 40)
    assert query["text"] == instance["query"] == "It breaks\r\nwhen asked."
    assert query["metadata"]["title"] == "It breaks"
    assert "1 changed files that are not Python" in notes[1]
    assert not any("secret" in path.read_text() for path in made.rglob("*.*"))
    assert check_layout(made) == (1, 0, 2)


# ---------------------------------------------------------------- CodeSearchNet


def function(name: str, language: str = "ruby", **more: str) -> dict[str, Any]:
    url = f"https://github.com/o/n/blob/c/{name}#L1-L2"
    about = {"url": url, "repo": "o/n", "path": name, "func_name": name, "language": language}
    return about | {"code": "", "docstring": ""} | more


def test_the_split_pairs_docstrings_with_functions(tmp_path: Path, made: Path) -> None:
    raw = tree(
        tmp_path / "raw",
        {
            "codebase.jsonl": lines(
                [
                    function("a", code="def a; end"),
                    function("b", code="def b; end"),
                    function("other", code="def other; end"),
                    function("a", code="def a; end"),
                ]
            ),
            "test.jsonl": lines(
                [
                    function("a", docstring="Say  it.\n\nIn full."),
                    function("b", docstring="Say it.\n@param x"),
                    function("other", docstring="Rest."),
                    function("lost", docstring="No code."),
                    function("c", docstring="@private"),
                ]
            ),
        },
    )
    (note,) = CONVERTERS["codesearchnet-split"](raw, made)
    ids = {row["title"]: row["_id"] for row in rows(made / "corpus.jsonl")}
    asked = {row["_id"]: row["text"] for row in rows(made / "queries.jsonl")}
    test = [line.split("\t") for line in (made / "qrels/test.tsv").read_text().splitlines()[1:]]
    sample = (made / "qrels/test_1k.tsv").read_text().splitlines()[1:]

    assert set(ids) == {"a", "b", "other"}
    assert [asked[question] for question, _, _ in test] == ["Say it.", "Say it.", "Rest."]
    assert [answer for _, answer, _ in test] == [ids["a"], ids["b"], ids["other"]]
    assert [line.split("\t")[1] for line in sample] == [ids["other"]]
    assert note == "3 of 5 queries have a text and a function to find"
    assert check_layout(made) == (3, 3, 4)


def test_python_functions_lose_the_docstring_they_are_asked_by(tmp_path: Path, made: Path) -> None:
    raw = tree(
        tmp_path / "raw",
        {
            "codebase.jsonl": lines([function("add", "python", code=DOCUMENTED)]),
            "test.jsonl": lines([function("add", "python", docstring="Add two numbers.")]),
        },
    )
    CONVERTERS["codesearchnet-split"](raw, made)

    assert rows(made / "corpus.jsonl")[0]["text"] == "def add(a, b):\n    return a + b"


@pytest.mark.parametrize(
    ("docstring", "said"),
    [
        ("One\n two.\n\nThree.", "One two."),
        ("One. @param two", "One."),
        ("Mail a@b\n\nmore", "Mail a@b"),
        ("", ""),
    ],
)
def test_a_summary_is_the_first_paragraph_or_all_before_a_tag(docstring: str, said: str) -> None:
    assert summary(docstring) == said


def test_the_challenge_rounds_the_mean_of_its_judges_half_up(tmp_path: Path, made: Path) -> None:
    table = "Language,Query,GitHubUrl,Relevance,Notes\n"
    table += "Go,priority queue,https://x/1,1,\nGo,priority queue,https://x/1,2,\n"
    table += 'Go,"sort, fast",https://x/2,0,"no, ""really"""\nPHP,priority queue,https://x/3,3,\n'
    raw = tree(
        tmp_path / "raw",
        {"queries.csv": 'query\n"sort, fast"\npriority queue\n', "annotationStore.csv": table},
    )
    (note,) = CONVERTERS["codesearchnet-challenge"](raw, made)

    assert rows(made / "queries.jsonl")[0] == {"_id": "q00", "text": "sort, fast"}
    assert (made / "qrels/go.tsv").read_text().splitlines()[1:] == [
        "q00\thttps://x/2\t0",
        "q01\thttps://x/1\t2",
    ]
    assert (made / "qrels/php.tsv").read_text().splitlines()[1:] == ["q01\thttps://x/3\t3"]
    assert "no corpus" in note
    assert check_layout(made) == (2, 0, 3)
