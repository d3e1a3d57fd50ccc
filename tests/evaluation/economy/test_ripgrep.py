"""ripgrep over a tree: what it finds, and how its failures are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plait.errors import EvaluationError
from plait.evaluation.economy.ripgrep import MAX_COLUMNS, Match, Ripgrep, version
from tests.sources.repositories import tree

pytestmark = pytest.mark.usefixtures("_ripgrep")


def test_every_line_that_holds_the_word_is_found_whatever_its_case(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"b.py": "x\nsteep_Time = 3\n", "a/c.go": "STEEP\nsteeped()\n"}))

    assert rg.matches("steep") == (
        Match("a/c.go", 1, "STEEP"),
        Match("a/c.go", 2, "steeped()"),
        Match("b.py", 2, "steep_Time = 3"),
    )
    assert str(rg.matches("steep_time")[0]) == "b.py:2:steep_Time = 3"
    assert rg.matches("coffee") == ()


@pytest.mark.parametrize("word", ["tea.pot", "-pot", "tea|pot", "(", "\\d"])
def test_a_word_is_taken_literally(word: str, tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"a.txt": f"teapot 7\n{word}\n"}))

    assert [match.line for match in rg.matches(word)] == [2]


def test_no_ignore_file_and_no_leading_dot_takes_anything_away(tmp_path: Path) -> None:
    files = {".ignore": "*\n", ".gitignore": "*\n", ".rgignore": "*\n", ".github/a.yml": "brew: 1"}
    rg = Ripgrep(tree(tmp_path, {**files, "b.py": "brew()"}))

    assert [match.path for match in rg.matches("brew")] == [".github/a.yml", "b.py"]


def test_odd_names_and_bytes_are_no_trouble(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"a:1:b.py": "tea: 1\r\ncaf\udce9 tea\r\n"}))

    assert rg.matches("tea") == (Match("a:1:b.py", 1, "tea: 1"), Match("a:1:b.py", 2, "caf� tea"))
    assert rg.lines("a:1:b.py") == ("tea: 1", "caf� tea")


def test_a_long_line_is_cut(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"min.js": f"tea{'x' * 90_000}\n"}))

    assert rg.matches("tea")[0].text.startswith("teax")
    assert len(rg.matches("tea")[0].text) < MAX_COLUMNS + 100


def test_lines_are_numbered_as_ripgrep_numbers_them(tmp_path: Path) -> None:
    rg = Ripgrep(tree(tmp_path, {"a.txt": "one\rstill one\x0c\x85\u2028still\ntea\n\n"}))

    assert rg.lines("a.txt")[rg.matches("tea")[0].line - 1] == "tea"
    assert len(rg.lines("a.txt")) == 3


def test_a_machine_without_ripgrep_is_told_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="ripgrep is not installed") as caught:
        Ripgrep(tmp_path, program="no-such-rg").matches("tea")

    assert "install the package ripgrep" in caught.value.hint
    with pytest.raises(EvaluationError, match="ripgrep is not installed"):
        version("no-such-rg")


def test_its_version_is_told() -> None:
    assert re.match(r"ripgrep \d+\.\d+", version())


def test_a_search_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"ripgrep could not be run: .*timed out"):
        Ripgrep(tmp_path, timeout_s=1e-9).matches("tea")


def test_a_tree_that_is_gone_is_not_taken_for_a_missing_ripgrep(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"failed on 'tea': .*gone.*No such file"):
        Ripgrep(tmp_path / "gone").matches("tea")


def test_what_the_program_complains_of_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="ripgrep failed on 'tea': unknown option"):
        Ripgrep(tmp_path, program="git").matches("tea")
