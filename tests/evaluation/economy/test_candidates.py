"""Candidates: the words an agent searches for, and where it looks first."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait.evaluation.economy.candidates import (
    MOST_WORDS,
    by_rarity,
    candidates,
    holding_all,
    telling_words,
)
from plait.evaluation.economy.ripgrep import Ripgrep
from plait.types import Span
from tests.sources.repositories import tree

pytestmark = pytest.mark.usefixtures("_ripgrep")


def paths(root: Path, *words: str) -> list[str]:
    return [file.path for file in candidates(words, Ripgrep(root))]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        pytest.param("how is the kettle heated", ["kettle", "heated"], id="no-stop-words"),
        pytest.param("heat with brewTea", ["brewTea", "heat"], id="a-name-by-case-first"),
        pytest.param("Heat brew_tea", ["brew_tea", "Heat"], id="a-name-by-underscore-first"),
        pytest.param(
            "a bug in kettle.heat.", ["kettle.heat", "bug", "kettle", "heat"], id="dotted-whole"
        ),
        pytest.param("Kettle::heat", ["Kettle::heat", "Kettle", "heat"], id="colons-whole"),
        pytest.param("HTTP API", ["HTTP", "API"], id="capitals-are-no-name"),
        pytest.param("tea tea Tea", ["tea"], id="once-each"),
        pytest.param("?!", [], id="nothing-to-look-for"),
    ],
)
def test_telling_words(question: str, words: list[str]) -> None:
    assert telling_words(question) == words


def test_a_long_question_is_searched_for_by_a_few_words() -> None:
    text = " ".join(f"{first}{second}" for first in "abcdef" for second in "uvwxyz")

    assert len(telling_words(f"{text} brew_tea")) == MOST_WORDS
    assert telling_words(f"{text} brew_tea")[0] == "brew_tea"


def test_names_come_first_then_rare_words_and_absent_ones_not_at_all(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"a.py": "tea\ntea\ncup\nbrewTea\nbrewTea\n"}))

    assert by_rarity(["tea", "cup", "milk", "brewTea"], rg) == ["brewTea", "cup", "tea"]


def test_more_of_the_words_go_before_more_lines(tmp_path: Path) -> None:
    files = {"a.py": "tea\n" * 9, "b.py": "tea\ncup\n", "c.py": "milk\n"}

    assert paths(tree(tmp_path, files), "tea", "cup") == ["b.py", "a.py"]


def test_a_path_that_names_a_word_counts(tmp_path: Path) -> None:
    files = {"a.py": "tea\ntea\n", "Tea/z.py": "tea\n"}

    assert paths(tree(tmp_path, files), "tea") == ["Tea/z.py", "a.py"]


def test_a_definition_goes_before_more_uses(tmp_path: Path) -> None:
    files = {"a.py": "brew_tea()\nbrew_tea()\n", "z.py": "def brew_tea():\n"}

    assert paths(tree(tmp_path, files), "brew_tea") == ["z.py", "a.py"]


def test_tests_and_documentation_wait(tmp_path: Path) -> None:
    files = {"README.md": "tea cup\n", "tests/a.py": "tea cup\n", "z.py": "tea\n"}

    assert paths(tree(tmp_path, files), "tea", "cup") == ["z.py", "README.md", "tests/a.py"]


def test_what_is_read_lies_around_the_densest_match(tmp_path: Path) -> None:
    rows = ["x"] * 200
    rows[9], rows[99], rows[110] = "tea", "tea", "cup"
    root = tree(tmp_path, {"a.py": "\n".join(rows)})
    (file,) = candidates(["tea", "cup"], Ripgrep(root))

    assert file.densest == 100
    assert file.lines(200) == Span(80, 120)
    assert file.lines(105) == Span(80, 105)


def test_words_further_away_than_is_read_do_not_count(tmp_path: Path) -> None:
    rows = ["x"] * 200
    rows[9], rows[30], rows[99], rows[119] = "tea", "cup", "tea", "cup"
    root = tree(tmp_path, {"a.py": "\n".join(rows)})

    assert candidates(["tea", "cup"], Ripgrep(root))[0].densest == 100


def test_of_equally_dense_matches_a_definition_then_the_first_is_read(tmp_path: Path) -> None:
    rows = ["x"] * 300
    rows[9] = rows[99] = "tea"
    plain = tree(tmp_path / "plain", {"a.py": "\n".join(rows)})
    rows[199] = "def tea():"
    defined = tree(tmp_path / "defined", {"a.py": "\n".join(rows)})

    assert candidates(["tea"], Ripgrep(plain))[0].densest == 10
    assert candidates(["tea"], Ripgrep(defined))[0].densest == 200


def test_files_that_hold_every_word(tmp_path: Path) -> None:
    files = {"c.py": "tea cup", "a.py": "cup\ntea", "b.py": "tea"}
    rg = Ripgrep(tree(tmp_path, files))

    assert holding_all(["tea", "cup"], rg) == ["a.py", "c.py"]
    assert holding_all(["tea", "milk"], rg) == []
