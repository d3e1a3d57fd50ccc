"""Documentation in, cases out; written, loaded and asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plait.errors import EvaluationError
from plait.evaluation.dataset import Level
from plait.evaluation.load import load_dataset
from plait.evaluation.mining import DocOptions, MinedDocs, mine_docs, write_mined
from plait.evaluation.mining.docs.cases import split_of
from plait.evaluation.runner import Plan, run
from plait.interfaces.cli.evaluation.mine import mine
from plait.settings import Settings

GUIDE = """
Closing connections
===================

A :class:`~kettle.Pool` ends idle connections after some seconds. More about :func:`boil`.

Names elsewhere
===============

An :class:`other.Lid` and a :class:`Cup` keep steam inside the vessel for long.

Again
=====

See :func:`boil`.
"""
FILES = {
    "docs/guide.rst": GUIDE,
    "docs/changelog.rst": "1.0\n===\n\nThe :class:`Pool` ends idle connections after seconds.\n",
    "README.md": "# Kettle\n\n## Steam pressure\n\nWhistles loudly when `boil()` has hot steam.\n",
    "kettle/__init__.py": '"""Brews fine tea slowly by :class:`Pool` objects."""\n',
    "kettle/pool.py": '"""Idle :class:`Pool` objects wait outside."""\n\nclass Pool:\n    x = 1\n',
    "kettle/heat.py": "def boil():\n    return 1\n",
    "tests/test_pool.py": "class Pool:\n    # idle connections end after seconds\n    pass\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "trees" / "kettle" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path / "trees" / "kettle"


@pytest.fixture
def mined(tree: Path) -> MinedDocs:
    return mine_docs(tree, workers=1)


def test_sections_ask_for_what_they_name(mined: MinedDocs) -> None:
    cases = {case.path: case for case in mined.cases}

    assert cases["docs/guide.rst"].text == (
        "Closing connections: A ends idle connections after some seconds"
    )
    assert cases["docs/guide.rst"].symbols == ("kettle/pool.py::Pool", "kettle/heat.py::boil")
    assert cases["README.md"].text == "Steam pressure: Whistles loudly when has hot steam"
    assert cases["README.md"].files == ("kettle/heat.py",)
    assert set(cases) == {"docs/guide.rst", "README.md", "kettle/__init__.py"}


def test_what_is_no_case_is_counted_by_its_reason(mined: MinedDocs) -> None:
    assert mined.left_out == {
        "names its own file": 1,
        "names what is not here, or not one thing": 1,
        "says too little": 1,
    }
    assert mined.sections == len(mined.cases) + 3


def test_a_case_taken_from_code_says_which_file_is_no_answer(mined: MinedDocs) -> None:
    assert {case.path: case.without for case in mined.cases} == {
        "docs/guide.rst": "",
        "README.md": "",
        "kettle/__init__.py": "kettle/__init__.py",
    }


def test_the_limit_keeps_the_same_cases_whatever_their_order(tree: Path) -> None:
    whole = [case.id for case in mine_docs(tree, workers=1).cases]
    few = mine_docs(tree, workers=1, options=DocOptions(limit=2))

    assert [case.id for case in few.cases] == whole[:2]
    assert few.left_out["more than the limit"] == 1


def test_cases_of_a_package_are_all_on_one_side(mined: MinedDocs) -> None:
    assert {case.split for case in mined.cases} == {split_of("kettle")}
    assert {split_of(f"package{number}") for number in range(50)} == {"dev", "test"}


def test_they_are_asked_of_everything_but_documentation(
    mined: MinedDocs, tree: Path, tmp_path: Path
) -> None:
    write_mined(tmp_path / "cases" / "kettle", mined)
    dataset = load_dataset(tmp_path / "cases", qrels="files", repos=tree.parent)
    plan = Plan(dataset, ["lexical"], Settings(), tmp_path / "run", tmp_path / "indexes")
    outcomes = {outcome.question: outcome for outcome in run(plan).outcomes}
    found = {path for outcome in outcomes.values() for path in outcome.ranking}
    (own,) = (case.id for case in mined.cases if case.without)

    assert dataset.level is Level.FILE
    assert dataset.parts[0].split == split_of("kettle")
    assert "tests/test_pool.py" in found
    assert not {"README.md", "docs/guide.rst"} & found
    assert "kettle/__init__.py" not in outcomes[own].ranking
    assert "kettle/__init__.py" not in [one.answer for one in outcomes[own].shown]


def test_packages_of_the_other_side_are_left_out(mined: MinedDocs, tree: Path) -> None:
    folder = tree.parent.parent / "cases"
    write_mined(folder / "kettle", mined)
    other = next(f"p{n}" for n in range(99) if split_of(f"p{n}") != split_of("kettle"))
    (tree.parent / other).symlink_to(tree)
    write_mined(folder / other, mine_docs(tree, name=other, workers=1))
    side = f"files_{split_of('kettle')}"
    dataset = load_dataset(folder, qrels=side, repos=tree.parent)

    assert [part.name for part in dataset.parts] == ["kettle"]


def test_a_folder_that_lies_elsewhere_must_be_named(mined: MinedDocs, tmp_path: Path) -> None:
    write_mined(tmp_path / "cases", mined)

    with pytest.raises(EvaluationError, match="a folder that lies elsewhere"):
        load_dataset(tmp_path / "cases", repos=None)
    with pytest.raises(EvaluationError, match="a folder that lies elsewhere"):
        load_dataset(tmp_path / "cases", repos=tmp_path)


def test_the_command_counts_sections(tree: Path, tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(mine)
    out = str(tmp_path / "out")
    done = CliRunner().invoke(app, [str(tree), "--from", "docs", "--out", out])
    as_json = CliRunner().invoke(
        app, [str(tree), "--from", "docs", "--out", out, "--format", "json", "-n", "1"]
    )

    assert done.stdout.splitlines()[0] == "kettle: 3 cases of 6 sections (3 python)"
    assert (json.loads(as_json.stdout)["sections"], json.loads(as_json.stdout)["cases"]) == (6, 1)
    assert json.loads((tmp_path / "out" / "mined.json").read_text())["from"] == "docs"
