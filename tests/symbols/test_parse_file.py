"""Parsing a file by the best means its language has."""

from __future__ import annotations

import pytest

from plait.symbols.grammars import GRAMMARS
from plait.symbols.parse import parse, windows
from plait.symbols.sections import RULES
from plait.types import SourceFile


def source(language: str, text: str) -> SourceFile:
    return SourceFile("repo", "path", language, text.encode(), "digest")


def names(language: str, text: str) -> list[str]:
    found = parse(source(language, text)).chunks
    return [chunk.symbol.name for chunk in found if chunk.symbol]


def test_a_grammar_gives_symbols() -> None:
    assert names("python", "def f():\n    pass\n") == ["f"]


def test_a_rule_gives_sections() -> None:
    assert names("markdown", "# Title\n\ntext\n") == ["Title"]


def test_any_other_language_is_lines() -> None:
    found = parse(source("cobol", "DIVISION.\n" * 400))

    assert not found.has_errors
    assert len(found.chunks) > 1
    assert all(chunk.kind == "text" for chunk in found.chunks)


def test_broken_code_yields_its_sound_parts_and_says_so() -> None:
    found = parse(source("python", "def good():\n    return 1\n\nclass ((((\n"))

    assert found.has_errors
    assert "good" in [chunk.symbol.name for chunk in found.chunks if chunk.symbol]


def test_windows_never_parse() -> None:
    found = windows(source("no such language", "def f():\n    pass\n"))

    assert [chunk.kind for chunk in found.chunks] == ["text"]


def test_no_language_has_both_a_grammar_and_a_rule() -> None:
    assert not GRAMMARS.keys() & RULES.keys()


@pytest.mark.parametrize("language", sorted(GRAMMARS))
def test_every_grammar_takes_an_empty_file_and_one_without_code(language: str) -> None:
    for text in ("", "\n", "???"):
        (only,) = parse(source(language, text)).chunks

        assert only.text == text


@pytest.mark.parametrize("language", ["python", "javascript", "java", "go"])
def test_deep_nesting_is_walked_without_recursion(language: str) -> None:
    found = parse(source(language, "(" * 20_000 + ")" * 20_000 + "\nlast\n"))

    assert found.chunks[-1].text.endswith("last\n")
