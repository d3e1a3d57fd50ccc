"""Stripping: no word of a comment or docstring is left, and nothing else is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plait.sources.languages import language_of
from plait.symbols.grammars import GRAMMARS
from plait.symbols.outline import outline
from plait.symbols.strip import stripped
from tests.symbols.planted import PLANTED

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
FILES = sorted(path for path in FIXTURES.rglob("*") if path.is_file())
HUSHED = re.compile(r"\bhush\w*", re.IGNORECASE)
KEPT = re.compile(r"\bkeep\w*", re.IGNORECASE)
LINE_BREAK = re.compile(rb"[\r\n]")


def without(language: str, text: str) -> str:
    return stripped(language, text.encode()).decode()


def breaks(content: bytes) -> list[tuple[int, bytes]]:
    return [(found.start(), found.group()) for found in LINE_BREAK.finditer(content)]


def definitions(language: str, content: bytes) -> list[tuple[str, str, int, int]]:
    """Name, kind, first and last row of every symbol, less the comments above it."""
    return [
        (item.qualified_name, item.kind, content.count(b"\n", 0, item.begin), item.last_row)
        for item in outline(language, content).definitions
    ]


# ---------------------------------------------------------------- planted words


def test_every_grammar_has_a_source_with_planted_words() -> None:
    assert sorted(PLANTED) == sorted(GRAMMARS)


@pytest.mark.parametrize("language", PLANTED)
def test_no_word_of_a_comment_is_left_and_every_word_of_code_is(language: str) -> None:
    text = PLANTED[language]
    after = without(language, text)

    assert len(HUSHED.findall(text)) >= 8
    assert HUSHED.findall(after) == []
    assert KEPT.findall(after) == KEPT.findall(text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("language", PLANTED)
def test_length_and_line_breaks_stay(language: str, newline: str) -> None:
    content = PLANTED[language].replace("\n", newline).encode()
    after = stripped(language, content)

    assert len(after) == len(content)
    assert breaks(after) == breaks(content)
    assert not HUSHED.search(after.decode())


@pytest.mark.parametrize("language", PLANTED)
def test_the_code_parses_into_the_same_definitions(language: str) -> None:
    content = PLANTED[language].encode()
    after = stripped(language, content)

    assert not outline(language, content).has_errors
    assert not outline(language, after).has_errors
    assert definitions(language, after) == definitions(language, content)
    assert len(definitions(language, content)) >= 2


@pytest.mark.parametrize("language", PLANTED)
def test_only_spaces_and_line_breaks_replace_what_was_there(language: str) -> None:
    content = PLANTED[language].encode()
    after = stripped(language, content)
    changed = {new for old, new in zip(content, after, strict=True) if old != new}

    assert changed == set(b" ")


@pytest.mark.parametrize("language", PLANTED)
def test_stripping_twice_is_stripping_once(language: str) -> None:
    after = stripped(language, PLANTED[language].encode())

    assert stripped(language, after) == after


# ---------------------------------------------------------------- the corpus of the fixtures


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_fixture_keeps_its_lines_and_its_definitions(file: Path) -> None:
    content = file.read_bytes()
    language = language_of(file.name, content)
    after = stripped(language, content)

    assert breaks(after) == breaks(content)
    assert len(after) == len(content)
    assert stripped(language, after) == after
    if language in GRAMMARS:
        assert definitions(language, after) == definitions(language, content)
    else:
        assert after == content


# ---------------------------------------------------------------- by example


def test_a_docstring_leaves_its_quotes() -> None:
    assert without("python", 'def f():\n    """Says.\n\n    More."""\n') == (
        'def f():\n    """     \n\n         """\n'
    )


def test_a_string_that_is_given_returned_or_named_is_no_docstring() -> None:
    text = 'x = "a"\nf("b")\ndef g():\n    return "c"\nclass C:\n    d: str = "d"\n'

    assert without("python", text) == text


def test_a_constant_that_is_called_doc_is_no_attribute() -> None:
    text = 'fn f() { let doc = "a"; m!(doc = "b"); }\n#[doc(alias = "c")]\nfn g() {}\n'

    assert without("rust", text) == text


def test_a_macro_without_a_value_does_not_swallow_the_next_line() -> None:
    text = "#define EMPTY // nothing\nint f(void) { return 1; }\n"

    assert [item.name for item in outline("c", text.encode()).definitions] == ["f"]
    assert without("c", text) == "#define EMPTY //        \nint f(void) { return 1; }\n"


def test_a_language_without_a_grammar_is_left_alone() -> None:
    assert without("yaml", "# note\na: 1\n") == "# note\na: 1\n"
    assert without("", "// note\n") == "// note\n"


PIECES = (
    *("/*", "*/", "//", "#", '"""', "'", '"', "\n", "\r\n", "\\\n", " ", "é", "日", "\t", "-- "),
    *("{-", "-}", "--[[", "]]", "=begin\n", "=end\n", "def f():\n", "    ", "int a;", "{", "}"),
    *("#define A", "#else\n", "#endif", "#[doc = ", "@doc ", "<!--", "-->", "<?php ", "?>"),
)


# What lies behind a broken string reads as a comment only once another is gone.
@example("tsx", ["'\"\n-->\\\n\t#'////-- "])
@given(st.sampled_from(sorted(GRAMMARS)), st.lists(st.sampled_from(PIECES), max_size=30))
def test_broken_code_keeps_its_lines_and_needs_no_second_stripping(
    language: str, pieces: list[str]
) -> None:
    content = "".join(pieces).encode()
    after = stripped(language, content)

    assert len(after.decode().encode()) == len(content)
    assert breaks(after) == breaks(content)
    assert stripped(language, after) == after
