"""Doc comments of every convention, and the questions of documents, logs and tests."""

from __future__ import annotations

import pytest

from training.docs import Doc, read_doc
from training.prose import Question, question_of_test, questions


@pytest.mark.parametrize(
    ("raw", "doc"),
    [
        pytest.param(
            '"""Return the ``foo`` of :class:`Bar`. More text.\n\n    Args:\n        x: a thing\n\n'
            "    Returns:\n        A list of all the things found.\n\n    Raises:\n"
            '        ValueError: If the thing is not valid at all.\n    """',
            Doc(
                "Return the foo of Bar. More text.",
                22,
                "A list of all the things found.",
                "If the thing is not valid at all.",
            ),
            id="python",
        ),
        pytest.param(
            "/**\n * Parses a {@link Date} from <b>text</b>.\n * @param x the text\n"
            " * @return the parsed date, or null if none\n"
            " * @throws IOException if the stream cannot be read\n */",
            Doc(
                "Parses a Date from text.",
                24,
                "the parsed date, or null if none",
                "if the stream cannot be read",
            ),
            id="javadoc",
        ),
        pytest.param(
            '/// <summary>\n/// Gets the number of <see cref="T:Item"/> values.\n/// </summary>\n'
            "/// <returns>the number of all the elements</returns>",
            Doc("Gets the number of Item values.", 31, "the number of all the elements"),
            id="xml",
        ),
        pytest.param(
            "// Open opens the file\n// for reading.",
            Doc("Open opens the file for reading.", 32),
            id="go",
        ),
        pytest.param(
            "# Sorts the list in place.\n#\n# @return [Array] the sorted array of things",
            Doc("Sorts the list in place.", 24, "the sorted array of things"),
            id="yard",
        ),
        pytest.param(
            "/// Returns the value of [`Foo`].\n///\n/// # Panics\n/// when empty",
            Doc("Returns the value of Foo.", 25),
            id="rust",
        ),
        pytest.param(
            "/*!\n \\brief Sets the colour of the pen\n"
            " \\return true if it was set without error\n*/",
            Doc("Sets the colour of the pen", 26, "true if it was set without error"),
            id="doxygen",
        ),
        pytest.param(
            '@doc """\n  Converts the list into a map.\n  """',
            Doc("Converts the list into a map.", 29),
            id="elixir",
        ),
        pytest.param(
            "-- | Take the first n elements.", Doc("Take the first n elements.", 26), id="haddock"
        ),
    ],
)
def test_a_doc_comment_is_read_in_its_own_convention(raw: str, doc: Doc) -> None:
    assert read_doc(raw) == doc


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("// Deprecated: use the other function instead", "doc says nothing"),
        ("// see the other function for this", "doc says nothing"),
        ("/** {@inheritDoc} */", "doc too short"),
        ("// short", "doc too short"),
        ("// Described at https://example.org in full", "doc with an address"),
        ("// " + "word " * 200, "doc too long"),
        ("// a = b + c * (d / e) - [f] == {g} && h || i", "doc too short"),
        ("// 打开一个文件 and read it all", "doc not in letters"),
    ],
)
def test_a_doc_that_asks_nothing_is_refused_with_its_reason(raw: str, reason: str) -> None:
    assert read_doc(raw).why_not == reason


KNOWN = {"parse_date": 1, "format_date": 1, "walk": 1}
README = b"""# dates

## Installation

```
parse_date(1)
```

## Working with time zones

To turn a text into a date, use the parser:

```python
day = parse_date("2020-01-01")
print(day)
```

How do I print a date in another format?

    format_date(day)

- `format_date(day)` - writes a day in the way of the locale
"""


def test_a_document_asks_for_what_the_next_block_calls() -> None:
    assert list(questions("x/README.md", README, KNOWN)) == [
        Question("readme", "To turn a text into a date, use the parser", "parse_date"),
        Question("readme", "How do I print a date in another format", "format_date"),
        Question("readme", "writes a day in the way of the locale", "format_date"),
    ]


def test_a_change_log_speaks_of_the_one_function_a_line_names() -> None:
    log = (
        b"- `parse_date` accepts a space between the day and the time (#12)\n"
        b"- `parse_date` and `format_date` are faster than they were\n"
        b"- fix the build on old systems once and for all\n"
    )

    assert list(questions("CHANGELOG.md", log, KNOWN)) == [
        Question(
            "changelog", "parse_date accepts a space between the day and the time", "parse_date"
        )
    ]


def test_a_test_speaks_of_the_function_that_it_names_and_calls() -> None:
    calls = ("parse_date", "walk")

    assert question_of_test("test_parse_date_refuses_an_empty_text", calls, KNOWN) == Question(
        "test", "parse date refuses an empty text", "parse_date"
    )
    assert question_of_test("test_parse_date", calls, KNOWN) is None
    assert question_of_test("test_format_date_refuses_an_empty_text", calls, KNOWN) is None
