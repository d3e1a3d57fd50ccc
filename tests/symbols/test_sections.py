"""Sections of files that are not programs: where they start, end and nest."""

from __future__ import annotations

import time
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait.symbols.sections import MAX_NAME, MIN_ROWS, RULES, sections


def found(language: str, text: str) -> list[tuple[str, int, int]]:
    """Name, first and last line of every section, counted from 1."""
    read = sections(language, dedent(text).encode())
    return [(item.name, item.first_row + 1, item.last_row + 1) for item in read]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        pytest.param(
            "markdown",
            "# A\n\ntext\n\n## B ##\n\ntext\n\n## C\n\ntext\n\n# D\n\ntext\n",
            [("A", 1, 12), ("B", 5, 8), ("C", 9, 12), ("D", 13, 15)],
            id="headings-nest",
        ),
        pytest.param("markdown", "#no\n\n\ntext\n", [], id="a-heading-needs-a-space"),
        pytest.param("markdown", "# A\r\n\r\ntext\r\n", [("A", 1, 3)], id="crlf"),
        pytest.param("markdown", "# A\ntext\n", [], id="two-lines-are-no-section"),
        pytest.param(
            "sql",
            "CREATE TABLE IF NOT EXISTS shop.orders (\n  id int\n);\n"
            "create or replace view v as\n  select 1\n;\n",
            [("shop.orders", 1, 3), ("v", 4, 6)],
            id="sql",
        ),
        pytest.param(
            "yaml",
            "name: x\non:\n  push:\n    a: 1\njobs:\n  test:\n    b: 2\n",
            [("on", 2, 4), ("jobs", 5, 7)],
            id="yaml-top-level-keys",
        ),
        pytest.param(
            "toml",
            "[a]\nx = 1\ny = 2\n[[b.c]]\nz = 3\nw = 4\n",
            [("a", 1, 3), ("b.c", 4, 6)],
            id="toml",
        ),
        pytest.param("ini", "[ core ]\na=1\nb=2\n", [("core", 1, 3)], id="ini"),
        pytest.param(
            "json",
            '{\n  "a": {\n    "deep": 1,\n    "more": 2\n  },\n  "b": 3\n}\n',
            [("a", 2, 5)],
            id="json-outermost-keys",
        ),
        pytest.param(
            "css",
            ".a > b {\n  x: 1;\n}\n@media x {\n  y: 2\n}\n",
            [(".a > b", 1, 3), ("@media x", 4, 6)],
            id="css",
        ),
        pytest.param(
            "html",
            "<h1>Top</h1>\n<p>a</p>\n<h2 class=x>Sub</h2>\n<p>b</p>\n<p>c</p>\n",
            [("Top", 1, 5), ("Sub", 3, 5)],
            id="html-headings",
        ),
        pytest.param("python", "# A\n\n\n", [], id="no-rule-no-section"),
    ],
)
def test_sections(language: str, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert found(language, text) == expected


def test_an_html_section_is_named_by_its_id() -> None:
    text = '<html>\n<section id="one">\n<p>\n</section>\n<form name="two">\n<p>\n</form>\n'

    assert found("html", text) == [("one", 2, 4), ("two", 5, 7)]


def test_a_name_is_one_line_and_not_endless() -> None:
    (item,) = sections("markdown", b"#  many   words" + b" more" * 100 + b"\n\n\n")

    assert item.name.startswith("many words more")
    assert len(item.name) == MAX_NAME


def test_many_sections_take_no_more_than_their_share_of_time() -> None:
    began = time.process_time()
    many = sections("markdown", b"# a\n\n\n" * 20_000)

    assert len(many) == 20_000
    assert time.process_time() - began < 5


HOSTILE = {
    "markdown": "# a" + " " * 10_000 + "b",
    "html": "<section id " * 2_000,
    "css": "a" + " " * 10_000,
    "scss": "a" + " " * 10_000,
    "sql": "create " + "temp " * 2_000,
    "yaml": "a" + " " * 10_000,
    "toml": "[" + " " * 1_000,
    "ini": "[" + " " * 1_000,
    "json": " " * 10_000 + '"a',
}


@pytest.mark.parametrize("language", RULES)
def test_no_rule_takes_long_over_a_hostile_line(language: str) -> None:
    began = time.process_time()
    sections(language, HOSTILE[language].encode())

    assert time.process_time() - began < 0.05


lines = st.sampled_from(
    (
        *(
            "# A",
            "## B",
            "[t]",
            "key:",
            "  k: v",
            '  "j": {',
            "create table x (",
            ".c {",
            "<h1>H</h1>",
        ),
        *("", "}", "text", "\ttab", "é: ü"),
    )
)
texts = st.lists(lines, max_size=30).map("\n".join)


@given(st.sampled_from(sorted(RULES)), texts)
def test_sections_are_rows_of_the_file_in_order_nested_or_apart(language: str, text: str) -> None:
    content = text.encode()
    read = sections(language, content)
    rows = [(item.first_row, item.last_row) for item in read]

    assert rows == sorted(rows)
    assert all(last - first + 1 >= MIN_ROWS for first, last in rows)
    assert all(0 <= item.begin < item.end <= len(content) for item in read)
    for n, (_, last) in enumerate(rows):
        for later, until in rows[n + 1 :]:
            assert later > last or until <= last


def test_a_comment_in_a_code_block_is_no_heading() -> None:
    text = "# Real\nwords\n\n```sh\n# not a heading\n## nor this\nls\n```\n\n## Second\nmore\nend\n"

    assert [found.name for found in sections("markdown", text.encode())] == ["Real", "Second"]


def test_a_rule_of_css_begins_with_its_comment_and_its_first_selector() -> None:
    text = b"a {\n  b: c;\n}\n\n/* index */\n.g h3,\n.g p {\n  x: y;\n}\n"
    found = sections("css", text)

    assert [(one.name, one.first_row, one.last_row) for one in found] == [
        ("a", 0, 3),
        (".g p", 4, 8),
    ]
    assert text[slice(*found[1].signature)] == b".g p {\n"
