"""The pattern sets, and what compares engines on them."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
import re2

from benchmarks.patterns.edits import Editor
from benchmarks.patterns.questions import KINDS, read_questions
from benchmarks.patterns.random_patterns import Lines
from benchmarks.patterns.same_lines import difference
from benchmarks.patterns.summary import grouped
from plait.types import Pattern

QUESTIONS = read_questions()
NAMES = ("regex word a b", "regex empty ^$", "substring word x")


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_at_least_sixty_questions_of_each_kind(kind: str) -> None:
    assert len({q.text for q in QUESTIONS if q.kind == kind}) >= 60


def test_every_question_has_a_name_of_its_own_and_a_pattern_re2_accepts() -> None:
    names = Counter(question.name for question in QUESTIONS)

    assert [name for name, count in names.items() if count > 1] == []
    for question in QUESTIONS:
        assert re2.compile(question.pattern.regex)


def test_a_substring_is_looked_for_as_it_is() -> None:
    (question,) = [q for q in QUESTIONS if q.text == "want: []string{options"]

    assert re2.search(question.pattern.regex, "x want: []string{options y")
    assert not re2.search(question.pattern.regex, "want: string{options")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("für|über", r"f\xC3\xBCr|\xC3\xBCber"),
        ("[äöü]ber", r"\xC3[\xA4\xB6\xBC]ber"),
        ("want: []string{options", r"want: \[\]string\{options"),
        ("a `Button` if", "a `Button` if"),
    ],
)
def test_ripgrep_is_told_where_a_character_is_not_a_byte(text: str, expected: str) -> None:
    assert [q.for_ripgrep for q in QUESTIONS if q.text == text] == [expected]


def test_lines_that_only_one_side_has_are_told_apart() -> None:
    found = {"a.py": [1, 3, 3], "b.py": [2]}
    wanted = {"a.py": [1, 2, 3], "c.py": [7]}

    assert difference(found, wanted) == (2, 2, ("-a.py:2", "-c.py:7", "+a.py:3", "+b.py:2"))
    assert difference(wanted, wanted) == (0, 0, ())


def test_a_full_scan_sees_lines_one_by_one_and_none_behind_the_last_newline() -> None:
    lines = Lines({"a": b"one\ntwo\n\none", "b": b"One\n"})

    assert lines.matching(Pattern("^$")) == {"a": [3]}
    assert lines.matching(Pattern("one", ignore_case=True)) == {"a": [1, 4], "b": [1]}
    assert lines.matching(Pattern(r"e\s*t")) == {}
    assert lines.matching(Pattern(r"\Aone")) == {"a": [1]}
    assert lines.matching(Pattern(r"one\z")) == {"a": [4]}
    assert lines.matching(Pattern("(")) is None


def test_edits_of_a_tree_are_the_same_for_a_seed(tmp_path: Path) -> None:
    trees = []
    for name in ("first", "second"):
        tree = tmp_path / name
        for number in range(60):
            file = tree / f"folder{number % 5}" / f"file{number}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"line one of {number}\nline two\n", encoding="utf-8")
        editor = Editor(tree, random.Random(1))
        for _ in range(80):
            editor.edit()
        trees.append({p.relative_to(tree): p.read_bytes() for p in tree.rglob("*.py")})
        assert len(editor.done) == 7  # every way to edit has been used

    assert trees[0] == trees[1]
    assert any(path.name.startswith("edited") for path in trees[0])


def test_figures_are_grouped_by_kind_and_shape_and_empty_matches_do_not_count_for_all() -> None:
    rows: dict[str, dict[str, float]] = {name: {} for name in NAMES}

    assert {title: len(group) for title, group in grouped(rows).items()} == {
        "all regex questions": 1,
        "regex: word": 1,
        "regex: empty": 1,
        "all substring questions": 1,
        "substring: word": 1,
    }
